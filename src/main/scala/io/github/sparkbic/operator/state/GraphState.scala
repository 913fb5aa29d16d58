package io.github.sparkbic.operator.state

import io.github.sparkbic.index.Indexes
import io.github.sparkbic.index.contract.{ConnectivityIndex, IndexSize, PaneInput, WindowCursor}
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}
import io.github.sparkbic.index.format.StateLayout.{GraphMagic, IndexSizeLength}
import io.github.sparkbic.operator.block.{PackedBlock, VertexIds}

/** One graph that is kept as one value.
  * The index is read only when a pane closes or a window is due. Until then the bytes of the index are copied unread, so a
  * micro-batch that only adds to open panes costs no time for the window. A live graph keeps these bytes as well, and saves
  * its index only after a change.
  */
private[operator] final class GraphState private (
    shape: StateShape,
    place: Int,
    val ids: VertexIds,
    val pending: PendingPanes,
    val counts: PaneCounts,
    val emitted: EmittedWindows,
    private var savedFed: Long = Long.MinValue,
    private var savedNewest: Long = Long.MinValue,
    private var savedIndex: Option[GraphState.SavedIndex] = None
) extends StreamedGraph(shape) {
  private var restored = Option.empty[WindowCursor]
  // Whether the index may differ from `savedIndex`.
  private var indexChanged = false

  override def cursor: WindowCursor = {
    indexChanged = true
    restore()
  }

  override def index: ConnectivityIndex = restore().index

  private def restore(): WindowCursor = {
    if (restored.isEmpty)
      restored = Some(cursorOf(savedIndex.fold(newIndex)(readIndex), savedFed, savedNewest))
    restored.get
  }

  override def waiting: Iterator[PaneInput] = pending.inputs

  override def add(block: PackedBlock): Unit = {
    counts.add(block.pane, block.edges)
    pending.add(block.pane, ids.edgeSet(block), if (shape.strings) None else Some(block.edgeSet))
  }

  override def take(horizon: Long): Iterator[PaneInput] = pending.take(horizon)
  override def indexSize: IndexSize = savedIndex.fold(IndexSize.Zero)(_.size)
  override def pendingLinks: Long = pending.links
  override def fed: Long = restored.fold(savedFed)(_.fed)
  override protected def newest: Long = restored.fold(savedNewest)(_.newestPane)
  override protected def firstPending: Option[Long] = pending.panes.find(_ => true)

  def toBytes: Array[Byte] = {
    // The names of an index that no window to come uses are forgotten, so such an index must go, too.
    if (!isLive) {
      savedFed = fed
      savedNewest = newest
      restored = None
      names = KeptNames.none
    }
    // Names are swept only when the index has been read anyway.
    if (indexChanged && ids.size > 0) ids.retain { visit =>
      restored.foreach(_.index.vertices(visit))
      pending.vertices(visit)
      names.foreachId(visit)
      emitted.foreachId(visit)
    }
    // The value will be about as long as last time; a writer that grows copies all of its bytes.
    val expected = savedIndex.fold(0L)(saved => saved.bytes.length + (saved.bytes.length.toLong >> 3))
    val out = new BinaryWriter(math.min(expected, BinaryWriter.MaxSize.toLong).toInt)
    shape.save(out)
    out.signed(fed)
    out.signed(newest)
    ids.save(out)
    pending.save(out)
    // Between windows that do not overlap nothing is live, but the next pane is mostly pending already.
    counts.forgetBefore(if (isLive) nextWindow else firstPending.getOrElse(Long.MaxValue))
    counts.save(out)
    if (shape.kept == Kept.Emitted) emitted.save(out)
    val from = out.size
    val size = if (isLive) Some(saveIndex(out)) else None
    size.foreach { saved =>
      out.fixedInt(saved.vertices)
      out.fixedInt(saved.links)
    }
    val bytes = StateFrame.seal(GraphMagic, place, out)
    savedIndex = size.map(new GraphState.SavedIndex(bytes, bytes.length - (out.size - from), _))
    indexChanged = false
    bytes
  }

  private def saveIndex(out: BinaryWriter): IndexSize = savedIndex match {
    case Some(saved) if !indexChanged =>
      out.raw(saved.bytes, saved.from, saved.until - saved.from)
      saved.size
    case _ =>
      if (shape.kept.isInstanceOf[Kept.Names]) names.save(out)
      cursor.index.save(out)
  }

  private def readIndex(saved: GraphState.SavedIndex): ConnectivityIndex = {
    val in = new BinaryReader(saved.bytes, saved.from, saved.until)
    if (shape.kept.isInstanceOf[Kept.Names]) names = KeptNames.restore(in)
    val index = Indexes.restore(shape.indexName, shape.panes, in, shape.indexConfig)
    in.expectEnd()
    if (shape.strings) {
      index.vertices(requireName)
      names.foreachId(requireName)
    }
    index
  }

  private def requireName(id: Long): Unit =
    if (!ids.isKnown(id)) throw new CorruptStateException(s"vertex number $id has no name")

  /** Checks the invariants between two micro-batches, in O(pending edges); the index is checked when it is read. */
  private def check(): Unit = {
    def require(holds: Boolean, violation: => String): Unit =
      if (!holds) throw new CorruptStateException(violation)
    require(
      newest == Long.MinValue || newest < fed,
      s"its edges go up to pane $newest, but only the panes before $fed are closed"
    )
    require(
      isLive == savedIndex.nonEmpty,
      if (isLive) "it has live edges, but no index" else "it has an index, but no live edge"
    )
    pending.panes.foreach { pane =>
      require(pane >= fed, s"pane $pane is pending, but the panes before $fed are closed")
      require(counts.isCounted(pane), s"the edges of pane $pane have not been counted")
    }
    if (shape.strings) {
      pending.vertices(requireName)
      emitted.foreachId(requireName)
    }
  }
}

private[operator] object GraphState {

  /** An index within a value, with the component names before it: where these bytes begin. The value ends with the size
    * of the index.
    */
  private final class SavedIndex(val bytes: Array[Byte], val from: Int, val size: IndexSize) {
    def until: Int = bytes.length - IndexSizeLength
  }

  /** @param place the graph's [[StatePlace]] */
  def create(shape: StateShape, place: Int): GraphState =
    new GraphState(
      shape,
      place,
      VertexIds.create(shape.strings),
      new PendingPanes,
      new PaneCounts,
      new EmittedWindows(shape.panes)
    )

  /** Reads the bytes of [[GraphState.toBytes]]; a [[CorruptStateException]] says why they cannot be read. */
  def restore(shape: StateShape, place: Int, bytes: Array[Byte]): GraphState = {
    val in = StateFrame.open(GraphMagic, place, bytes)
    shape.check(in)
    val (fed, newest) = (in.signed(), in.signed())
    val ids = VertexIds.restore(shape.strings, in)
    val pending = PendingPanes.restore(in)
    val counts = PaneCounts.restore(in)
    val emitted =
      if (shape.kept == Kept.Emitted) EmittedWindows.restore(shape.panes, in)
      else new EmittedWindows(shape.panes)
    val index = if (in.remaining > 0) Some(savedIndex(bytes, in)) else None
    val state = new GraphState(shape, place, ids, pending, counts, emitted, fed, newest, index)
    state.check()
    state
  }

  private def savedIndex(bytes: Array[Byte], in: BinaryReader): SavedIndex = {
    val length = in.remaining - IndexSizeLength
    if (length < 0) throw new CorruptStateException("it ends within the size of the index")
    new SavedIndex(bytes, in.skip(length), IndexSize(in.fixedInt(), in.fixedInt()))
  }
}
