package io.github.sparkbic.operator.state

import io.github.sparkbic.index.{
  BinaryReader,
  BinaryWriter,
  ConnectivityIndex,
  CorruptStateException,
  FormatVersion,
  IndexSize,
  PaneInput,
  WindowCursor
}
import io.github.sparkbic.operator.block.{PackedBlock, VertexIds}

/** One graph of a streaming query between two micro-batches.
  *
  * In bytes, so that a checkpoint does not depend on how Java, Kryo or an encoder lays out an object:
  *
  * {{{
  * framed (StateFrame), with the mark "SBIC":
  *   the shape of the query (SavedShape.save)
  *   first pane not closed, newest pane fed to the index
  *   vertex ids (VertexIds.save), pending panes (PendingPanes.save), edges per pane (PaneCounts.save)
  *   if an edge is live: the index (ConnectivityIndex.save), the numbers of its vertices and links (4 bytes each)
  * }}}
  *
  * The index is read only when a pane closes or a window is due; until then its bytes are carried over as they are, so
  * a micro-batch that only adds to open panes does not pay for the size of the window. That holds for a graph that stays
  * alive from one micro-batch to the next as well: it knows the bytes that its index was saved as last.
  */
private[operator] final class GraphState private (
    shape: StateShape,
    val ids: VertexIds,
    val pending: PendingPanes,
    val counts: PaneCounts,
    private var savedFed: Long,
    private var savedNewest: Long,
    private var savedIndex: Option[GraphState.SavedIndex]
) extends StreamedGraph {
  private var restored = Option.empty[WindowCursor]
  // Whether the index may differ from `savedIndex`.
  private var indexChanged = false

  override def cursor: WindowCursor = {
    indexChanged = true
    restored.getOrElse {
      val index = savedIndex match {
        case None => ConnectivityIndex.create(shape.indexName, shape.panes)
        case Some(saved) =>
          val in = new BinaryReader(saved.bytes, saved.from, saved.from + saved.length, saved.version)
          val index = ConnectivityIndex.restore(shape.indexName, shape.panes, in)
          in.expectEnd()
          if (shape.strings) index.vertices { id =>
            if (!ids.isKnown(id)) throw new CorruptStateException(s"vertex number $id has no name")
          }
          index
      }
      val cursor = new WindowCursor(shape.panes, index, shape.comparesWindows, savedFed, savedNewest)
      restored = Some(cursor)
      cursor
    }
  }

  override def add(block: PackedBlock): Unit = {
    counts.add(block.pane, block.edges)
    pending.add(block.pane, ids.edgeSet(block), Option.unless(shape.strings)(block.edgeSet))
  }

  override def take(horizon: Long): Iterator[PaneInput] = pending.take(horizon)

  /** Vertices and links in the index, as of the last [[toBytes]], or else of the saved state. */
  override def indexSize: IndexSize = savedIndex.fold(IndexSize.Zero)(_.size)

  override def pendingLinks: Long = pending.links

  /** Whether an edge that the index holds is part of a window to come. */
  def isLive: Boolean = restored.fold(
    WindowCursor.isLive(shape.panes, shape.comparesWindows, savedFed, savedNewest)
  )(_.isLive)

  private def fed: Long = restored.fold(savedFed)(_.closed)

  private def newestPane: Long = restored.fold(savedNewest)(_.newestPane)

  override def nextEnd: Option[Long] =
    WindowCursor.nextEnd(shape.panes, shape.comparesWindows, fed, newestPane, pending.firstPane)

  override def isDue(horizon: Long): Boolean =
    pending.firstPane.exists(_ < horizon) || nextEnd.exists(_ <= horizon)

  /** The first violation of what holds between two micro-batches, if there is one; O(what is pending). An index checks
    * itself when it is read.
    */
  private def violation: Option[String] =
    if (savedNewest != Long.MinValue && savedNewest >= savedFed)
      Some(s"its edges go up to pane $savedNewest, but only the panes before $savedFed are closed")
    else if (isLive && savedIndex.isEmpty) Some("it has live edges, but no index")
    else if (!isLive && savedIndex.nonEmpty) Some("it has an index, but no live edge")
    else if (pending.firstPane.exists(_ < savedFed))
      Some(s"pane ${pending.firstPane.get} is pending, but the panes before $savedFed are closed")
    else
      pending.panes.find(!counts.isCounted(_)).map(pane =>
        s"the edges of pane $pane have not been counted"
      ).orElse {
        var nameless = Option.empty[Long]
        if (shape.strings) pending.vertices(id => if (!ids.isKnown(id)) nameless = Some(id))
        nameless.map(id => s"vertex number $id has no name")
      }

  def toBytes: Array[Byte] = {
    if (!isLive) dropIndex()
    // Names are forgotten here, where the index is at hand anyway.
    if (indexChanged && ids.size > 0) ids.retain { visit =>
      restored.foreach(_.index.vertices(visit))
      pending.vertices(visit)
    }
    // It will be about as long as last time, and growing copies all of it.
    val expected = savedIndex.fold(0L)(saved => saved.bytes.length + (saved.bytes.length.toLong >> 3))
    val out = new BinaryWriter(math.min(expected, BinaryWriter.MaxSize.toLong).toInt)
    SavedShape.save(shape, out)
    out.signed(fed)
    out.signed(newestPane)
    VertexIds.save(ids, out)
    pending.save(out)
    // Where windows do not overlap nothing is live between two of them, but the next pane mostly waits already.
    counts.forgetBefore(
      if (isLive) WindowCursor.nextWindow(shape.panes, fed, shape.panes.perWindow)
      else pending.firstPane.getOrElse(Long.MaxValue)
    )
    counts.save(out)
    val from = out.size
    val size = if (isLive) saveIndex(out) else IndexSize.Zero
    val length = out.size - from
    if (isLive) {
      out.fixedInt(size.vertices)
      out.fixedInt(size.links)
    }
    val bytes = StateFrame.seal(GraphState.Mark, out)
    savedIndex =
      Option.when(isLive) {
        new GraphState.SavedIndex(bytes, StateFrame.HeaderSize + from, length, FormatVersion.Current, size)
      }
    indexChanged = false
    bytes
  }

  /** Lets go of an index of which no window to come makes use. It would take memory for nothing, and tell of vertices from
    * before the next window, whose names are forgotten, once later panes make it live again.
    */
  private def dropIndex(): Unit = restored.foreach { cursor =>
    savedFed = cursor.closed
    savedNewest = cursor.newestPane
    restored = None
  }

  private def saveIndex(out: BinaryWriter): IndexSize =
    // Bytes of an earlier version cannot be carried over into a state of this one.
    if (indexChanged || savedIndex.exists(_.version < FormatVersion.Current)) cursor.index.save(out)
    else {
      savedIndex.foreach(saved => out.raw(saved.bytes, saved.from, saved.length))
      indexSize
    }
}

private[operator] object GraphState {
  val Mark: Int = 0x43494253 // "SBIC", little-endian

  private val SizeLength = 8

  /** An index as a part of saved bytes. */
  private final class SavedIndex(
      val bytes: Array[Byte],
      val from: Int,
      val length: Int,
      val version: Int,
      val size: IndexSize
  )

  def create(shape: StateShape): GraphState =
    new GraphState(
      shape,
      VertexIds.create(shape.strings),
      new PendingPanes,
      new PaneCounts,
      Long.MinValue,
      Long.MinValue,
      None
    )

  /** What [[GraphState.toBytes]] wrote; a [[CorruptStateException]] says why it cannot be read. */
  def restore(shape: StateShape, bytes: Array[Byte]): GraphState = {
    val in = StateFrame.open(Mark, bytes)
    SavedShape.check(shape, in)
    val fed = in.signed()
    val newest = in.signed()
    val ids = VertexIds.restore(shape.strings, in)
    val pending = PendingPanes.restore(in)
    val counts = PaneCounts.restore(in)
    val index = Option.when(in.remaining > 0) {
      if (in.remaining < SizeLength) throw new CorruptStateException("it ends within the size of the index")
      val length = in.remaining - SizeLength
      val from = in.skip(length)
      new SavedIndex(bytes, from, length, in.version, IndexSize(in.fixedInt(), in.fixedInt()))
    }
    val state = new GraphState(shape, ids, pending, counts, fed, newest, index)
    state.violation.foreach(violation => throw new CorruptStateException(violation))
    state
  }
}
