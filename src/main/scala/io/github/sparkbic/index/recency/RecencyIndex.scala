package io.github.sparkbic.index.recency

import java.util.Arrays
import java.util.concurrent.ThreadLocalRandom

import io.github.sparkbic.index.{BinaryReader, BinaryWriter, ConnectivityIndex, IndexSize, PaneForest, Panes}
import io.github.sparkbic.index.vertices.{ForestFeed, VertexDirectory, VertexKeys}

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
  * every eighth by which the vertices become more than ever before: see [[LinkStore]]. Memory: 8 to 9 bytes for the link
  * of a vertex, twice as many while that array is filled, 21 to 32 in the directory, and about a tenth more for vertices
  * that are dead, but not swept yet. No edge is stored.
  *
  * A vertex cannot change its number, which its rank hangs on. So when there are far fewer vertices than there were, the
  * memory of the others is given back by a ''successor'': a second forest, which gets the edges of the panes from the next
  * one on as the first does. When the window has moved past the panes that only the first one has, the second takes its
  * place. Nothing has to be moved, and nobody waits; edges cost twice as much for the length of a window.
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

  // The forest to come, or null, and the last pane of which it may lack edges.
  private var successor: RecencyForest = null
  private var lackingPane = Long.MinValue

  /** Numbers below which no memory is worth to be given back; to be changed by tests alone. */
  private[recency] var smallestSparse: Int = RecencyIndex.SmallestSparse

  // Edges that wait, all of one pane, as the keys of their ends; no room where only forests come.
  private var batch = Array.empty[Long]
  private var numbers = Array.empty[Int]
  private var batched = 0
  private var batchPane = Long.MinValue

  /** The first pane held: edges and windows may start there. */
  private[recency] def firstHeld: Long = first

  /** Vertices in the memory of the index, which is a few more than occur in the panes held. */
  private[recency] def storedVertices: Int = {
    flush()
    forest.directory.size
  }

  /** Numbers of vertices that have memory in the index, those out of use as well. */
  private[recency] def storedNumbers: Int =
    forest.links.top + (if (successor == null) 0 else successor.links.top)

  /** The first violation of an invariant, if there is one; O(vertices). */
  private[recency] def validate(): Option[String] = {
    flush()
    RecencyState.validate(forest).orElse(Option(successor).flatMap(RecencyState.validate))
  }

  override def insert(pane: Long, src: Long, dst: Long): Unit = {
    if (batched == 0 || pane != batchPane || 2 * batched == batch.length) {
      flush()
      if (pane < first || pane > newestEdge) admit(pane)
      batchPane = pane
      if (batch.length == 0) growBatch()
    }
    val at = 2 * batched
    batch(at) = forest.keys.keyOf(src)
    batch(at + 1) = forest.keys.keyOf(dst)
    batched += 1
  }

  override def insert(pane: Long, links: PaneForest): Unit = {
    flush()
    if (pane < first || pane > newestEdge) admit(pane)
    insertForest(forest, pane, links)
    if (successor != null) insertForest(successor, pane, links)
    else startSuccessorIfSparse()
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
    val s = forest.find(source)
    val t = forest.find(target)
    windowStart <= newestEdge && s != 0 && t != 0 && seenOf(s) - p >= 0 && seenOf(t) - p >= 0 &&
    forest.links.climb(nodeOf(s), p) == forest.links.climb(nodeOf(t), p)
  }

  override def components(windowStart: Long)(visit: (Long, Long) => Unit): Unit = {
    flush()
    requireHeld(windowStart)
    if (windowStart <= newestEdge) {
      val keys = forest.keys
      val links = forest.links
      val p = windowStart.toInt
      val smallest = new Array[Long](links.top)
      Arrays.fill(smallest, Long.MaxValue)
      forest.directory.foreach { (key, node, seen) =>
        if (seen - p >= 0) {
          val root = links.climb(node, p)
          smallest(root) = math.min(smallest(root), keys.idOf(key))
        }
      }
      forest.directory.foreach { (key, node, seen) =>
        if (seen - p >= 0) visit(keys.idOf(key), smallest(links.climb(node, p)))
      }
    }
  }

  override def vertices(visit: Long => Unit): Unit = {
    flush()
    val floor = forest.floor
    if (first <= newestEdge)
      forest.directory.foreach((key, _, seen) => if (seen - floor >= 0) visit(forest.keys.idOf(key)))
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
      insertBatch(forest, count)
      if (successor != null) insertBatch(successor, count)
      else startSuccessorIfSparse()
    }

  private def insertBatch(forest: RecencyForest, count: Int): Unit = {
    val p = batchPane.toInt
    forest.sweepAsPaid(count)
    forest.enterAll(batch, 2 * count, p, batchPane == newestEdge, numbers)
    forest.joinAll(numbers, 2 * count, p)
  }

  private def insertForest(forest: RecencyForest, pane: Long, links: PaneForest): Unit = {
    ForestFeed.feed(links, forest.keys, feedOf(forest, pane))
    forest.sweepAsPaid(links.size)
  }

  private def feedOf(forest: RecencyForest, pane: Long): ForestFeed = new ForestFeed {
    override def enterAll(vertexKeys: Array[Long], count: Int, numbers: Array[Int]): Unit =
      forest.enterAll(vertexKeys, count, pane.toInt, pane == newestEdge, numbers)

    override def joinAll(numbers: Array[Int], ends: Int): Unit = forest.joinLinks(numbers, ends, pane.toInt)
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
    newest = pane
    first = Panes.firstOf(perWindow, pane)
    if (first > newestEdge) {
      // Nothing is left, however long the gap: that is cheaper to forget than to sweep.
      if (forest.links.top > 0) forest = new RecencyForest(forest.keys)
      successor = null
      sweptFirst = first
    } else if (successor != null && first > lackingPane) {
      forest = successor
      successor = null
    }
    setFloor(forest)
    if (successor != null) setFloor(successor)
    if (first - sweptFirst >= RecencyIndex.Reach) {
      forest.sweepAll()
      if (successor != null) successor.sweepAll()
      sweptFirst = first
    }
  }

  private def setFloor(forest: RecencyForest): Unit = forest.floor = first.toInt

  private def startSuccessorIfSparse(): Unit =
    if (forest.links.top >= smallestSparse && forest.isSparse) {
      successor = new RecencyForest(forest.keys)
      setFloor(successor)
      lackingPane = newestEdge
    }
}

object RecencyIndex {

  /** Its name in the public API. */
  val Name: String = "recency"

  /** The index that [[RecencyIndex.save]] wrote, in expected time O(vertices × log vertices). */
  def restore(perWindow: Int, in: BinaryReader): RecencyIndex = {
    val saved = RecencyState.restore(perWindow, in)
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
