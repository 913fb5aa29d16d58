package io.github.sparkbic.operator.state

import scala.collection.mutable

import io.github.sparkbic.index.Indexes
import io.github.sparkbic.index.contract._
import io.github.sparkbic.index.forests.EdgeSets
import io.github.sparkbic.index.format.StateLayout.TokenSize
import io.github.sparkbic.operator.block.{PackedBlock, VertexIds}

/** One graph of a streaming query. Either layout of the state ([[ValueGraph]], [[PaneGraph]]) only says how the graph is
  * read and written.
  *
  * Edges arrive in any order of panes, and wait until the watermark closes their pane. Then they go into the index, which is
  * read when a pane closes or a window is due, and stays alive with the graph.
  */
private[operator] abstract class StreamedGraph(shape: StateShape) {
  final val counts = new PaneCounts

  /** The edges that wait, by pane: sets of several tasks and micro-batches. */
  protected final val pending = mutable.TreeMap.empty[Long, mutable.ArrayBuffer[EdgeSet]]
  final var ids: VertexIds = VertexIds.create(shape.strings)
  protected final var cursor: WindowCursor = newCursor(Long.MinValue, Long.MinValue)
  private var isIndexRead = false

  /** Whether the index may differ from its saved form. */
  protected final var indexChanged = false

  /** When Spark is to call again, in milliseconds, if that is known. */
  protected final var nextCall: Option[Long] = None

  /** When the list was read by which all rows have come that come early; None since the graph was read. */
  final var readAt: Option[Long] = None

  /** The state, during a call of the operator. */
  private[state] final var variables: GraphVariables = _

  // Component names are known once the index has been read.
  private var keptPart: KeptPart = KeptNames.none

  /** Has the edges that wait, and what is [[kept]], in memory. */
  protected def load(): Unit = ()

  /** The index as it was saved, or a new one. */
  protected def readIndex(): ConnectivityIndex

  /** Begins a call of the operator, which finds these values in the state. */
  private[state] def begin(state: GraphVariables): Unit = variables = state

  /** Ends a call of the operator. */
  private[state] def end(): Unit = variables = null

  /** Gives the value at [[StatePlace.Graph]], and writes what is beside it, in so many bytes. */
  private[state] def save(): Array[Byte]
  private[state] def bytesBeside: Long = 0

  /** Removes what is beside the value. */
  private[state] def clear(): Unit = ()

  /** Vertices and links in the index when it was saved; in the layout `panes`, the sums over the parts of closed panes. */
  def indexSize: IndexSize
  def pendingLinks: Long

  /** Adds a block of an open pane. */
  def add(block: PackedBlock): Unit = counts.add(block.pane, block.edges)

  protected final def addPending(pane: Long, edges: EdgeSet): Unit =
    // Room for a single set, as there may be very many graphs.
    pending.getOrElseUpdate(pane, new mutable.ArrayBuffer[EdgeSet](1)) += edges: Unit

  /** Removes the pending edges before `horizon`, and gives them by rising pane. */
  def take(horizon: Long): Iterator[(Long, EdgeSet)] = {
    load()
    val due = pending.range(Long.MinValue, horizon).toSeq
    pending --= due.map(_._1)
    inputs(due.iterator)
  }

  /** All edges that wait, by rising pane. */
  final def pendingInputs: Iterator[(Long, EdgeSet)] = {
    load()
    inputs(pending.iterator)
  }

  private def inputs(of: Iterator[(Long, collection.Seq[EdgeSet])]): Iterator[(Long, EdgeSet)] =
    of.flatMap { case (pane, sets) => sets.iterator.map(pane -> _) }

  final def kept: KeptPart = {
    if (shape.kept.hasValue) load()
    keptPart
  }

  final def keep(part: KeptPart): Unit = keptPart = part

  final def waitingEvents: Long = if (shape.kept.hasEvents) kept.size.toLong else 0

  /** The first pane whose edges wait: all edges from the first open pane on do. */
  private def firstPending: Option[Long] = counts.panesFrom(fed).find(_ => true)

  /** The index with the edges of all closed panes; the caller does not change it. */
  final def index: ConnectivityIndex = cursor.index

  /** The cursor of a caller that feeds the index, which is therefore written again. */
  final def cursorToFeed(): WindowCursor = {
    indexChanged = true
    index
    cursor
  }

  /** @param fed    the first pane that was not closed when the graph was saved; `Long.MinValue` at first
    * @param newest the newest pane in the index then; `Long.MinValue` if the index was empty
    */
  protected final def newCursor(fed: Long, newest: Long): WindowCursor = {
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
      (kept.waiting.first ++ lastEdge.map(_ + shape.panes.perWindow + 1)).reduceOption(_ min _)
    }

  /** Whether the index has work when all panes before `horizon` are closed. */
  final def isDue(horizon: Long): Boolean =
    firstPending.exists(_ < horizon) || nextEnd.exists(_ <= horizon)

  /** Has Spark call again when the watermark reaches `millis`, or not at all. */
  private[state] final def callAt(millis: Option[Long]): Unit = {
    variables.callAt(millis, nextCall)
    nextCall = millis
  }

  /** Random bytes, by which [[LiveGraphs]] knows a value again. */
  protected final def newToken(): Array[Byte] = {
    val token = new Array[Byte](TokenSize)
    variables.random.nextBytes(token)
    token
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
    pending.valuesIterator.flatten.foreach(EdgeSets.foreachVertex(_)(visit))
    kept.foreachId(visit)
  }
}
