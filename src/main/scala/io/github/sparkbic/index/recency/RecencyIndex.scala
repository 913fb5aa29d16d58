package io.github.sparkbic.index.recency

import io.github.sparkbic.index.contract.IndexConfig
import io.github.sparkbic.index.forests.{NumberedIndex, SavedForest}

/** Connectivity of every window that ends now, from one forest of the most recent links.
  *
  * An edge may be inserted into any pane held, in any order, whether the pane is closed or not. A window may start at any
  * pane held, and has all edges from this pane on, so windows of several lengths share one index.
  *
  * Cost: expected O(log n) for an edge and for a question, where n vertices are held. In practice paths have a few
  * links, and most of the time is cache misses of the vertex look-ups. Memory: 8 bytes a number for its link, beside the
  * vertex numbers. No edge is stored.
  *
  * Prior work on forests of recent edges: M. S. Crouch, A. McGregor, D. Stubbs, "Dynamic graphs in the sliding-window
  * model", ESA 2013; D. Anderson, G. Blelloch, K. Tangwongsan, arXiv 2002.05710; C. Zhang, A. Bonifati, M. T. Özsu,
  * arXiv 2410.00884 (OMST); Q. Ding, Y. Gu, Y. Sun, arXiv 2504.04619 (AM-tree).
  */
final class RecencyIndex(perWindow: Int, config: IndexConfig = IndexConfig())
    extends NumberedIndex(perWindow, config)
    with Cloneable {
  import RecencyIndex.Never

  private[recency] var links = new RecencyLinks(config)

  override protected def requireOpen(pane: Long): Unit =
    require(
      pane >= firstHeld,
      s"pane $pane is no longer held; the first pane held, for $perWindow panes up to pane $newest, " +
        s"is $firstHeld"
    )

  override protected def reserve(length: Int): Unit = links.reserve(length)

  override protected def joinEdges(numbers: Array[Int], count: Int, pane: Long): Unit =
    links.joinAll(numbers, count, pane.toInt)

  override protected def clear(): Unit = {
    links = new RecencyLinks(config)
    links.firstPane = firstHeld.toInt
  }

  override protected def advanced(): Unit = links.firstPane = firstHeld.toInt

  override def connected(windowStart: Long, source: Long, target: Long): Boolean = {
    requireWindow(windowStart)
    val s = vertices.find(source, windowStart.toInt)
    val t = vertices.find(target, windowStart.toInt)
    s > 0 && t > 0 && links.find(s, windowStart.toInt) == links.find(t, windowStart.toInt)
  }

  /** The latest pane from which on the edges inserted so far connect `source` and `target`; [[Never]] if no edges of the
    * panes held connect them. A vertex is connected to itself from the last pane on in which it occurs.
    */
  def connectedSince(source: Long, target: Long): Long = {
    val s = placeOf(source)
    val t = placeOf(target)
    if (s == 0 || t == 0) Never else placesConnectedSince(s, t)
  }

  /** [[connectedSince]] for the vertices at two places, which [[placeOf]] gives, and which are not 0. */
  def placesConnectedSince(source: Int, target: Int): Long = {
    val first = firstHeld.toInt
    val seenS = vertices.seen(source)
    val seenT = vertices.seen(target)
    val pane = links.oldestBetween(source, target, if (seenS - seenT < 0) seenS else seenT)
    if (pane - first < 0) Never else firstHeld + (pane - first)
  }

  /** The place of a vertex in the components of every window that ends with the pane closed last; 0 if none of these windows
    * holds the vertex. Valid until the index takes the next edge.
    */
  def placeOf(vertex: Long): Int = vertices.find(vertex, firstHeld.toInt)

  /** A copy that shares nothing with this index, in which vertices have the same numbers. Costs a copy of all arrays. */
  def copy: RecencyIndex = {
    val made = clone().asInstanceOf[RecencyIndex]
    made.vertices = vertices.copy
    made.links = links.copy
    made
  }

  private def requireWindow(windowStart: Long): Unit = require(
    windowStart >= firstHeld,
    s"a window from pane $windowStart is no longer held; the first pane held is $firstHeld"
  )

  override protected def parentsFrom(windowStart: Long): Array[Int] = {
    requireWindow(windowStart)
    links.parents(vertices.seenPanes, vertices.top, windowStart.toInt)
  }

  override protected def saved(closed: Long): SavedForest =
    new SavedForest(closed, firstHeld.toInt, vertices.top, vertices.ids, vertices.seenPanes, links.all)

  override protected def build(forest: SavedForest): Unit = links.joinLinks(forest)
}

object RecencyIndex {

  /** Its name in the public API. */
  val Name: String = "recency"

  /** Before every pane. */
  val Never: Long = Long.MinValue
}
