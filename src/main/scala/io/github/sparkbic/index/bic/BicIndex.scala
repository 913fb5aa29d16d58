package io.github.sparkbic.index.bic

import java.util.Arrays

import io.github.sparkbic.index.contract.{ConnectivityIndex, EdgeSet, IndexConfig, IndexSize, PaneClock}
import io.github.sparkbic.index.format.BinaryWriter
import io.github.sparkbic.index.forests.{EdgeBatch, ForestFeed, WindowForest}
import io.github.sparkbic.index.kernels.RadixSort
import io.github.sparkbic.index.vertices.VertexNumbers

/** The paper's index: bidirectional incremental computation, which never deletes (Zhang, Bonifati, Özsu, VLDB 2024).
  *
  * Time is cut into chunks of `perWindow` panes. The window that starts `j` panes into chunk `c` is the last
  * `perWindow - j` panes of `c` and the first `j` of `c + 1`: snapshot `b[j]` of the backward buffer of `c` and the
  * forward buffer of `c + 1`, joined by inter-buffer checking. A window that starts with a chunk is
  * the forward buffer alone. When a pane of the next chunk arrives, the chunk's panes become a backward buffer and the
  * old buffer is dropped as a whole: that is all the deleting there is.
  *
  * How this index differs from the paper. Chunks are of panes, so a window need not be a multiple of the slide, and gaps of
  * any length are ordinary. Vertices have dense numbers, given to others when no window to come holds them. The
  * bipartite graph is not stored, but read off both buffers when it is asked for ([[InterBufferSearch]]). The chunk's
  * past is kept as a maximum spanning forest by pane ([[PaneLog]]), so memory is O(live vertices).
  *
  * Cost: an edge is two look-ups of vertices, two finds and a union in the forward buffer, and as much again in the
  * thinning of the log and in the backward build, amortised O(α). Memory: some 17 bytes a vertex and 8 an edge of the log,
  * beside [[VertexNumbers]].
  *
  * Trade-off: the backward buffer is built at once, by the first edges after a chunk, so that the batch of these edges
  * takes as long as a good part of the chunk did. Answers do not wait, unless a pane has fewer edges than a batch.
  */
final class BicIndex private (perWindow: Int, config: IndexConfig) extends ConnectivityIndex {

  private val clock = new PaneClock(perWindow, config.reach)
  private var vertices = new VertexNumbers(config)
  private var forward = new ForwardBuffer
  private var backward = new BackwardBuffer(perWindow)
  private var search = new InterBufferSearch(forward, backward)

  // The chunk of the newest pane, and its edges.
  private var chunk = Long.MinValue
  private var log = new PaneLog
  private var thinAt = config.smallestThinned

  // Edges that wait, all of one pane.
  private val batch = new EdgeBatch(config.batchEdges)
  private var batchPane = Long.MinValue

  private[index] def vertexNumbers: VertexNumbers = vertices

  override def insert(pane: Long, src: Long, dst: Long): Unit = {
    if (pane != batchPane || batch.isFull) makeRoom(pane)
    batch.add(src, dst)
  }

  /** Makes room for an edge of `pane`. */
  private def makeRoom(pane: Long): Unit =
    if (pane == batchPane && !batch.isLargest) batch.grow()
    else {
      flush()
      requireOpen(pane)
      batchPane = pane
      if (batch.isFull) batch.grow()
    }

  override def insert(pane: Long, edges: EdgeSet): Unit = {
    flush()
    requireOpen(pane)
    open(pane)
    edges.feed(feed)
    tidy()
  }

  override def closePane(pane: Long): Unit = {
    require(pane >= clock.closed, s"pane $pane is before pane ${clock.closed}, which is closed")
    flush()
    search.changed()
    advance(pane)
    // A window that starts with a chunk is its forward buffer alone, and the next one needs another backward buffer.
    if (Math.floorMod(pane + 1, perWindow) == 0) backward.drop()
    clock.closed = pane
  }

  override def connected(windowStart: Long, source: Long, target: Long): Boolean = {
    val j = snapshotOf(windowStart)
    val s = vertices.find(source, windowStart.toInt)
    val t = vertices.find(target, windowStart.toInt)
    if (s == 0 || t == 0) false
    else if (s == t) true
    else {
      // Intra-buffer checking, then inter-buffer checking (Algorithm 5). Snapshot 0 is the forward buffer alone.
      val forwardS = forward.find(s)
      val forwardT = forward.find(t)
      if (forwardS > 0 && forwardS == forwardT) true
      else if (j == 0) false
      else {
        val backwardS = backward.find(s, j)
        val backwardT = backward.find(t, j)
        if (backwardS > 0 && backwardS == backwardT) true
        else if (forwardS + backwardS == 0 || forwardT + backwardT == 0) false
        else search.connected(forwardS, backwardS, forwardT, backwardT, j, vertices.top)
      }
    }
  }

  override def components(windowStart: Long)(visit: (Long, Long) => Unit): Unit = {
    val j = snapshotOf(windowStart)
    val p = windowStart.toInt
    val top = vertices.top
    if (j > 0) search.contract(j, top)
    val smallest = new Array[Long](top + 1)
    Arrays.fill(smallest, Long.MaxValue)
    var v = 1
    while (v <= top) {
      if (vertices.isSeen(v, p)) {
        val c = componentOf(v, j)
        smallest(c) = math.min(smallest(c), vertices.id(v))
      }
      v += 1
    }
    v = 1
    while (v <= top) {
      if (vertices.isSeen(v, p)) visit(vertices.id(v), smallest(componentOf(v, j)))
      v += 1
    }
  }

  /** After a contraction: a vertex that names the component of `v` in the window of snapshot `j`. */
  private def componentOf(v: Int, j: Int): Int = {
    val f = forward.find(v)
    val b = if (j == 0) 0 else backward.find(v, j)
    if (f + b == 0) v else if (j == 0) f else search.component(f, b)
  }

  override def vertices(visit: Long => Unit): Unit = {
    flush()
    if (!clock.isEmpty) vertices.foreach(clock.first.toInt)(visit)
  }

  override def save(out: BinaryWriter): IndexSize = {
    flush()
    require(
      clock.newestEdge <= clock.closed,
      s"pane ${clock.newestEdge} must be closed before the index is saved; the pane closed last is ${clock.closed}"
    )
    saved(clock.closed).save(out)
  }

  private def saved(closed: Long): WindowForest = {
    val forest = new BicForest(vertices)
    val start = chunk * perWindow
    forest.addLog(log, start.toInt)
    if (clock.first < start)
      forest.addBackward(backward, Math.floorMod(clock.first, perWindow), (start - perWindow).toInt)
    forest.result(closed, clock.first)
  }

  private def snapshotOf(windowStart: Long): Int = {
    require(
      windowStart + perWindow - 1 == clock.closed && clock.newestEdge <= clock.closed && batch.isEmpty,
      s"the window of panes [$windowStart, ${windowStart + perWindow}) does not end with the pane closed last, which " +
        s"is ${clock.closed}"
    )
    Math.floorMod(windowStart, perWindow)
  }

  /** Refuses an edge of a pane that is closed, or before a pane with edges. */
  private def requireOpen(pane: Long): Unit =
    require(
      pane > clock.closed && pane >= clock.newestEdge,
      s"pane $pane is closed; the last one is ${math.max(clock.closed, clock.newestEdge)}"
    )

  /** Inserts the edges that wait. The next edge is checked against the clock again. */
  private def flush(): Unit = {
    if (!batch.isEmpty) {
      open(batchPane)
      feed.addEdges(batch.ends, batch.count)
      batch.clear()
      tidy()
    }
    batchPane = Long.MinValue
  }

  private def open(pane: Long): Unit = {
    advance(pane)
    clock.newestEdge = pane
    log.open(Math.floorMod(pane, perWindow))
  }

  private val feed = new ForestFeed {
    override protected def enterAll(
        ids: Array[Long],
        from: Int,
        count: Int,
        numbers: Array[Int]
    ): Unit = {
      vertices.enterAll(ids, from, count, clock.newestEdge.toInt, isNewest = true, numbers)
      forward.reserve(vertices.capacity)
    }

    override protected def joinEdges(numbers: Array[Int], count: Int): Unit = {
      forward.joinAll(numbers, count)
      log.addAll(numbers, count)
    }

    override protected def joinTrees(numbers: Array[Int], count: Int): Unit = joinEdges(numbers, count)
  }

  /** Moves on to `pane`, with which the windows to come end or after it: older panes expire, and the chunk may change. */
  private def advance(pane: Long): Unit = {
    val move = clock.advance(pane)
    if (move == PaneClock.Clear && vertices.top > 0) clear()
    vertices.firstPane = clock.first.toInt
    if (move == PaneClock.Rewrite) vertices.rewriteExpired()
    val next = Math.floorDiv(clock.newest, perWindow.toLong)
    if (next != chunk) {
      forward.clear()
      backward.drop()
      // If a window to come needs panes before this chunk, they are of the chunk before, and there are none else.
      val j = Math.floorMod(clock.first, perWindow)
      if (log.size > 0 && j > 0) backward.build(log, j, vertices.top + 1, forward.scratch())
      log.clear()
      thinAt = config.smallestThinned
      chunk = next
    }
  }

  private def clear(): Unit = {
    vertices = new VertexNumbers(config)
    forward = new ForwardBuffer
    backward = new BackwardBuffer(perWindow)
    search = new InterBufferSearch(forward, backward)
    log = new PaneLog
  }

  /** Thins the log when it is long, and gives memory back that is not needed any more. */
  private def tidy(): Unit = {
    if (log.size >= thinAt) {
      log.thin(vertices.top + 1)
      thinAt = math.max(config.smallestThinned, 2 * math.max(log.size, vertices.top))
    }
    if (clock.isReviewDue && vertices.review()) build(saved(clock.newest))
  }

  /** Takes all vertices and links from `forest`: links of this chunk into the log and the forward buffer, and links of the
    * chunk before into the backward buffer.
    */
  private def build(forest: WindowForest): Unit = {
    clear()
    vertices = VertexNumbers.of(config, clock.first.toInt, forest.ids, forest.seen)
    forward.reserve(vertices.capacity)
    chunk = Math.floorDiv(clock.newest, perWindow.toLong)
    val start = (chunk * perWindow).toInt
    val before = new PaneLog
    val ends = new Array[Int](2)
    RadixSort(forest.panes.map(pane => (pane - start).toLong)).order.foreach { i =>
      if (forest.parents(i) >= 0) {
        ends(0) = i + 1
        ends(1) = forest.parents(i) + 1
        val offset = forest.panes(i) - start
        val to = if (offset < 0) before else log
        to.open(Math.floorMod(offset, perWindow))
        to.addAll(ends, 2)
        if (offset >= 0) forward.joinAll(ends, 2)
      }
    }
    if (before.size > 0) backward.build(before, 1, vertices.top + 1, new Array[Int](vertices.top + 1))
    // A vertex that only has self-loops has no link.
    var v = 1
    while (v <= vertices.top) {
      ends(0) = v
      ends(1) = v
      if (vertices.isSeen(v, start)) forward.joinAll(ends, 2)
      v += 1
    }
    thinAt = math.max(config.smallestThinned, 2 * math.max(log.size, vertices.top))
  }

  /** The first violation of an invariant, if there is one; O(vertices × log vertices). */
  private[bic] def validate(): Option[String] = {
    flush()
    forward.validate(vertices.top).orElse(backward.validate).orElse(log.validate(vertices.top))
  }

  /** The parts, for tests of the paper's figures. */
  private[bic] def parts: (VertexNumbers, ForwardBuffer, BackwardBuffer, PaneLog) =
    (vertices, forward, backward, log)
}

object BicIndex {

  /** Its name in the public API. */
  val Name: String = "bic"

  def apply(perWindow: Int, config: IndexConfig = IndexConfig()): BicIndex = new BicIndex(perWindow, config)

  /** The index with the saved form `forest`, in time O(vertices × log vertices). */
  private[index] def of(perWindow: Int, forest: WindowForest, config: IndexConfig): BicIndex = {
    val index = new BicIndex(perWindow, config)
    index.clock.restore(forest.closed, forest.newestEdge)
    index.build(forest)
    index
  }
}
