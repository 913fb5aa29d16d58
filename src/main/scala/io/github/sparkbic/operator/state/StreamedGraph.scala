package io.github.sparkbic.operator.state

import io.github.sparkbic.index.Indexes
import io.github.sparkbic.index.contract.{ConnectivityIndex, IndexSize, PaneInput, WindowCursor}
import io.github.sparkbic.operator.block.{PackedBlock, VertexIds}

/** One graph of a streaming query. Either layout of the state ([[ValueGraph]], [[PaneGraph]]) only says how the graph is
  * read and written.
  *
  * Edges wait in [[pending]] until their pane closes, and then go into the index. The index is read when a pane closes or a
  * window is due, and stays alive with the graph.
  *
  * @param savedFed    the first pane that was not closed when the graph was saved; `Long.MinValue` at first
  * @param savedNewest the newest pane in the index then; `Long.MinValue` if the index was empty
  * @param nextCall    the time in milliseconds at which Spark is to call again, if that is known
  */
private[operator] abstract class StreamedGraph(
    shape: StateShape,
    val counts: PaneCounts,
    savedFed: Long,
    savedNewest: Long,
    protected var nextCall: Option[Long] = None
) {
  protected final var cursor: WindowCursor = newCursor(savedFed, savedNewest)
  private var isIndexRead = false

  /** Whether the index may differ from its saved form. */
  protected var indexChanged = false

  /** When the list was read by which all rows have come that come early; None since the graph was read. */
  final var readAt: Option[Long] = None

  /** The state, during a call of the operator. */
  private[state] var variables: GraphVariables = _

  // Component names are known once the index has been read.
  private var keptPart: KeptPart = KeptNames.none

  /** The edges that wait. What is [[kept]] is read with them. */
  def pending: PendingPanes

  /** The index as it was saved, or a new one. */
  protected def readIndex(): ConnectivityIndex

  /** Adds a block of an open pane. */
  def add(block: PackedBlock): Unit = counts.add(block.pane, block.edges)

  /** Gives the stamp of the graph ([[LiveGraphs]]), and writes what is beside the stamp. */
  private[state] def save(): Array[Byte]

  /** Removes what is beside the stamp. */
  private[state] def clear(): Unit

  /** The bytes of the state beside the stamp. */
  private[state] def bytesBeside: Long

  /** Vertices and links in the index when it was saved. */
  def indexSize: IndexSize
  def pendingLinks: Long

  final def ids: VertexIds = pending.ids

  final def kept: KeptPart = {
    if (shape.kept.hasValue) pending
    keptPart
  }

  /** The first pane whose edges wait: all edges from the first open pane on do. */
  private def firstPending: Option[Long] = counts.panesFrom(fed).find(_ => true)

  /** The events that wait. */
  final def waiting: WaitingEvents = kept match {
    case events: WaitingEvents => events
    case _                     => throw new IllegalStateException("no events are kept")
  }

  /** The number of events that wait. */
  final def waitingEvents: Long = if (shape.kept.hasEvents) waiting.size.toLong else 0

  final def keep(part: KeptPart): Unit = keptPart = part

  /** Removes the pending edges before `horizon`, and gives them by rising pane. */
  def take(horizon: Long): Iterator[PaneInput] = pending.take(horizon)

  /** The cursor of a caller that feeds the index, which is therefore written again. */
  final def cursorToFeed(): WindowCursor = {
    indexChanged = true
    index
    cursor
  }

  /** The index with the edges of all closed panes; the caller does not change it. */
  final def index: ConnectivityIndex = cursor.index

  private def newCursor(fed: Long, newest: Long) = {
    def read() = {
      isIndexRead = true
      readIndex()
    }
    new WindowCursor(shape.panes, read(), shape.kept.comparesWindows, fed, newest)
  }

  protected final def newIndex: ConnectivityIndex =
    Indexes.create(shape.indexName, shape.panes, shape.indexConfig)

  /** All panes before this one are closed, and their edges are in the index. */
  final def fed: Long = cursor.fed

  /** The newest pane in the index; `Long.MinValue` if the index is empty. */
  protected final def newest: Long = cursor.newestPane

  /** Whether an edge in the index is part of a window to come. */
  final def isLive: Boolean = cursor.isLive

  /** The first pane after the next window that this graph will answer; None if no edge is left for any window.
    *
    * Where events are asked about, the pane of the first event that waits; or, if no event comes, the pane from which on no
    * edge is of use.
    */
  final def nextEnd: Option[Long] =
    if (!shape.kept.hasEvents) cursor.nextEnd(firstPending)
    else {
      val lastEdge = counts.lastFrom(fed).orElse(if (isLive) Some(newest) else None)
      (waiting.first ++ lastEdge.map(_ + shape.panes.perWindow + 1)).reduceOption(_ min _)
    }

  /** Whether the index has work when all panes before `horizon` are closed. */
  final def isDue(horizon: Long): Boolean =
    firstPending.exists(_ < horizon) || nextEnd.exists(_ <= horizon)

  /** Has Spark call again when the watermark reaches `millis`, or not at all. */
  private[state] final def callAt(millis: Option[Long]): Unit = {
    variables.callAt(millis, nextCall)
    nextCall = millis
  }

  /** Before the graph is saved: forgets the index and the counts that no window to come uses. */
  protected final def forget(): Unit = {
    // The names of the vertices of such an index are forgotten, so the index must go, too.
    if (isIndexRead && !isLive) {
      isIndexRead = false
      cursor = newCursor(fed, newest)
      if (shape.kept.hasNames) keep(KeptNames.none)
    }
    // Between windows that do not overlap nothing is live, but the next pane is mostly pending already.
    counts.forgetBefore(if (isLive) cursor.nextWindow else firstPending.getOrElse(Long.MaxValue))
  }

  /** Visits the vertices that must keep their ids. */
  protected final def vertices(visit: Long => Unit): Unit = {
    if (isIndexRead) index.vertices(visit)
    pending.vertices(visit)
    kept.foreachId(visit)
  }
}
