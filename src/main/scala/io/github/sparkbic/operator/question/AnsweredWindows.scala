package io.github.sparkbic.operator.question

import scala.collection.BufferedIterator

import io.github.sparkbic.index.contract.{ConnectivityIndex, PaneInput, WindowComponents, WindowCursor}
import io.github.sparkbic.operator.block.VertexIds
import io.github.sparkbic.operator.state.{PaneCounts, StateShape}

/** The windows of one graph, one after the other. A question sees the window at which the last [[advance]] stopped.
  *
  * Where windows are compared, the components of a window stay in memory for the next window. Where these components
  * are not in memory, the index enumerates them before it is fed a later pane. So the state holds no components.
  */
private[sparkbic] final class AnsweredWindows(
    shape: StateShape,
    cursor: WindowCursor,
    val ids: VertexIds,
    counts: PaneCounts
) {
  private val none = new ComponentTable(WindowComponents.Empty, ids)
  private var before = none
  private var latest = none
  private var latestStart = Long.MinValue

  /** Goes to the next complete window; false if there is none. See [[WindowCursor.advance]]. */
  def advance(input: BufferedIterator[PaneInput], horizon: Long): Boolean = {
    val slide = shape.panes.perSlide
    if (shape.comparesWindows && cursor.isLive && latestStart != cursor.nextWindow - slide) {
      latestStart = cursor.nextWindow - slide
      latest = componentsFrom(latestStart).keep
    }
    val hasNext = cursor.advance(input, horizon)
    if (hasNext && shape.comparesWindows) {
      before = if (latestStart == start - slide) latest else none
      latest = if (hasEdges) componentsFrom(start).keep else none
      latestStart = start
    }
    hasNext
  }

  def index: ConnectivityIndex = cursor.index

  /** The first pane of the window. */
  def start: Long = cursor.window

  /** The pane after the window. */
  def end: Long = cursor.windowEnd

  /** Whether the window has an edge; a window without edges is seen only by a question that compares windows. */
  def hasEdges: Boolean = cursor.hasEdges

  /** The number of edges of the window, where a repeated edge counts each time; O(panes with edges). */
  def edges: Long = counts.between(start, end)

  /** The components of the window; O(vertices), unless windows are compared. */
  def components: ComponentTable = if (shape.comparesWindows) latest else componentsFrom(start)

  /** The components of the window one slide before, where windows are compared. */
  def previous: ComponentTable = before

  private def componentsFrom(start: Long) = new ComponentTable(index.components(start), ids)
}
