package io.github.sparkbic.operator.question

import io.github.sparkbic.index.contract.{ConnectedVertices, PaneInput, Panes}
import io.github.sparkbic.index.recency.RecencyIndex
import io.github.sparkbic.operator.block.VertexIds
import io.github.sparkbic.operator.state.{EmittedPair, EmittedVertices, KeptPart}

/** The windows of one graph of a stream that the watermark has not closed, for questions whose rows may come early.
  *
  * The edges that wait for the watermark go, pane by pane in time order, into a copy of the index. After a pane, the copy
  * answers the windows that end after this pane and at or before the next pane with an edge. No later edge is in them,
  * and the windows differ only in their starts. Before the first pane, the copy answers the open windows of closed panes. So one answer, the latest start from which on edges connect a pair,
  * serves all of these windows.
  *
  * The naive version builds an index for each open window. Cost here: a copy of the index, and each waiting edge once in
  * every micro-batch that brings edges.
  *
  * @param firstOpen the first pane that is not closed
  * @param ahead   a copy of the index of closed panes, which takes in the panes ahead of the watermark
  * @param waiting the edges that wait, by rising pane
  * @param changed the first pane that brings news: all rows of the windows that end before this pane have come
  * @param kept    the rows that have come
  */
private[sparkbic] final class OpenWindows(
    panes: Panes,
    val ids: VertexIds,
    firstOpen: Long,
    ahead: RecencyIndex,
    waiting: Iterator[PaneInput],
    changed: Long,
    kept: KeptPart
) {
  private val inputs = waiting.buffered
  private val lengths = panes.perWindows.toArray

  /** The rows of vertices that have come. */
  def emittedVertices: EmittedVertices = kept.ofVertices

  // The pane fed last, at first an open one without edges; and the next pane with an edge, at first unknown.
  private var fed = firstOpen
  private var next = Long.MinValue

  /** Feeds the next pane, and goes to the windows that it completes so far; false if there are no more. */
  def advance(): Boolean = {
    var isFound = false
    while (!isFound && (next == Long.MinValue || inputs.hasNext)) {
      if (next != Long.MinValue) {
        fed = inputs.head.pane
        while (inputs.hasNext && inputs.head.pane == fed) ahead.insert(fed, inputs.next().edges)
      }
      next = if (inputs.hasNext) inputs.head.pane else Long.MaxValue
      isFound = next > changed && panes.perWindows.exists(length => firstWindow(length) <= lastWindow(length))
    }
    isFound
  }

  /** The first window of so many panes that ends after the pane fed last. */
  private def firstWindow(length: Int): Long = panes.firstWindowWith(fed, length)

  /** The last window with the pane fed last that ends at or before the next pane with an edge. */
  private def lastWindow(length: Int): Long = panes.lastWindowBy(math.min(fed, next - length))

  /** The latest pane from which on edges connect both vertices; [[RecencyIndex.Never]] if none do. */
  def connectedSince(source: Long, target: Long): Long = ahead.connectedSince(source, target)

  /** The vertices that the edges of the copy connect to a marked vertex. */
  def connectedTo(marked: Array[Long]): ConnectedVertices = ahead.connectedTo(marked)

  /** The first and the last of the windows of so many panes that the copy answers now. */
  def span(length: Int): (Long, Long) = (firstWindow(length), lastWindow(length))

  /** Panes in a window of each length. */
  def perWindows: Seq[Int] = panes.perWindows

  def perSlide: Int = panes.perSlide

  /** Whether the rows of a pair have come for all windows that the copy answers now.
    * @param repeat how often the pair came before in the queries
    */
  def areEmitted(source: Long, target: Long, repeat: Int): Boolean = {
    val pair = EmittedPair(source, target, repeat)
    lengths.forall(length => kept.ofPairs.contains(pair, length, firstWindow(length), lastWindow(length)))
  }

  /** Marks the rows of a pair as emitted for the windows that start at or before `since`. The result has the start and end
    * of each window whose row had not been emitted.
    */
  def emit(source: Long, target: Long, repeat: Int, since: Long): Iterator[(Long, Long)] =
    if (since == RecencyIndex.Never) Iterator.empty
    else panes.perWindows.iterator.flatMap { length =>
      val last = math.min(panes.lastWindowBy(since), lastWindow(length))
      kept.ofPairs.emit(EmittedPair(source, target, repeat), length, firstWindow(length), last)
        .map(start => start -> (start + length))
    }

  /** The time at which a pane starts, in microseconds. */
  def timeOf(pane: Long): Long = panes.timeOf(pane)
}
