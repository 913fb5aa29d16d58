package io.github.sparkbic.operator.state

import scala.reflect.ClassTag

import io.github.sparkbic.index.Indexes
import io.github.sparkbic.index.contract.{ConnectivityIndex, IndexSize, PaneInput, WindowCursor}
import io.github.sparkbic.operator.block.{PackedBlock, VertexIds}

/** One graph of a streaming query during a micro-batch, in either layout of the state. */
private[operator] abstract class StreamedGraph(shape: StateShape) {
  def ids: VertexIds
  def counts: PaneCounts

  /** Adds a block of an open pane. */
  def add(block: PackedBlock): Unit

  /** The cursor with its index, restored on first use; the caller changes the index. */
  def cursor: WindowCursor

  /** The index with the edges of all closed panes, restored on first use; the caller does not change it. */
  def index: ConnectivityIndex

  /** The edges that wait for their pane to close, by rising pane; they go on waiting. */
  def waiting: Iterator[PaneInput]

  /** The rows that have come before their window closes. */
  def emitted: EmittedWindows

  /** The stable names of the components of the window answered last; known once [[cursor]] has been called. */
  var names: KeptNames = KeptNames.none

  /** Removes the pending edges before `horizon`, and gives them by rising pane. */
  def take(horizon: Long): Iterator[PaneInput]

  /** Vertices and links in the index when it was saved. */
  def indexSize: IndexSize

  def pendingLinks: Long

  /** All panes before this one are closed, and their edges are in the index. */
  def fed: Long

  /** The newest pane in the index; `Long.MinValue` if the index is empty. */
  protected def newest: Long
  protected def firstPending: Option[Long]

  protected final def cursorOf(index: ConnectivityIndex, fed: Long, newest: Long): WindowCursor =
    new WindowCursor(shape.panes, index, shape.kept.comparesWindows, fed, newest)

  protected final def newIndex: ConnectivityIndex =
    Indexes.create(shape.indexName, shape.panes, shape.indexConfig)

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
}

/** Where one graph is kept between micro-batches: in Spark's state, and perhaps alive in this JVM. A store takes its graph out
  * of [[LiveGraphs]] when the store is made, and puts the graph back by [[keep]].
  *
  * @param stored the stamp in the state store; None if the store does not hold the graph
  * @param live   the graphs that are alive in this JVM
  */
private[operator] abstract class GraphStore[+A <: StreamedGraph: ClassTag](
    slot: LiveGraphs.Slot,
    stored: Option[Array[Byte]],
    cache: CacheLimit,
    live: LiveGraphs[StreamedGraph]
) {
  private val alive = stored.flatMap(live.take(slot, _)).collect { case graph: A => graph }
  protected lazy val graph: A = alive.getOrElse(restored())
  def watermarkMillis: Long

  /** The graph from the state, or a new one. */
  protected def restored(): A

  /** The size of the state that the graph had to be read from; None if the graph was alive, or is new. */
  def restoredBytes: Option[Int] = if (alive.isEmpty) stored.map(_.length) else None

  /** The graph as the last micro-batch left it. A [[io.github.sparkbic.index.format.CorruptStateException]] says why the
    * graph cannot be read.
    */
  def open(): StreamedGraph = graph

  /** Writes the graph, counts it, and has Spark call again when the watermark reaches the end of its next window. After
    * the call the graph may belong to another attempt.
    * @param changed whether the graph differs from the graph that [[open]] gave
    */
  def save(changed: Boolean, counters: Counters): Unit

  /** Counts the graph, and puts it back unless its state is too small.
    * @param stamp the stamp that the state store will hold
    */
  protected def keep(stamp: Array[Byte], stateBytes: Long, counters: Counters): Unit = {
    counters.stateBytes = stateBytes
    counters.holds(graph)
    if (stateBytes >= cache.minBytes && cache.bytes > 0) {
      val size = LiveGraphs.bytesOf(graph, stamp, stateBytes)
      live.put(slot, stamp, graph, size, cache.bytes)
    }
  }
}
