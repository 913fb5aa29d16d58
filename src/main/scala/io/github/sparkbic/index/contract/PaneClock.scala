package io.github.sparkbic.index.contract

/** Which panes an index holds: the last `perWindow` panes, up to the newest pane that was closed or had an edge.
  *
  * Indexes keep the low 32 bits of pane numbers and compare panes by their difference. The comparison is right while
  * panes are less than 2^31^ apart, so an index rewrites expired panes whenever the clock has advanced by `reach`
  * panes.
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

  private var rewritten = Long.MinValue
  private var reviewed = Long.MinValue

  /** Whether no edge held is left. */
  def isEmpty: Boolean = first > newestEdge

  /** Notes that `pane` was reached; returns the work of the index. */
  def advance(pane: Long): PaneClock.Move =
    if (pane <= newest) PaneClock.Nothing
    else {
      newest = pane
      first = Panes.firstOf(perWindow, pane)
      // A negative difference is an overflow.
      val moved = first - rewritten
      if (isEmpty) {
        rewritten = first
        reviewed = first
        PaneClock.Clear
      } else if (moved < 0 || moved >= reach) {
        rewritten = first
        PaneClock.Rewrite
      } else PaneClock.Nothing
    }

  /** Begins a review if a whole window has passed since the last one began; returns whether it has. */
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
    rewritten = other.rewritten
    reviewed = other.reviewed
  }

  /** Sets the clock of an index restored after `pane` was closed, whose newest edge is of `edge`. */
  def restore(pane: Long, edge: Long): Unit = {
    lastClosed = pane
    newest = pane
    newestEdge = edge
    first = Panes.firstOf(perWindow, pane)
    rewritten = first
    reviewed = first
  }
}

object PaneClock {

  /** The work of an index whose clock has moved: none; forget all, since no edge is left; or rewrite expired panes. */
  sealed trait Move
  case object Nothing extends Move
  case object Clear extends Move
  case object Rewrite extends Move
}
