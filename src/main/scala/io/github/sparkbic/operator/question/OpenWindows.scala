package io.github.sparkbic.operator.question

import io.github.sparkbic.index.contract.{EdgeSet, Panes}
import io.github.sparkbic.index.recency.RecencyIndex
import io.github.sparkbic.operator.block.VertexIds
import io.github.sparkbic.operator.state.EmittedRows

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
  * @param rows    the rows that have come
  */
private[sparkbic] final class OpenWindows(
    val panes: Panes,
    val ids: VertexIds,
    firstOpen: Long,
    val index: RecencyIndex,
    waiting: Iterator[(Long, EdgeSet)],
    changed: Long,
    val rows: EmittedRows
) {

  /** Feeds pane after pane, and gives the windows that the copy answers then: by length in panes, the first and the last. */
  def spans: Iterator[Seq[(Int, Long, Long)]] = {
    val inputs = waiting.buffered
    def feedNext(): Long = {
      val pane = inputs.head._1
      while (inputs.hasNext && inputs.head._1 == pane) index.insert(pane, inputs.next()._2)
      pane
    }
    val fed =
      Iterator.single(firstOpen) ++ Iterator.continually(inputs).takeWhile(_.hasNext).map(_ => feedNext())
    fed.map { pane =>
      val next = inputs.headOption.fold(Long.MaxValue)(_._1)
      val ofLengths = panes.perWindows.map { length =>
        (length, panes.firstWindowWith(pane, length), panes.lastWindowBy(math.min(pane, next - length)))
      }
      ofLengths.filter { case (_, first, last) => next > changed && first <= last }
    }.filter(_.nonEmpty)
  }
}
