package io.github.sparkbic.operator.state

import scala.collection.mutable

import io.github.sparkbic.index.contract.{ConnectivityIndex, EdgeSet, IndexSize, PaneInput}
import io.github.sparkbic.index.forests.EdgeSets
import io.github.sparkbic.index.format.BinaryWriter
import io.github.sparkbic.index.format.StateLayout.{HeaderMagic, TokenSize}
import io.github.sparkbic.operator.block.{PackedBlock, VertexIds}

/** One graph whose state is kept pane by pane: a header, and the edges of every pane of the window to come as [[PaneParts]].
  * The index is built from these edges where it is not alive.
  *
  * A micro-batch writes one part for each pane that it brought edges of. A pane that closes with several parts is rewritten
  * as one, and removed when no window to come holds it. So the writes follow the new edges, not the window. Until a pane
  * closes, a window is due or an event comes, only the header is read. Loose edges of several tasks, with about as many
  * vertices, are parts of their own instead, also of a pane that has closed: a merge would take long and drop few.
  * The parts of a pane that stays open over very many micro-batches are united now and then. So an open pane takes memory
  * and state for its vertices only.
  *
  * @param place     by [[StatePlace.graph]]
  * @param keptBytes the size in the state of what is kept beside the panes; 0 if it is empty
  */
private[operator] final class PaneGraph private (
    shape: StateShape,
    place: Int,
    savedCounts: PaneCounts,
    savedFed: Long = Long.MinValue,
    savedNewest: Long = Long.MinValue,
    savedCall: Option[Long] = None,
    private var keptBytes: Long = 0
) extends StreamedGraph(shape, savedCounts, savedFed, savedNewest, savedCall) {
  import PaneGraph.{FewNames, MostParts}

  val parts = new EdgeParts(shape.strings, place, variables)
  // Of the micro-batch: the blocks that arrived, and the edges of panes that close with several parts.
  private val arrived = mutable.TreeMap.empty[Long, mutable.ArrayBuffer[PackedBlock]]
  private val closing = mutable.TreeMap.empty[Long, mutable.ArrayBuffer[EdgeSet]]
  private var loaded = Option.empty[PendingPanes]

  if (shape.kept.hasEvents) keep(new WaitingEvents(place, variables))

  override def add(block: PackedBlock): Unit = {
    super.add(block)
    arrived.getOrElseUpdate(block.pane, mutable.ArrayBuffer.empty) += block
    loaded.foreach(_.add(block))
  }

  override def take(horizon: Long): Iterator[PaneInput] = super.take(horizon).map { input =>
    if (parts.partsOf(input.pane) + arrived.get(input.pane).size > 1)
      closing.getOrElseUpdate(input.pane, mutable.ArrayBuffer.empty) += input.edges
    input
  }

  override def indexSize: IndexSize = parts.sizeUntil(newest + 1)
  override def pendingLinks: Long = parts.count(1, from = newest + 1)

  override private[state] def bytesBeside: Long =
    parts.bytes + keptBytes + (if (shape.kept.hasEvents) waiting.parts.bytes else 0)

  override def pending: PendingPanes = loaded.getOrElse {
    val read = new PendingPanes(VertexIds.create(shape.strings))
    parts.panes.keysIteratorFrom(newest).filter(_ > newest).foreach { pane =>
      parts.read(pane, read.ids).foreach(read.add(pane, _))
    }
    if (shape.kept.hasValue) keep(
      if (keptBytes == 0) shape.kept.empty(shape.panes)
      else KeptPart.read(shape, variables.get(StatePlace.Beside), read.ids, place)
    )
    arrived.valuesIterator.flatten.foreach(read.add)
    loaded = Some(read)
    read
  }

  override protected def readIndex(): ConnectivityIndex = {
    val (index, ids) = (newIndex, this.ids)
    val closed = parts.panes.keysIterator.takeWhile(_ <= newest).toSeq
    closed.foreach(pane => parts.read(pane, ids).foreach(index.insert(pane, _)))
    if (closed.nonEmpty) index.closePane(fed - 1)
    index
  }

  /** Writes the panes, and gives the header. */
  override private[state] def save(): Array[Byte] = {
    forget()
    savePanes()
    if (shape.kept.hasEvents) waiting.write()
    if (loaded.nonEmpty) {
      // Until the next pane closes, the index may hold more vertices than the panes in the state.
      val most = if (indexChanged) parts.count(0) + kept.size else Long.MaxValue
      ids.retainIfGrown(FewNames, most)(vertices)
      if (shape.kept.hasValue && (shape.kept.isEarly || indexChanged))
        saveKept(if (kept.size == 0) None else Some(kept.toPart(ids, place)))
    }
    arrived.clear()
    closing.clear()
    indexChanged = false
    toHeader
  }

  private def savePanes(): Unit = {
    val keep = firstKept
    def isKept(pane: Long) = pane > newest || pane >= keep
    // Loose edges of a closed pane stay in the parts in which they are.
    val merged = closing.filter { case (pane, sets) => isKept(pane) && !areSparse(sets) }
    arrived.foreach { case (pane, blocks) => if (isKept(pane) && !merged.contains(pane)) write(pane, blocks) }
    merged.foreach { case (pane, sets) => parts.replace(pane, sets, ids) }
    parts.panes.keys.takeWhile(_ <= newest).filterNot(isKept).toSeq.foreach(parts.remove)
  }

  private def write(pane: Long, blocks: collection.Seq[PackedBlock]): Unit = {
    val areApart = blocks.size > 1 && blocks.forall(block => EdgeSets.areLoose(block.edgeSet)) &&
      areSparse(blocks.map(block => EdgeSets.fromBytes(block.edgeSet)))
    (if (areApart) blocks.map(Seq(_)) else Seq(blocks)).foreach(parts.add(pane, _))
    if (parts.partsOf(pane) > MostParts) parts.unite(pane)
  }

  private def saveKept(part: Option[Array[Byte]]): Unit = {
    if (part.nonEmpty || keptBytes > 0) variables.put(StatePlace.Beside, part)
    keptBytes = part.fold(0L)(_.length.toLong)
  }

  /** The first pane that a window to come holds, or the window that it will be compared with. */
  private def firstKept: Long =
    if (!isLive) Long.MaxValue
    else cursor.nextWindow - (if (shape.kept.comparesWindows) shape.panes.perSlide else 0)

  /** Positions of vertices that are strings tell nothing of the vertices of another block. */
  private def areSparse(sets: => collection.Seq[EdgeSet]): Boolean =
    !shape.strings && EdgeSets.areSparse(sets, mostEdges = 1)

  private[state] def toHeader: Array[Byte] = {
    val out = new BinaryWriter()
    shape.save(out)
    val token = new Array[Byte](TokenSize)
    variables.random.nextBytes(token)
    out.raw(token)
    out.signed(fed)
    out.signed(newest)
    out.unsigned(nextCall.size.toLong)
    nextCall.foreach(out.signed)
    counts.save(out)
    parts.save(out)
    if (shape.kept.hasEvents) waiting.parts.save(out)
    if (shape.kept.hasValue) out.unsigned(keptBytes)
    StateFrame.seal(HeaderMagic, place, out)
  }

  override private[state] def clear(): Unit = {
    parts.clear()
    if (shape.kept.hasEvents) waiting.parts.clear()
    saveKept(None)
    callAt(None)
  }
}

private[operator] object PaneGraph {

  /** Parts of a pending pane before they are united: about as many as micro-batches, or as many tasks in some of them. */
  private[state] val MostParts = 32

  /** Names that a graph may keep unused: few, since very many graphs may be alive. */
  private val FewNames = 256

  /** A new graph, or the graph with this header; a [[io.github.sparkbic.index.format.CorruptStateException]] says why the
    * header cannot be read.
    */
  def apply(shape: StateShape, place: Int, header: Option[Array[Byte]] = None): PaneGraph = header match {
    case None => new PaneGraph(shape, place, new PaneCounts)
    case Some(bytes) =>
      val in = StateFrame.open(HeaderMagic, place, bytes)
      shape.check(in)
      in.skip(TokenSize)
      val (fed, newest) = (in.signed(), in.signed())
      val nextCall = if (in.below(2, "the number of timers") == 1) Some(in.signed()) else None
      val graph = new PaneGraph(shape, place, PaneCounts.restore(in), fed, newest, nextCall)
      graph.parts.restore(in)
      if (shape.kept.hasEvents) graph.waiting.parts.restore(in)
      if (shape.kept.hasValue) graph.keptBytes = in.unsigned()
      in.expectEnd()
      graph
  }
}
