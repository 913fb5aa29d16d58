package io.github.sparkbic.index

import scala.collection.BufferedIterator

/** A part, or all, of the edges of one pane; the forest is made when the block's turn comes. */
final class PaneBlock(val pane: Long, makeForest: => PaneForest) {
  def forest: PaneForest = makeForest
}

/** Leads an index through the windows of a stream: feeds it panes in time order and stops at each window that is
  * complete and holds at least one edge.
  *
  * The same code serves a batch, where all blocks are there and all windows complete, and a stream, where both end at a
  * horizon that moves. A gap of any length costs nothing: the cursor jumps to the first window with the next block.
  *
  * @param next   the window to come, meaningful while the cursor is live
  * @param newest the last pane fed to the index; `Long.MinValue` before the first
  */
final class WindowCursor(
    panes: Panes,
    val index: ConnectivityIndex,
    private var next: Long = Long.MinValue,
    private var newest: Long = Long.MinValue
) {
  private var at = Long.MinValue

  /** The window that the last successful [[advance]] stopped at. */
  def window: Long = at

  /** The first window that has not been answered. */
  def nextWindow: Long = next

  def newestPane: Long = newest

  /** Whether an edge already fed is part of a window to come. */
  def isLive: Boolean = newest != Long.MinValue && newest >= next

  /** Goes to the next window, which the index then answers; false if none is complete.
    *
    * @param blocks  blocks not fed yet, by rising pane; those needed are consumed
    * @param horizon the first pane that is not closed: blocks from there on stay, and a window is complete when it ends
    *                at or before it
    */
  def advance(blocks: BufferedIterator[PaneBlock], horizon: Long): Boolean = {
    if (!isLive && blocks.hasNext && blocks.head.pane < horizon)
      next = panes.firstWindowWith(blocks.head.pane)
    if (!isLive && !(blocks.hasNext && blocks.head.pane < horizon)) false
    else {
      val end = next + panes.perWindow
      val stop = math.min(end, horizon)
      while (blocks.hasNext && blocks.head.pane < stop) {
        val block = blocks.next()
        index.insert(block.pane, block.forest)
        newest = block.pane
      }
      index.closePane(stop - 1)
      if (end > horizon) false
      else {
        at = next
        next += panes.perSlide
        true
      }
    }
  }
}
