package io.github.sparkbic.operator.question

import scala.collection.BufferedIterator

import io.github.sparkbic.index.contract.{ConnectivityIndex, PaneInput, WindowCursor}
import io.github.sparkbic.operator.block.VertexIds
import io.github.sparkbic.operator.state.{PaneCounts, StateShape}

/** A window that an index is ready to answer for.
  *
  * @param start    its first pane
  * @param end      the pane after it
  * @param hasEdges whether it has an edge; without one only a question that compares windows sees it
  * @param counts   the edges of its panes, among others
  * @param previous the components of the window one slide before, for a question that compares windows
  */
private[sparkbic] final class AnsweredWindow(
    val start: Long,
    val end: Long,
    val hasEdges: Boolean,
    val index: ConnectivityIndex,
    val ids: VertexIds,
    counts: PaneCounts,
    val previous: ComponentTable
) {

  /** Edges that came for it, repeated ones counted each time; O(panes with edges). */
  def edges: Long = counts.between(start, end)

  lazy val components: ComponentTable =
    if (hasEdges) ComponentTable(index, start, ids) else ComponentTable.empty(ids)
}

/** The windows of one graph, one after the other.
  *
  * Where windows are compared, the components of a window are kept for the next one while they are in memory, and else
  * are asked of the index before it is fed anything later. So they need no place in the state.
  */
private[operator] final class AnsweredWindows(
    shape: StateShape,
    cursor: WindowCursor,
    ids: VertexIds,
    counts: PaneCounts
) {
  private val none = ComponentTable.empty(ids)
  private var latest = none
  private var latestStart = Long.MinValue

  /** The next window that is complete, if there is one; see [[WindowCursor.advance]]. */
  def next(input: BufferedIterator[PaneInput], horizon: Long): Option[AnsweredWindow] = {
    val before = cursor.nextWindow - shape.panes.perSlide
    if (shape.comparesWindows && cursor.isLive && latestStart != before) {
      latest = ComponentTable(cursor.index, before, ids)
      latestStart = before
    }
    Option.when(cursor.advance(input, horizon)) {
      val (start, end) = (cursor.window, cursor.windowEnd)
      val previous = if (latestStart == start - shape.panes.perSlide) latest else none
      val window =
        new AnsweredWindow(
          start,
          end,
          cursor.hasEdges,
          cursor.index,
          ids,
          counts,
          previous
        )
      if (shape.comparesWindows) {
        latest = window.components
        latestStart = start
      }
      window
    }
  }
}
