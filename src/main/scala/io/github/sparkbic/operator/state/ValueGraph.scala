package io.github.sparkbic.operator.state

import io.github.sparkbic.index.Indexes
import io.github.sparkbic.index.contract.{ConnectivityIndex, IndexSize}
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}
import io.github.sparkbic.index.format.StateLayout.{FrameSize, GraphMagic, IndexSizeLength}
import io.github.sparkbic.operator.block.{PackedBlock, VertexIds}

/** One graph that is kept as one value.
  * Until the index is read, its bytes are copied unread, so a micro-batch that only adds to open panes costs no time for the
  * window. A live graph keeps these bytes as well, and saves its index only after a change.
  * @param place by [[StatePlace.graph]]
  */
private[operator] final class ValueGraph private (
    shape: StateShape,
    place: Int,
    savedCounts: PaneCounts,
    override val pending: PendingPanes,
    savedFed: Long = Long.MinValue,
    savedNewest: Long = Long.MinValue,
    private var savedIndex: Option[ValueGraph.SavedIndex] = None
) extends StreamedGraph(shape, savedCounts, savedFed, savedNewest) {

  override def add(block: PackedBlock): Unit = {
    super.add(block)
    pending.add(block)
  }

  override def indexSize: IndexSize = savedIndex.fold(IndexSize.Zero)(_.size)
  override def pendingLinks: Long = pending.links
  override private[state] def clear(): Unit = ()
  override private[state] def bytesBeside: Long = 0

  override private[state] def save(): Array[Byte] = {
    forget()
    // Names are swept only when the index has been read anyway.
    if (indexChanged) ids.retain(vertices)
    // The value will be about as long as last time; a writer that grows copies all of its bytes.
    val expected = savedIndex.fold(0L)(saved => saved.bytes.length + (saved.bytes.length.toLong >> 3))
    val out = new BinaryWriter(math.min(expected, BinaryWriter.MaxSize.toLong).toInt)
    shape.save(out)
    out.signed(fed)
    out.signed(newest)
    ids.save(out)
    pending.save(out)
    counts.save(out)
    if (shape.kept.hasEmitted || shape.kept.hasEvents) kept.save(out)
    val from = out.size
    val size = if (isLive) Some(saveIndex(out)) else None
    size.foreach { saved =>
      out.fixedInt(saved.vertices)
      out.fixedInt(saved.links)
    }
    val bytes = StateFrame.seal(GraphMagic, place, out)
    savedIndex = size.map(new ValueGraph.SavedIndex(bytes, FrameSize + from, _))
    indexChanged = false
    bytes
  }

  private def saveIndex(out: BinaryWriter): IndexSize = savedIndex match {
    case Some(saved) if !indexChanged =>
      out.raw(saved.bytes, saved.from, saved.until - saved.from)
      saved.size
    case _ =>
      if (shape.kept.hasNames) kept.save(out)
      index.save(out)
  }

  override protected def readIndex(): ConnectivityIndex = savedIndex.fold(newIndex) { saved =>
    val in = new BinaryReader(saved.bytes, saved.from, saved.until)
    if (shape.kept.hasNames) keep(KeptNames.none.restore(in))
    val index = Indexes.restore(shape.indexName, shape.panes, in, shape.indexConfig)
    in.expectEnd()
    if (shape.strings) {
      index.vertices(requireName)
      kept.foreachId(requireName)
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
    require(
      pending.panes.sameElements(counts.panesFrom(fed)),
      s"the panes that wait are not those from pane $fed on whose edges were counted"
    )
    if (shape.strings) {
      pending.vertices(requireName)
      kept.foreachId(requireName)
    }
  }
}

private[operator] object ValueGraph {

  /** An index within a value, with the component names before it: where these bytes begin. The value ends with the size
    * of the index.
    */
  private final class SavedIndex(val bytes: Array[Byte], val from: Int, val size: IndexSize) {
    def until: Int = bytes.length - IndexSizeLength
  }

  /** A new graph, or the graph of the bytes of [[ValueGraph.save]]; a [[CorruptStateException]] says why they cannot be read. */
  def apply(shape: StateShape, place: Int, stored: Option[Array[Byte]] = None): ValueGraph = stored match {
    case None =>
      val pending = new PendingPanes(VertexIds.create(shape.strings))
      val graph = new ValueGraph(shape, place, new PaneCounts, pending)
      graph.keep(shape.kept.empty(shape.panes))
      graph
    case Some(bytes) =>
      val in = StateFrame.open(GraphMagic, place, bytes)
      shape.check(in)
      val (fed, newest) = (in.signed(), in.signed())
      val pending = PendingPanes.restore(VertexIds.restore(shape.strings, in), in)
      val counts = PaneCounts.restore(in)
      val kept =
        if (shape.kept.hasEmitted || shape.kept.hasEvents) shape.kept.empty(shape.panes).restore(in)
        else KeptNames.none
      val index = if (in.remaining > 0) Some(savedIndex(bytes, in)) else None
      val graph = new ValueGraph(shape, place, counts, pending, fed, newest, index)
      graph.keep(kept)
      graph.check()
      graph
  }

  private def savedIndex(bytes: Array[Byte], in: BinaryReader): SavedIndex = {
    val length = in.remaining - IndexSizeLength
    if (length < 0) throw new CorruptStateException("it ends within the size of the index")
    new SavedIndex(bytes, in.skip(length), IndexSize(in.fixedInt(), in.fixedInt()))
  }
}
