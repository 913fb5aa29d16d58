package io.github.sparkbic.index.contract

import scala.collection.BufferedIterator

/** Feeds panes to an index in time order, and stops at each window that is complete and holds at least one edge.
  *
  * A gap of any length costs nothing: the cursor jumps to the first window with the next block.
  *
  * Windows of several lengths come in the order of their ends, so no edge after a window's end is fed before this
  * window is answered. Once [[advance]] returns false, `fed` determines the next window of every length.
  *
  * @param makeIndex makes or reads the index on first use
  * @param comparesWindows whether windows are compared with the window before: the first window without an edge after
  *   others is a stop then
  * @param firstOpen all panes before this pane are closed, and their edges fed; `Long.MinValue` at first
  * @param newest    the last pane fed to the index; `Long.MinValue` before the first
  */
final class WindowCursor(
    panes: Panes,
    makeIndex: => ConnectivityIndex,
    comparesWindows: Boolean = false,
    private var firstOpen: Long = Long.MinValue,
    private var newest: Long = Long.MinValue
) {
  lazy val index: ConnectivityIndex = makeIndex
  private val lengths = panes.perWindows.toArray
  // The window to come of each length.
  private val next: Array[Long] =
    lengths.map(n => if (firstOpen == Long.MinValue) firstOpen else panes.firstWindowWith(firstOpen, n))
  private var at, atEnd = Long.MinValue

  /** The window that the last successful [[advance]] stopped at, and the pane after it. */
  def window: Long = at
  def windowEnd: Long = atEnd

  /** Whether that window has an edge. */
  def hasEdges: Boolean = newest >= at

  /** The first (longest) window not answered yet; where windows are compared, the window before is also of use. */
  def nextWindow: Long = next(0)

  def fed: Long = firstOpen
  def newestPane: Long = newest

  /** Whether an edge already fed is in a window to come or, if windows are compared, in the window before. */
  def isLive: Boolean = isLive(0)

  private def isLive(i: Int): Boolean =
    newest != Long.MinValue && newest >= (if (comparesWindows) next(i) - panes.perSlide else next(i))

  /** The end of the window to come that ends first; None if no edge is in a window to come.
    * @param firstPending the first pane of the edges that have not been fed, if there are any
    */
  def nextEnd(firstPending: Option[Long]): Option[Long] = {
    val first = firstToEnd(firstPending)
    if (first < 0) None else Some(next(first) + lengths(first))
  }

  /** The length whose window to come ends first, by its place; -1 if no edge is in a window to come. */
  private def firstToEnd(firstPending: Option[Long]): Int = {
    var first = -1
    lengths.indices.foreach { i =>
      val live = isLive(i)
      // Windows before the first with a pending edge have none.
      if (!live) firstPending.foreach(pane => next(i) = panes.firstWindowWith(pane, lengths(i)))
      if (
        (live || firstPending.nonEmpty) && (first < 0 || next(i) + lengths(i) < next(first) + lengths(first))
      ) first = i
    }
    first
  }

  /** Feeds the blocks of panes before `pane`, and closes these panes: the index then answers for all windows that end with
    * them, whether they begin at a slide or not.
    */
  def feedUntil(pane: Long, blocks: BufferedIterator[(Long, EdgeSet)]): Unit = {
    feed(blocks, pane)
    lengths.indices.foreach(i => next(i) = panes.firstWindowWith(pane, lengths(i)))
  }

  /** Goes to the next window, which the index then answers; false if none is complete.
    *
    * @param blocks  panes, and edges of theirs not fed yet, by rising pane; the blocks needed are consumed
    * @param horizon the first pane that is not closed: later blocks stay, and a window that ends by then is complete
    */
  def advance(blocks: BufferedIterator[(Long, EdgeSet)], horizon: Long): Boolean = {
    val firstPending = blocks.headOption.map(_._1).filter(_ < horizon)
    val chosen = firstToEnd(firstPending)
    if (chosen < 0) false
    else {
      val end = next(chosen) + lengths(chosen)
      feed(blocks, math.min(end, horizon))
      if (end > horizon) false
      else {
        at = next(chosen)
        atEnd = end
        next(chosen) += panes.perSlide
        true
      }
    }
  }

  private def feed(blocks: BufferedIterator[(Long, EdgeSet)], until: Long): Unit = {
    while (blocks.hasNext && blocks.head._1 < until) {
      val (pane, edges) = blocks.next()
      index.insert(pane, edges)
      newest = pane
    }
    index.closePane(until - 1)
    firstOpen = until
  }
}
