package io.github.sparkbic.index.contract

import scala.collection.BufferedIterator

/** Some or all edges of one pane, made by `makeEdges` when their turn comes. */
final class PaneInput(val pane: Long, makeEdges: => EdgeSet) {
  def edges: EdgeSet = makeEdges
}

/** Feeds panes to an index in time order, and stops at each window that is complete and holds at least one edge.
  *
  * In a batch all blocks are there and all windows are complete; in a stream blocks and windows end at a moving
  * horizon. A gap of any length costs nothing: the cursor jumps to the first window with the next block.
  *
  * Windows of several lengths come in the order of their ends, so no edge after a window's end is fed before this
  * window is answered. Once [[advance]] returns false, no window that ends by `fed` is left to answer. Then `fed`
  * determines the next window of every length.
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
  private var at = Long.MinValue
  private var atEnd = Long.MinValue

  /** The window that the last successful [[advance]] stopped at. */
  def window: Long = at

  /** The pane after that window. */
  def windowEnd: Long = atEnd

  /** Whether that window has an edge. */
  def hasEdges: Boolean = newest >= at

  /** The first (longest) window not answered yet; where windows are compared, the window before is also of use. */
  def nextWindow: Long = next(0)

  /** All panes before this pane are closed, and their edges fed; `Long.MinValue` at first. */
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
    val ends = lengths.indices.flatMap { i =>
      val start = if (isLive(i)) Some(next(i)) else firstPending.map(panes.firstWindowWith(_, lengths(i)))
      start.map(_ + lengths(i))
    }
    if (ends.isEmpty) None else Some(ends.min)
  }

  /** Feeds the blocks of panes before `pane`, and closes these panes: the index then answers for all windows that end with
    * them, whether they begin at a slide or not.
    */
  def feedUntil(pane: Long, blocks: BufferedIterator[PaneInput]): Unit = {
    feed(blocks, pane)
    lengths.indices.foreach(i => next(i) = panes.firstWindowWith(pane, lengths(i)))
  }

  /** Goes to the next window, which the index then answers; false if none is complete.
    *
    * @param blocks  blocks not fed yet, by rising pane; the blocks needed are consumed
    * @param horizon the first pane that is not closed: later blocks stay, and a window that ends by `horizon` is
    *   complete
    */
  def advance(blocks: BufferedIterator[PaneInput], horizon: Long): Boolean = {
    val more = blocks.hasNext && blocks.head.pane < horizon
    var chosen = -1
    var end = Long.MaxValue
    var i = 0
    while (i < lengths.length) {
      val live = isLive(i)
      if (!live && more) next(i) = panes.firstWindowWith(blocks.head.pane, lengths(i))
      if ((live || more) && next(i) + lengths(i) < end) {
        chosen = i
        end = next(i) + lengths(i)
      }
      i += 1
    }
    if (chosen < 0) false
    else {
      val stop = math.min(end, horizon)
      feed(blocks, stop)
      if (end > horizon) false
      else {
        at = next(chosen)
        atEnd = end
        next(chosen) += panes.perSlide
        true
      }
    }
  }

  private def feed(blocks: BufferedIterator[PaneInput], until: Long): Unit = {
    while (blocks.hasNext && blocks.head.pane < until) {
      val block = blocks.next()
      index.insert(block.pane, block.edges)
      newest = block.pane
    }
    index.closePane(until - 1)
    firstOpen = until
  }
}
