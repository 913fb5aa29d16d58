package io.github.sparkbic.operator.question

import io.github.sparkbic.index.contract.{PaneInput, Panes}
import io.github.sparkbic.index.recency.RecencyIndex
import io.github.sparkbic.operator.block.VertexIds
import io.github.sparkbic.operator.state.KeptPart

/** The windows of one graph of a stream that the watermark has not closed, for questions whose rows may come early.
  *
  * The edges that wait for the watermark go, pane by pane in time order, into a copy of the index. After a pane, the copy
  * answers the windows that end after this pane and at or before the next pane with an edge. No later edge is in them,
  * and the windows differ only in their starts. Before the first pane, the copy answers the open windows of closed panes. So
  * one answer, the latest start from which on edges connect a pair, serves all of these windows.
  *
  * The naive version builds an index for each open window. Cost here: a copy of the index, and each waiting edge once in
  * every micro-batch that brings edges.
  *
  * @param firstOpen the first pane that is not closed
  * @param index   a copy of the index of closed panes, which takes in the panes ahead of the watermark
  * @param waiting the edges that wait, by rising pane
  * @param changed the first pane that brings news: all rows of the windows that end before this pane have come
  * @param kept    the rows that have come
  */
private[sparkbic] final class OpenWindows(
    val panes: Panes,
    val ids: VertexIds,
    firstOpen: Long,
    val index: RecencyIndex,
    waiting: Iterator[PaneInput],
    changed: Long,
    val kept: KeptPart
) {
  private val inputs = waiting.buffered

  // The pane fed last, at first an open one without edges; and the next pane with an edge, at first unknown.
  private var fed = firstOpen
  private var next = Long.MinValue

  /** Feeds the next pane, and goes to the windows that it completes so far; false if there are no more. */
  def advance(): Boolean = {
    var isFound = false
    while (!isFound && (next == Long.MinValue || inputs.hasNext)) {
      if (next != Long.MinValue) {
        fed = inputs.head.pane
        while (inputs.hasNext && inputs.head.pane == fed) index.insert(fed, inputs.next().edges)
      }
      next = if (inputs.hasNext) inputs.head.pane else Long.MaxValue
      isFound = next > changed && spans.exists { case (_, first, last) => first <= last }
    }
    isFound
  }

  /** The windows that the copy answers now: of each length in panes the first and the last. The first window of a length ends
    * after the pane fed last, and the last one at or before the next pane with an edge. There may be none of a length.
    */
  def spans: Seq[(Int, Long, Long)] = panes.perWindows.map { length =>
    (length, panes.firstWindowWith(fed, length), panes.lastWindowBy(math.min(fed, next - length)))
  }
}
