package io.github.sparkbic.index.bic

import java.util.Arrays
import java.util.concurrent.ThreadLocalRandom

import scala.collection.mutable.ArrayBuffer

import io.github.sparkbic.index.{BinaryReader, BinaryWriter, ConnectivityIndex, IndexSize, PaneForest, Panes}
import io.github.sparkbic.index.vertices.{ForestFeed, IdSample, PaidSweep, VertexKeys, VertexNumbers}

/** The paper's index: bidirectional incremental computation, which never deletes (Zhang, Bonifati, Özsu, VLDB 2024).
  *
  * Time is cut into chunks of `perWindow` panes. The window that starts `j` panes into chunk `c` is the last
  * `perWindow - j` panes of `c` and the first `j` of `c + 1`: snapshot `b[j]` of the backward buffer of `c` and the
  * forward buffer of `c + 1`, joined by the bipartite graph between their roots. A window that starts with a chunk is
  * the forward buffer alone. When a pane of the next chunk arrives, the chunk's panes become a backward buffer and the
  * old one is dropped as a whole: that is all the deleting there is.
  *
  * Beyond the paper: chunks are of panes, so a window need not be a multiple of the slide and gaps of any length are
  * ordinary; the backward build goes along with the inserts into the first pane after the chunk, some edges for each,
  * so that no answer waits for it; the bipartite graph is not stored, but read off both buffers when it is asked; and
  * vertices have dense numbers, which are given to others when no window to come holds them.
  *
  * Cost: an edge is two look-ups of vertices, two finds and a union in the forward buffer, and two finds and a union in
  * the backward build later, amortised O(α) each. Memory: some 18 bytes a vertex of the window, with 24 more to find it or,
  * where ids are dense, 8 for each id; and 8 an edge of the chunk, where a pane with many more edges than there are
  * vertices is thinned to a forest.
  *
  * Trade-off: inserts into the first pane of a chunk are several times slower than others; if that pane is short, what
  * is left of the build comes when it is closed.
  */
final class BicIndex private (
    perWindow: Int,
    private var vertices: VertexNumbers,
    private var forward: ForwardBuffer,
    private var backward: BackwardBuffer,
    private var chunk: Long
) extends ConnectivityIndex {

  /** @param smallestRanged vertices below which no range is looked for */
  private[bic] def this(perWindow: Int, smallestRanged: Int) = this(
    perWindow,
    new VertexNumbers(new VertexKeys(ThreadLocalRandom.current().nextLong()), smallestRanged),
    new ForwardBuffer,
    new BackwardBuffer(perWindow),
    Long.MinValue
  )

  def this(perWindow: Int) = this(perWindow, IdSample.SmallestRanged)

  private var bipartite = new BipartiteGraph(forward, backward)

  // The panes of the chunk that have edges, by rising offset, and the backward buffer in the making.
  private var panes = ArrayBuffer.empty[EdgeLog]
  private var pending: Option[BackwardBuild] = None

  // The pane that takes edges, and its length at which it is thinned.
  private var openPane = Long.MinValue
  private var closedPane = Long.MinValue
  private var log = new EdgeLog(0)
  private var thinAt = 0
  // The first pane that came since there was no edge.
  private var begin = Long.MinValue
  // The first pane of the windows to come when everything expired was last swept at once.
  private var sweptFirst = Long.MinValue
  // The newest pane that was moved to.
  private var newest = Long.MinValue

  // Edges that wait for one another, all of the open pane: their ends, and the numbers of these; no room where only forests
  // come.
  private var batch = Array.empty[Long]
  private var numbers = Array.empty[Int]
  private var batched = 0

  override def insert(pane: Long, src: Long, dst: Long): Unit = {
    if (batched == 0 || pane != openPane || 2 * batched == batch.length) {
      flush()
      open(pane)
      if (batch.length == 0) growBatch()
    }
    val at = 2 * batched
    batch(at) = src
    batch(at + 1) = dst
    batched += 1
  }

  override def insert(pane: Long, forest: PaneForest): Unit = {
    flush()
    open(pane)
    ForestFeed.feed(forest, feed)
    vertices.settle(forest.size)
    // Nothing is gained by slices where edges come as a whole.
    finishBuild()
    thinIfLong()
  }

  override def closePane(pane: Long): Unit = {
    require(pane >= closedPane, s"pane $pane is before pane $closedPane, which is closed")
    flush()
    finishBuild()
    bipartite.changed()
    moveTo(pane)
    finishBuild()
    // A window that starts with a chunk is its forward buffer alone, and the next one needs another backward buffer.
    if (Math.floorMod(pane + 1, perWindow) == 0) backward.drop()
    closedPane = pane
  }

  override def connected(windowStart: Long, source: Long, target: Long): Boolean = {
    val j = snapshotOf(windowStart)
    val s = vertices.find(source, windowStart.toInt)
    val t = vertices.find(target, windowStart.toInt)
    if (s < 0 || t < 0) false
    else if (s == t) true
    else {
      // Intra-buffer checking, then inter-buffer checking (Algorithm 5). Snapshot 0 is the forward buffer alone.
      val forwardS = forward.find(s)
      val forwardT = forward.find(t)
      if (forwardS >= 0 && forwardS == forwardT) true
      else if (j == 0) false
      else {
        val backwardS = backward.find(s, j)
        val backwardT = backward.find(t, j)
        if (backwardS >= 0 && backwardS == backwardT) true
        else if (forwardS < 0 && backwardS < 0 || forwardT < 0 && backwardT < 0) false
        else bipartite.connected(forwardS, backwardS, forwardT, backwardT, j, vertices.top)
      }
    }
  }

  override def components(windowStart: Long)(visit: (Long, Long) => Unit): Unit = {
    val j = snapshotOf(windowStart)
    val first = windowStart.toInt
    if (j > 0) bipartite.contract(j, vertices.top)
    def component(v: Int): Int = {
      val f = forward.find(v)
      val b = if (j == 0) -1 else backward.find(v, j)
      if (f < 0 && b < 0) v else if (j == 0) f else bipartite.component(f, b)
    }
    val smallest = new Array[Long](vertices.top)
    Arrays.fill(smallest, Long.MaxValue)
    vertices.foreach(first) { (id, v) =>
      val c = component(v)
      smallest(c) = math.min(smallest(c), id)
    }
    vertices.foreach(first)((id, v) => visit(id, smallest(component(v))))
  }

  override def vertices(visit: Long => Unit): Unit = {
    flush()
    vertices.foreach(vertices.floor)((id, _) => visit(id))
  }

  override def save(out: BinaryWriter): IndexSize = {
    require(openPane <= closedPane, s"pane $openPane must be closed before the index is saved")
    BicState.save(
      out,
      perWindow,
      new BicState.Parts(chunk, closedPane, vertices, forward, backward, panes.toSeq)
    )
  }

  /** The parts, for tests of the paper's figures. */
  private[bic] def parts: (VertexNumbers, ForwardBuffer, BackwardBuffer) = (vertices, forward, backward)

  /** Edges kept of the pane that takes edges, or took them last. */
  private[bic] def openEdges: Int = log.size

  private def snapshotOf(windowStart: Long): Int = {
    require(
      windowStart + perWindow - 1 == closedPane && openPane <= closedPane,
      s"the window of panes [$windowStart, ${windowStart + perWindow}) does not end with the pane closed last, which " +
        s"is $closedPane"
    )
    Math.floorMod(windowStart, perWindow)
  }

  /** Inserts the edges that wait. */
  private def flush(): Unit =
    if (batched > 0) {
      val edges = batched
      batched = 0
      pending.foreach(build => if (build.step(build.workPerEdge.toLong * edges)) pending = None)
      vertices.enterAll(batch, 0, 2 * edges, openPane.toInt, numbers)
      joinAll(numbers, 2 * edges)
      vertices.settle(edges)
      thinIfLong()
      // Graphs of a few edges stay small.
      if (2 * edges == batch.length && batch.length < 2 * BicIndex.Batch) growBatch()
    }

  private def growBatch(): Unit = {
    batch = new Array[Long](math.max(16, batch.length * 2))
    numbers = new Array[Int](batch.length)
  }

  private def joinAll(numbers: Array[Int], ends: Int): Unit = {
    forward.reserve(vertices.top)
    forward.joinAll(numbers, ends)
    log.addAll(numbers, ends)
  }

  /** Takes forests into the open pane. */
  private val feed = new ForestFeed {
    override def enterAll(ids: Array[Long], from: Int, count: Int, numbers: Array[Int]): Unit =
      vertices.enterAll(ids, from, count, openPane.toInt, numbers)

    override def joinAll(numbers: Array[Int], ends: Int): Unit = BicIndex.this.joinAll(numbers, ends)
  }

  private def open(pane: Long): Unit =
    if (pane != openPane) {
      require(
        pane > closedPane && pane > openPane,
        s"pane $pane is closed; the last one is ${math.max(openPane, closedPane)}"
      )
      finishBuild()
      moveTo(pane)
      openPane = pane
      log = new EdgeLog(Math.floorMod(pane, perWindow))
      panes += log
      thinAt = BicIndex.ShortPane
    } else require(pane > closedPane, s"pane $pane is closed")

  /** The windows to come end with `pane` or later: what is older may be forgotten, and chunks may change. */
  private def moveTo(pane: Long): Unit = {
    val first = Panes.firstOf(perWindow, pane)
    if (pane > newest) {
      if (first <= openPane) vertices.settlePanes(PaidSweep.partOf(perWindow, newest, pane))
      newest = pane
    }
    if (first > openPane) {
      // Nothing is left, however long the gap: that is cheaper to forget than to sweep.
      if (vertices.top > 0) {
        vertices = vertices.cleared
        renewBuffers()
        panes = ArrayBuffer.empty
      }
      begin = pane
      sweptFirst = first
    } else if (first - sweptFirst >= BicIndex.Reach) {
      vertices.floor = first.toInt
      vertices.sweepAll()
      sweptFirst = first
    }
    vertices.floor = first.toInt
    vertices.noteFilled(Panes.partOf(perWindow, begin, pane))

    val next = Math.floorDiv(pane, perWindow.toLong)
    if (next != chunk) {
      // If a window to come needs panes from before this chunk, they are of the one before, and there are none else.
      val j = Math.floorMod(first, perWindow)
      val needed = panes.iterator.filter(_.offset >= j).toArray
      if (vertices.isSparse) {
        val numbers = vertices.renumber()
        needed.foreach(_.renumber(numbers))
        renewBuffers()
      } else forward.clear()
      backward.drop()
      if (needed.nonEmpty) pending = Some(new BackwardBuild(needed, vertices.top, backward))
      panes = ArrayBuffer.empty
      chunk = next
    }
  }

  private def renewBuffers(): Unit = {
    forward = new ForwardBuffer
    backward = new BackwardBuffer(perWindow)
    bipartite = new BipartiteGraph(forward, backward)
  }

  /** Completes the backward build, if one is under way. */
  private def finishBuild(): Unit = {
    pending.foreach(_.step(Long.MaxValue))
    pending = None
  }

  /** Thins the open pane to a forest when it has many more edges than there are vertices. */
  private def thinIfLong(): Unit =
    if (log.size >= thinAt) {
      if (log.size >= 2L * vertices.size) log.thin(vertices.top)
      thinAt = math.max(BicIndex.ShortPane, math.max(log.size + (log.size >> 1), 2 * vertices.size))
    }
}

object BicIndex {

  /** Its name in the public API. */
  val Name: String = "bic"

  /** Edges whose vertices are looked up together. */
  private final val Batch = 128

  /** Edges of a pane that are kept as they are. */
  private final val ShortPane = 1 << 12

  /** Panes that the windows may move on before everything expired is swept at once, so that 32 bits tell panes apart. */
  private final val Reach = 1L << 30

  /** The index that [[BicIndex.save]] wrote. The forward buffer is made again from the pane forests of the chunk, in
    * time O(their links).
    */
  def restore(perWindow: Int, in: BinaryReader): BicIndex =
    restore(perWindow, in, IdSample.SmallestRanged)

  private[bic] def restore(perWindow: Int, in: BinaryReader, smallestRanged: Int): BicIndex = {
    val saved = BicState.restore(perWindow, in, smallestRanged)
    val index = new BicIndex(perWindow, saved.vertices, saved.forward, saved.backward, saved.chunk)
    index.panes ++= saved.panes
    index.closedPane = saved.closedPane
    // Without a pane of this chunk, an edge may be as new as the end of the last one.
    index.openPane = saved.chunk * perWindow + saved.panes.lastOption.fold(-1)(_.offset)
    index.sweptFirst = Panes.firstOf(perWindow, saved.closedPane)
    index.newest = saved.closedPane
    index
  }
}
