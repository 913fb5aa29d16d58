package io.github.sparkbic.operator.state

import java.util.Arrays

import io.github.sparkbic.index.Indexes
import io.github.sparkbic.index.contract.{ConnectivityIndex, IndexSize}
import io.github.sparkbic.index.forests.EdgeSets
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}
import io.github.sparkbic.index.format.StateLayout.{
  FrameSize,
  GraphMagic,
  IndexSizeLength,
  LeastWithToken,
  TokenSize
}
import io.github.sparkbic.operator.block.{PackedBlock, VertexIds}

/** One graph that is kept as one value.
  *
  * Until the index is read, its bytes are copied unread, so a micro-batch that only adds to open panes decodes no link of the
  * window. The names of its vertices are read. A live graph saves its index only after a change, too. Else it copies the
  * bytes from the value that each call finds, and holds none of them between two calls.
  *
  * The edges of a pane that waits are mostly merged to a forest on saving. So the memory is bounded by the vertices of the
  * pane, however many blocks arrived. Loose edges stay as they are, unless there are many for each vertex: a merge would
  * take long and drop few.
  *
  * @param place  by [[StatePlace.graph]]
  * @param stored the bytes of [[save]], or None for a new graph; a [[CorruptStateException]] says why they cannot be read
  */
private[operator] final class ValueGraph(
    shape: StateShape,
    place: Int,
    private var stored: Option[Array[Byte]] = None
) extends StreamedGraph(shape) {
  import ValueGraph._

  // Component names are saved with the index.
  private val savesKept = shape.kept.hasEmitted || shape.kept.hasEvents
  private var savedIndex = Option.empty[SavedIndex]
  keep(shape.kept.empty(shape.panes))
  stored.foreach(restore)

  override def add(block: PackedBlock): Unit = {
    super.add(block)
    addPending(block.pane, ids.edgeSet(block))
  }

  /** A live graph checks its bytes, since their token says nothing of the rest. */
  override private[state] def begin(state: GraphVariables): Unit = {
    super.begin(state)
    if (stored.isEmpty) {
      stored = state.get(StatePlace.Graph)
      stored.foreach(StateFrame.open(GraphMagic, place, _))
    }
  }

  /** Between two calls, the state alone holds the bytes. */
  override private[state] def end(): Unit = {
    super.end()
    stored = None
  }

  override def indexSize: IndexSize = savedIndex.fold(IndexSize(0, 0))(_.size)
  override def pendingLinks: Long = pending.valuesIterator.flatten.map(_.links.toLong).sum

  override private[state] def save(): Array[Byte] = {
    forget()
    // Names are swept only when the index has been read anyway.
    if (indexChanged) ids.retain(vertices)
    // The value will be about as long as last time; a writer that grows copies all of its bytes.
    val before = stored.fold(0L)(_.length.toLong)
    val expected = before + (before >> 3)
    val out = new BinaryWriter(math.min(expected, BinaryWriter.MaxSize.toLong).toInt)
    shape.save(out)
    out.signed(fed)
    out.signed(newest)
    ids.save(out)
    ByPane.save(pending.iterator, pending.size, out) { sets =>
      if (sets.size > 1 && !EdgeSets.areSparse(sets, MostLoose)) {
        val merged = EdgeSets.merged(sets)
        sets.clear()
        sets += merged
      }
      out.unsigned(sets.size.toLong)
      sets.foreach(_.save(out))
    }
    counts.save(out)
    if (savesKept) kept.save(out)
    val from = FrameSize + out.size
    savedIndex = if (isLive) Some(SavedIndex(saveIndex(out), from, FrameSize + out.size)) else None
    savedIndex.foreach { saved =>
      out.fixedInt(saved.size.vertices)
      out.fixedInt(saved.size.links)
    }
    if (FrameSize + out.size >= LeastWithToken) out.raw(newToken())
    stored = Some(StateFrame.seal(GraphMagic, place, out))
    indexChanged = false
    stored.get
  }

  private def saveIndex(out: BinaryWriter): IndexSize = savedIndex match {
    case Some(saved) if !indexChanged =>
      out.raw(stored.get, saved.from, saved.until - saved.from)
      saved.size
    case _ =>
      if (shape.kept.hasNames) kept.save(out)
      index.save(out)
  }

  override protected def readIndex(): ConnectivityIndex = savedIndex.fold(newIndex) { saved =>
    val in = new BinaryReader(stored.get, saved.from, saved.until)
    if (shape.kept.hasNames) keep(KeptNames.none.restore(in))
    val index = Indexes.restore(shape.indexName, shape.panes, in, shape.indexConfig, requireName)
    in.expectEnd()
    if (shape.strings) kept.foreachId(requireName)
    index
  }

  private def requireName(id: Long): Unit =
    if (!ids.isKnown(id)) throw new CorruptStateException(s"vertex id $id has no name")

  private def require(holds: Boolean, violation: => String): Unit =
    if (!holds) throw new CorruptStateException(violation)

  /** Reads the bytes of [[save]], and checks them in O(pending edges, names and kept rows). The index is checked when it is
    * read.
    */
  private def restore(bytes: Array[Byte]): Unit = {
    StateFrame.open(GraphMagic, place, bytes): Unit
    val in = new BinaryReader(bytes, FrameSize, bytes.length - tokenSize(bytes))
    shape.check(in)
    cursor = newCursor(in.signed(), in.signed())
    ids = VertexIds.restore(shape.strings, in)
    ByPane.restore(in, "pending panes") { pane =>
      val sets = in.count("the number of sets of edges of a pane")
      require(sets > 0, s"pane $pane is pending without edges")
      (0 until sets).foreach(_ => addPending(pane, EdgeSets.restore(in)))
    }
    counts.restore(in)
    if (savesKept) keep(kept.restore(in))
    if (in.remaining > 0) {
      val length = in.remaining - IndexSizeLength
      require(length >= 0, "it ends within the size of the index")
      val from = in.skip(length)
      savedIndex = Some(SavedIndex(IndexSize(in.fixedInt(), in.fixedInt()), from, from + length))
    }
    require(
      newest == Long.MinValue || newest < fed,
      s"its edges go up to pane $newest, but only the panes before $fed are closed"
    )
    require(
      isLive == savedIndex.nonEmpty,
      if (isLive) "it has live edges, but no index" else "it has an index, but no live edge"
    )
    require(
      pending.keysIterator.sameElements(counts.panesFrom(fed)),
      s"the panes that wait are not those from pane $fed on whose edges were counted"
    )
    if (shape.strings) {
      pending.valuesIterator.flatten.foreach(EdgeSets.foreachVertex(_)(requireName))
      kept.foreachId(requireName)
    }
  }
}

private[operator] object ValueGraph {

  /** Loose edges for each vertex of a pane, up to which they are not merged: some 50 bytes. */
  private final val MostLoose = 8

  /** What tells the value from all others: random bytes at the end of a large value, and all of a small one. */
  def stampOf(value: Array[Byte]): Array[Byte] =
    if (tokenSize(value) == 0) value else Arrays.copyOfRange(value, value.length - TokenSize, value.length)

  private def tokenSize(value: Array[Byte]): Int =
    if (value.length >= LeastWithToken + TokenSize) TokenSize else 0

  /** An index within a value, with the component names before it: these bytes of the value. */
  private final case class SavedIndex(size: IndexSize, from: Int, until: Int)
}
