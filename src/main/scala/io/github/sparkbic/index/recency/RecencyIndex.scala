package io.github.sparkbic.index.recency

import java.util.Arrays
import java.util.concurrent.ThreadLocalRandom

import io.github.sparkbic.index.{BinaryReader, BinaryWriter, ConnectivityIndex, IndexSize, PaneForest, Panes}
import io.github.sparkbic.index.vertices.{
  ForestFeed,
  IdRange,
  IdSample,
  PaidSweep,
  RangeWatch,
  VertexDirectory,
  VertexKeys
}

/** Connectivity of every window that ends now, from one forest of the most recent links.
  *
  * More than [[ConnectivityIndex]] asks for: the last `perWindow` panes are *held*, counted back from the newest one
  * that was closed or had an edge. An edge may be inserted into any of them, in any order, closed or not; and a window
  * may start at any of them, so that windows of several lengths share one index. What it answers then covers all edges
  * from that pane on.
  *
  * Cost: expected O(log n) for an edge and for a question, n being the vertices held; in practice a few steps, most of
  * the time being the cache misses of looking the two vertices up. No work when a window moves on, none per chunk, and
  * nothing that takes longer than a fraction of a millisecond, but for the making of a larger array of links, once for
  * every eighth by which the vertices become more than ever before: see [[LinkStore]]; and but for the panes after very
  * many vertices that hardly any follow, each of which sweeps a part of what these have left: see [[PaidSweep]]. Memory:
  * 8 to 9 bytes for the link of a vertex, twice as many while that array is filled, 21 to 32 in the directory, and about
  * a tenth more for vertices that are dead, but not swept yet. No edge is stored.
  *
  * Where ids are dense, nothing is looked up: the ids of a range number their vertices themselves, and a vertex takes 13
  * bytes for each id of the range, of which a quarter or more are there; see [[RecencyVertices]].
  *
  * A vertex cannot change its number, which its rank hangs on. So where such a range is found, or lost, or there are far
  * fewer vertices than there were, all are brought over to another forest, a few with every edge that comes: see
  * [[ForestCopy]]. Nobody waits, but for the making of the arrays of a range: 3 ms for 8 million ids.
  *
  * Trade-off: a link carries its pane, so paths over several panes cannot be shortened; a window costs a few more steps
  * an edge than plain union–find. `components` visits all vertices; their number per window is not kept, since a vertex
  * belongs to as many windows as its pane does: a count for each would have to be changed with every link.
  */
final class RecencyIndex private (perWindow: Int, private var forest: RecencyForest)
    extends ConnectivityIndex {
  import VertexDirectory.{nodeOf, seenOf}

  def this(perWindow: Int) =
    this(perWindow, new RecencyForest(new VertexKeys(ThreadLocalRandom.current().nextLong())))

  private var closedPane = Long.MinValue
  // The newest pane that was closed or has an edge, and the first pane held, `perWindow - 1` before it.
  private var newest = Long.MinValue
  private var first = Long.MinValue
  // The newest pane with an edge, and the first pane held when everything expired was last swept at once.
  private var newestEdge = Long.MinValue
  private var sweptFirst = Long.MinValue

  // What brings all over to the forest to come, or null.
  private var copy: ForestCopy = null

  /** Numbers below which no memory is worth to be given back; to be changed by tests alone. */
  private[recency] var smallestSparse: Int = RecencyIndex.SmallestSparse

  private[recency] val watch = new RangeWatch(IdSample.SmallestRanged)
  // The first pane that came since there was no edge.
  private var begin = Long.MinValue

  // Edges that wait, all of one pane; no room where only forests come.
  private var batch = Array.empty[Long]
  private var numbers = Array.empty[Int]
  private var batched = 0
  private var batchPane = Long.MinValue

  /** The first pane held: edges and windows may start there. */
  private[recency] def firstHeld: Long = first

  /** Vertices in the memory of the index, which is a few more than occur in the panes held. */
  private[recency] def storedVertices: Int = {
    flush()
    forest.vertices.size
  }

  /** Numbers of vertices that have memory in the index, those out of use as well. */
  private[recency] def storedNumbers: Int =
    forest.links.top + (if (copy == null) 0 else copy.to.links.top)

  /** Ids that number their vertices. */
  private[recency] def rangedIds: Int = forest.vertices.range.length

  /** Whether another forest is being made. */
  private[recency] def isCopying: Boolean = copy != null

  /** The first violation of an invariant, if there is one; O(vertices). */
  private[recency] def validate(): Option[String] = {
    flush()
    RecencyState.validate(forest).orElse(Option(copy).filter(_.to.vertices.isReady).flatMap(copy =>
      RecencyState.validate(copy.to)
    ))
  }

  override def insert(pane: Long, src: Long, dst: Long): Unit = {
    if (batched == 0 || pane != batchPane || 2 * batched == batch.length) {
      flush()
      if (pane < first || pane > newestEdge) admit(pane)
      batchPane = pane
      if (batch.length == 0) growBatch()
    }
    val at = 2 * batched
    batch(at) = src
    batch(at + 1) = dst
    batched += 1
  }

  override def insert(pane: Long, links: PaneForest): Unit = {
    flush()
    if (pane < first || pane > newestEdge) admit(pane)
    ForestFeed.feed(links, feedOf(pane))
    settle(links.size)
  }

  override def closePane(pane: Long): Unit = {
    require(pane >= closedPane, s"pane $pane is before pane $closedPane, which is closed")
    flush()
    closedPane = pane
    if (pane > newest) advance(pane)
  }

  override def connected(windowStart: Long, source: Long, target: Long): Boolean = {
    flush()
    requireHeld(windowStart)
    val p = windowStart.toInt
    val s = forest.vertices.find(source)
    val t = forest.vertices.find(target)
    windowStart <= newestEdge && s != 0 && t != 0 && seenOf(s) - p >= 0 && seenOf(t) - p >= 0 &&
    forest.links.climb(nodeOf(s), p) == forest.links.climb(nodeOf(t), p)
  }

  override def components(windowStart: Long)(visit: (Long, Long) => Unit): Unit = {
    flush()
    requireHeld(windowStart)
    if (windowStart <= newestEdge) {
      val links = forest.links
      val p = windowStart.toInt
      val smallest = new Array[Long](links.top)
      Arrays.fill(smallest, Long.MaxValue)
      forest.vertices.foreach(p) { (id, node, _) =>
        val root = links.climb(node, p)
        smallest(root) = math.min(smallest(root), id)
      }
      forest.vertices.foreach(p)((id, node, _) => visit(id, smallest(links.climb(node, p))))
    }
  }

  override def vertices(visit: Long => Unit): Unit = {
    flush()
    if (first <= newestEdge) forest.vertices.foreach(forest.floor)((id, _, _) => visit(id))
  }

  override def save(out: BinaryWriter): IndexSize = {
    flush()
    RecencyState.save(out, closedPane, newest, newestEdge, forest)
  }

  /** Inserts the edges that wait. */
  private def flush(): Unit =
    if (batched > 0) {
      val count = batched
      batched = 0
      // Graphs of a few edges stay small.
      if (2 * count == batch.length && count < RecencyIndex.Batch) growBatch()
      val p = batchPane.toInt
      val isNewest = batchPane == newestEdge
      forest.enterAll(batch, 0, 2 * count, p, isNewest, numbers)
      if (copy != null) {
        copy.enterAll(batch, 0, 2 * count, p, isNewest, numbers)
        copy.joinAll(numbers, 2 * count, p)
      }
      forest.joinAll(numbers, 2 * count, p)
      settle(count)
    }

  private def feedOf(pane: Long): ForestFeed = new ForestFeed {
    private val p = pane.toInt
    private val isNewest = pane == newestEdge

    override def enterAll(ids: Array[Long], from: Int, count: Int, numbers: Array[Int]): Unit = {
      forest.enterAll(ids, from, count, p, isNewest, numbers)
      if (copy != null) copy.enterAll(ids, from, count, p, isNewest, numbers)
    }

    override def joinAll(numbers: Array[Int], ends: Int): Unit = {
      if (copy != null) copy.joinLinks(numbers, ends, p)
      forest.joinLinks(numbers, ends, p)
    }
  }

  /** What so many edges pay for. */
  private def settle(edges: Int): Unit = {
    forest.sweepAsPaid(edges)
    watch.pass(edges)
    if (copy == null) startCopyIfWorthwhile()
    else {
      copy.to.sweepAsPaid(edges)
      copy.advance(edges)
      endCopyIfComplete()
    }
  }

  /** What panes pay for that are so large a part of a window: what their edges have not. That is when they are over, since
    * a window may begin with hardly a vertex.
    */
  private def settlePanes(part: Double): Unit = {
    forest.vertices.sweepPart(part)
    if (copy == null) startCopyIfWorthwhile()
    else {
      copy.advancePart(part)
      endCopyIfComplete()
    }
  }

  private def endCopyIfComplete(): Unit = if (copy.isComplete) {
    forest = copy.to
    copy = null
    watch.waitLong(forest.vertices.added, forest.vertices.size)
  }

  private def growBatch(): Unit = {
    batch = Arrays.copyOf(batch, math.max(16, batch.length * 2))
    numbers = new Array[Int](batch.length)
  }

  private def requireHeld(windowStart: Long): Unit =
    require(
      windowStart >= first,
      s"a window from pane $windowStart is no longer held; the first that is starts at pane $first"
    )

  /** Makes way for an edge of a pane newer than all edges, and refuses one of a pane no longer held. */
  private def admit(pane: Long): Unit = {
    if (pane > newest) advance(pane)
    require(
      pane >= first,
      s"pane $pane is no longer held; the first that is, for windows of $perWindow panes up to pane $newest, is $first"
    )
    newestEdge = math.max(newestEdge, pane)
  }

  private def advance(pane: Long): Unit = {
    val before = newest
    newest = pane
    first = Panes.firstOf(perWindow, pane)
    // Negative if it is beyond 64 bits.
    val moved = first - sweptFirst
    val isInReach = moved >= 0 && moved < RecencyIndex.Reach
    val isOver = first > newestEdge && (forest.vertices.range.isEmpty || !isInReach)
    if (!isOver) settlePanes(PaidSweep.partOf(perWindow, before, pane))
    else {
      // Nothing is left, however long the gap: that is cheaper to forget than to sweep. A range needs no sweep.
      if (forest.links.top > 0) forest = new RecencyForest(forest.keys)
      copy = null
      begin = pane
      watch.restart()
      sweptFirst = first
    }
    watch.filled = Panes.partOf(perWindow, begin, newest)
    setFloor(forest)
    if (copy != null) setFloor(copy.to)
    if (sweptFirst != first && !isInReach) {
      forest.sweepAll()
      if (copy != null) copy.to.sweepAll()
      sweptFirst = first
    }
  }

  private def setFloor(forest: RecencyForest): Unit = forest.floor = first.toInt

  private def startCopyIfWorthwhile(): Unit = {
    val vertices = forest.vertices
    if (forest.links.top >= smallestSparse && vertices.isSparse(watch.isFull)) startCopy(bestRange)
    else if (watch.isDue(vertices.added, vertices.outside)) {
      watch.waitAWhile(vertices.added, vertices.size)
      val range = bestRange
      if (!range.isEmpty) startCopy(range)
    }
  }

  private def bestRange: IdRange = forest.vertices.bestRange(watch)

  private def startCopy(range: IdRange): Unit = {
    val next = new RecencyForest(forest.keys, range)
    setFloor(next)
    copy = new ForestCopy(forest, next)
  }
}

object RecencyIndex {

  /** Its name in the public API. */
  val Name: String = "recency"

  /** The index that [[RecencyIndex.save]] wrote, in expected time O(vertices × log vertices). */
  def restore(perWindow: Int, in: BinaryReader): RecencyIndex =
    restore(perWindow, in, IdSample.SmallestRanged)

  /** @param smallestRanged vertices below which no range is looked for */
  private[recency] def restore(perWindow: Int, in: BinaryReader, smallestRanged: Int): RecencyIndex = {
    val saved = RecencyState.restore(perWindow, in, smallestRanged)
    val index = new RecencyIndex(perWindow, saved.forest)
    index.closedPane = saved.closedPane
    index.newest = saved.newest
    index.newestEdge = saved.newestEdge
    index.first = Panes.firstOf(perWindow, saved.newest)
    index.sweptFirst = index.first
    index
  }

  /** Edges that wait for one another, to look their vertices up together; see [[RecencyForest.enterAll]]. */
  private final val Batch = 128

  /** Fewer would not be worth the trouble: their links take 128 KiB. */
  private final val SmallestSparse = 1 << 14

  /** Panes that the window may move on before everything expired is swept at once, so that 32 bits tell panes apart. */
  private final val Reach = 1L << 30
}
