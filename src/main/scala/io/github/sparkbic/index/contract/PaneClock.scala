package io.github.sparkbic.index.contract

/** Which panes an index holds: the last `perWindow` panes, up to the newest pane that was closed or had an edge.
  *
  * Indexes keep the low 32 bits of pane numbers and compare panes by their difference. The comparison is right while
  * panes are less than 2^31^ apart, so an index is rebuilt, without what has expired, whenever the clock has advanced by
  * `reach` panes.
  */
final class PaneClock(perWindow: Int, reach: Long) {

  /** The pane closed last; `Long.MinValue` before the first. */
  var lastClosed: Long = Long.MinValue

  /** The newest pane that was closed or had an edge. */
  var newest: Long = Long.MinValue

  /** The newest pane with an edge. */
  var newestEdge: Long = Long.MinValue

  /** The first pane held: edges and windows may start there. */
  var first: Long = Long.MinValue

  // The first pane held when the index was last rebuilt for its panes, and when the last review began.
  private var rebuilt = Long.MinValue
  private var reviewed = Long.MinValue

  /** Whether no edge held is left. */
  def isEmpty: Boolean = first > newestEdge

  /** Notes that `pane` was reached, which is newer than [[newest]]. */
  def advance(pane: Long): Unit = {
    newest = pane
    first = Panes.firstOf(perWindow, pane)
    if (isEmpty) {
      rebuilt = first
      reviewed = first
    }
  }

  /** Whether the index must be rebuilt before its panes are too far apart; if so, that is noted. */
  def beginRebuild(): Boolean = {
    val moved = first - rebuilt
    // A negative difference is an overflow.
    val isDue = moved < 0 || moved >= reach
    if (isDue) rebuilt = first
    isDue
  }

  /** Whether a whole window has passed since the last review began; if so, another one begins. */
  def beginReview(): Boolean = {
    val isDue = first - reviewed >= perWindow
    if (isDue) reviewed = first
    isDue
  }

  /** Sets the clock of an index that is copied from an index with the clock `other`. */
  def copyFrom(other: PaneClock): Unit = {
    lastClosed = other.lastClosed
    newest = other.newest
    newestEdge = other.newestEdge
    first = other.first
    rebuilt = other.rebuilt
    reviewed = other.reviewed
  }

  /** Sets the clock of an index restored after `pane` was closed, whose newest edge is of `edge`. */
  def restore(pane: Long, edge: Long): Unit = {
    lastClosed = pane
    newest = pane
    newestEdge = edge
    first = Panes.firstOf(perWindow, pane)
    rebuilt = first
    reviewed = first
  }
}
