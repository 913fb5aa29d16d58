package io.github.sparkbic.operator.state

import io.github.sparkbic.index.Indexes
import io.github.sparkbic.index.contract.{ConnectivityIndex, IndexSize, PaneInput, WindowCursor}
import io.github.sparkbic.operator.block.{PackedBlock, VertexIds}

/** What a graph holds beside its index and its counts.
  * @param kept component names are known once the index has been read
  */
private[state] final class GraphContents(val ids: VertexIds, val pending: PendingPanes, var kept: KeptPart)

/** One graph of a streaming query. Either layout of the state ([[ValueGraph]], [[PaneGraph]]) only says how the graph is
  * read and written.
  *
  * Edges wait in [[pending]] until their pane closes, and then go into the index. The index is read when a pane closes or a
  * window is due, and stays alive with the graph.
  *
  * @param savedFed    the first pane that was not closed when the graph was saved; `Long.MinValue` at first
  * @param savedNewest the newest pane in the index then; `Long.MinValue` if the index was empty
  */
private[operator] abstract class StreamedGraph(
    shape: StateShape,
    val counts: PaneCounts,
    private var savedFed: Long,
    private var savedNewest: Long
) {
  private var restored = Option.empty[WindowCursor]

  /** Whether the index may differ from its saved form. */
  protected var indexChanged = false

  protected def contents: GraphContents

  /** The index as it was saved, or a new one. */
  protected def readIndex(): ConnectivityIndex

  /** The first pane that waits, without reading more than was read before. */
  protected def firstPending: Option[Long]

  /** Adds a block of an open pane. */
  def add(block: PackedBlock): Unit

  /** Vertices and links in the index when it was saved. */
  def indexSize: IndexSize
  def pendingLinks: Long

  final def ids: VertexIds = contents.ids
  final def pending: PendingPanes = contents.pending
  final def kept: KeptPart = contents.kept
  final def keep(part: KeptPart): Unit = contents.kept = part

  /** The rows that have come before their window closes, where rows come early. */
  final def emitted: Option[EmittedWindows] =
    if (shape.kept == Kept.Emitted) Some(kept).collect { case rows: EmittedWindows => rows } else None

  /** Removes the pending edges before `horizon`, and gives them by rising pane. */
  def take(horizon: Long): Iterator[PaneInput] = pending.take(horizon)

  /** The cursor of a caller that feeds the index, which is therefore written again. */
  final def cursorToFeed(): WindowCursor = {
    indexChanged = true
    cursor
  }

  /** The index with the edges of all closed panes; the caller does not change it. */
  final def index: ConnectivityIndex = cursor.index

  private def cursor: WindowCursor = {
    if (restored.isEmpty) {
      val index = readIndex()
      restored =
        Some(new WindowCursor(shape.panes, index, shape.kept.comparesWindows, savedFed, savedNewest))
    }
    restored.get
  }

  protected final def newIndex: ConnectivityIndex =
    Indexes.create(shape.indexName, shape.panes, shape.indexConfig)

  /** All panes before this one are closed, and their edges are in the index. */
  final def fed: Long = restored.fold(savedFed)(_.fed)

  /** Whether panes have closed since the graph was saved. */
  protected final def hasMoved: Boolean = fed != savedFed

  /** The newest pane in the index; `Long.MinValue` if the index is empty. */
  protected final def newest: Long = restored.fold(savedNewest)(_.newestPane)

  /** The first window that has not been answered. */
  protected final def nextWindow: Long = WindowCursor.nextWindow(shape.panes, fed, shape.panes.perWindow)

  /** Whether an edge in the index is part of a window to come. */
  final def isLive: Boolean = WindowCursor.isLive(shape.panes, shape.kept.comparesWindows, fed, newest)

  /** The first pane after the next window that this graph will answer; None if no edge is left for any window. */
  final def nextEnd: Option[Long] =
    WindowCursor.nextEnd(shape.panes, shape.kept.comparesWindows, fed, newest, firstPending)

  /** Whether the index has work when all panes before `horizon` are closed. */
  final def isDue(horizon: Long): Boolean =
    firstPending.exists(_ < horizon) || nextEnd.exists(_ <= horizon)

  /** Before the graph is saved: forgets the index and the counts that no window to come uses. */
  protected final def forget(): Unit = {
    savedFed = fed
    savedNewest = newest
    // The names of the vertices of such an index are forgotten, so the index must go, too.
    if (restored.nonEmpty && !isLive) {
      restored = None
      if (shape.kept != Kept.Emitted) keep(KeptNames.none)
    }
    // Between windows that do not overlap nothing is live, but the next pane is mostly pending already.
    counts.forgetBefore(if (isLive) nextWindow else firstPending.getOrElse(Long.MaxValue))
  }

  /** Visits the vertices that must keep their ids. */
  protected final def vertices(visit: Long => Unit): Unit = {
    restored.foreach(_.index.vertices(visit))
    pending.vertices(visit)
    kept.foreachId(visit)
  }
}
