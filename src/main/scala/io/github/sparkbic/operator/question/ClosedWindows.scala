package io.github.sparkbic.operator.question

import scala.collection.BufferedIterator

import io.github.sparkbic.index.contract._
import io.github.sparkbic.index.recency.RecencyIndex
import io.github.sparkbic.operator.block.VertexIds
import io.github.sparkbic.operator.state._

/** The windows of one graph that have closed, one after the other. A question sees the window at which the last
  * [[advance]] stopped. [[OpenWindows]] are those of early answers.
  *
  * Where windows are compared, the components of a window stay in memory for the next window. Where these components
  * are not in memory, the index enumerates them before it is fed a later pane. So the state holds no components. The
  * state does hold stable names, which follow from all windows before.
  *
  * @param kept what is kept beside the windows: a [[io.github.sparkbic.index.format.CorruptStateException]] says that
  *   names are not those of the components of the window answered last
  * @param haveCome whether all rows that may come early have come: those that need no `false` and no null
  */
private[sparkbic] final class ClosedWindows(
    shape: StateShape,
    cursor: WindowCursor,
    val ids: VertexIds,
    counts: PaneCounts,
    kept: KeptPart,
    val haveCome: Boolean
) {
  val panes: Panes = shape.panes
  private val compares = shape.kept.comparesComponents
  private var before, latest = new ComponentTable(WindowComponents.Empty, ids)
  private var sharedByBoth: SharedVertices = _
  private var connected = ConnectedVertices.Empty
  private var endConnected = Long.MinValue

  if (compares && cursor.isLive) {
    latest = componentsFrom(cursor.nextWindow - panes.perSlide).keep
    kept match {
      case names: KeptNames if shape.kept.hasNames => latest.restoreNames(names)
      case _                                       =>
    }
  }

  /** Goes to the next complete window; false if there is none. See [[WindowCursor.advance]]. */
  def advance(input: BufferedIterator[(Long, EdgeSet)], horizon: Long): Boolean = {
    val hasNext = cursor.advance(input, horizon)
    if (hasNext && compares) {
      // The last stop was one slide before, or at a window without an edge, which has no component.
      before = latest
      latest = componentsFrom(start).keep
      sharedByBoth = new SharedVertices(before.found, latest.found)
      if (shape.kept.hasNames) latest.takeNames(before, sharedByBoth, end)
    }
    hasNext
  }

  /** The latest pane from which on edges connect both vertices, or any earlier pane of the window unless `exactly`;
    * [[RecencyIndex.Never]] if they are not connected in the window.
    */
  def connectedSince(source: Long, target: Long, exactly: Boolean): Long = cursor.index match {
    case index: RecencyIndex if exactly => index.connectedSince(source, target)
    case index => if (index.connected(start, source, target)) start else RecencyIndex.Never
  }

  /** The vertices that are connected to a marked vertex in windows that end with this window: windows of all lengths share
    * one pass. See [[io.github.sparkbic.index.contract.ConnectivityIndex.connectedTo]].
    */
  def connectedTo(marked: => Array[Long]): ConnectedVertices = {
    if (endConnected != end) connected = cursor.index.connectedTo(marked)
    endConnected = end
    connected
  }

  /** The window one slide before the next window, where windows are compared, and what [[connectedTo]] gives for it. */
  def connectedBefore(marked: => Array[Long]): Option[(Long, ConnectedVertices)] =
    if (!shape.kept.comparesWindows || !cursor.isLive) None
    else Some((cursor.nextWindow - panes.perSlide, cursor.index.connectedTo(marked)))

  /** The first pane of the window, and the pane after it. */
  def start: Long = cursor.window
  def end: Long = cursor.windowEnd

  /** Whether the window has an edge; a window without edges is seen only by a question that compares windows. */
  def hasEdges: Boolean = cursor.hasEdges

  /** The number of edges of the window, where a repeated edge counts each time; O(panes with edges). */
  def edges: Long = counts.between(start, end)

  /** The components of the window; O(vertices), unless windows are compared. Names are stable if the state keeps names. */
  def components: ComponentTable = if (compares) latest else componentsFrom(start)

  /** Where windows are compared: the components of the window one slide before, and what both windows share. */
  def previous: ComponentTable = before
  def shared: SharedVertices = sharedByBoth

  /** The rows that have come, where these are kept. */
  def rows: EmittedRows = kept.emitted

  /** Visits the vertices that are kept beside the index, which need not be in a window any more. */
  def verticesKept(visit: Long => Unit): Unit =
    if (shape.kept.hasNames) latest.names.foreach(visit) else kept.foreachId(visit)

  /** The stable names for the next micro-batch. */
  def namesToKeep: KeptNames = KeptNames(latest.smallest, latest.names, latest.births)

  private def componentsFrom(start: Long) = new ComponentTable(cursor.index.components(start), ids)
}
