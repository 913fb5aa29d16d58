package io.github.sparkbic.operator.state

import java.util.Random

import scala.collection.mutable

import io.github.sparkbic.index.contract.{ConnectivityIndex, EdgeSet, IndexSize, PaneInput}
import io.github.sparkbic.index.forests.EdgeSets
import io.github.sparkbic.index.format.{BinaryWriter, CorruptStateException}
import io.github.sparkbic.index.format.StateLayout.{HeaderMagic, TokenSize}
import io.github.sparkbic.operator.block.{PackedBlock, VertexIds}

/** One graph whose state is kept pane by pane: a header, and the edges of every pane of the window to come as [[PaneParts]].
  * The index is built from these edges where it is not alive.
  *
  * A micro-batch writes one part for each pane that it brought edges of. A pane that closes with several parts is rewritten
  * as one, and removed when no window to come holds it. So the writes follow the new edges, not the window. Until a pane
  * closes or a window is due, only the header is read. Loose edges of several tasks, with about as many vertices, are parts
  * of their own instead, also of a pane that has closed: a merge would take long and drop few.
  * The parts of a pane that stays open over very many micro-batches are united now and then. So an open pane takes memory
  * and state for its vertices only.
  *
  * @param nextCall  the time in milliseconds at which Spark is to call again
  * @param keptBytes the size in the state of what is kept beside the panes; 0 if it is empty
  */
private[operator] final class PaneGraph private (
    shape: StateShape,
    place: StatePlace,
    savedCounts: PaneCounts,
    val parts: PaneParts,
    savedFed: Long = Long.MinValue,
    savedNewest: Long = Long.MinValue,
    private var nextCall: Option[Long] = None,
    private var keptBytes: Long = 0
) extends StreamedGraph(shape, savedCounts, savedFed, savedNewest) {
  import PaneGraph.{FewNames, MostParts}

  // Of the micro-batch: the blocks that arrived, and the edges of panes that close with several parts.
  private val arrived = mutable.TreeMap.empty[Long, mutable.ArrayBuffer[PackedBlock]]
  private val closing = mutable.TreeMap.empty[Long, mutable.ArrayBuffer[EdgeSet]]
  private var loaded = Option.empty[GraphContents]

  /** @param variables the state, during a micro-batch */
  def attach(variables: PaneVariables): Unit = parts.variables = variables

  override def add(block: PackedBlock): Unit = {
    counts.add(block.pane, block.edges)
    arrived.getOrElseUpdate(block.pane, mutable.ArrayBuffer.empty) += block
    loaded.foreach(waits(_, block))
  }

  private def waits(contents: GraphContents, block: PackedBlock): Unit =
    contents.pending.add(block.pane, contents.ids.edgeSet(block))

  override def take(horizon: Long): Iterator[PaneInput] = super.take(horizon).map { input =>
    if (parts.of(input.pane) + arrived.get(input.pane).size > 1)
      closing.getOrElseUpdate(input.pane, mutable.ArrayBuffer.empty) += input.edges
    input
  }

  override def indexSize: IndexSize = parts.sizeUntil(newest + 1)
  override def pendingLinks: Long = parts.linksFrom(newest + 1)

  override protected def firstPending: Option[Long] = {
    val after = Seq(parts.panes, arrived).flatMap(_.keysIteratorFrom(newest).find(_ > newest))
    if (after.isEmpty) None else Some(after.min)
  }

  override protected def contents: GraphContents = loaded.getOrElse {
    val ids = VertexIds.create(shape.strings)
    val pending = new PendingPanes
    parts.panes.keysIteratorFrom(newest).filter(_ > newest).foreach { pane =>
      parts.read(pane, ids).foreach(pending.add(pane, _))
    }
    val made = new GraphContents(ids, pending, readKept(ids))
    arrived.valuesIterator.flatten.foreach(waits(made, _))
    loaded = Some(made)
    made
  }

  private def readKept(ids: VertexIds): KeptPart =
    if (keptBytes == 0) KeptPart.empty(shape)
    else {
      val what = if (shape.kept == Kept.Emitted) "its emitted windows" else "the names of its components"
      val bytes = parts.variables.kept.getOrElse(throw new CorruptStateException(s"$what are missing"))
      KeptPart.read(bytes, ids, place.kept)(KeptPart.restore(shape, _, _))
    }

  override protected def readIndex(): ConnectivityIndex = {
    val (index, ids) = (newIndex, this.ids)
    val closed = parts.panes.keysIterator.takeWhile(_ <= newest).toSeq
    closed.foreach(pane => parts.read(pane, ids).foreach(index.insert(pane, _)))
    if (closed.nonEmpty) index.closePane(fed - 1)
    index
  }

  /** Writes the graph, and gives its header.
    * @param millis when Spark is to call again
    */
  def save(millis: Long, tokens: Random): Array[Byte] = {
    savePanes()
    callAt(Some(millis))
    val header = toHeader(tokens)
    parts.variables.header = Some(header)
    header
  }

  private def callAt(millis: Option[Long]): Unit = {
    parts.variables.callAt(millis, nextCall)
    nextCall = millis
  }

  private def savePanes(): Unit = {
    val closedPanes = hasMoved
    forget()
    val keep = firstKept
    def isKept(pane: Long) = pane > newest || pane >= keep
    // Loose edges of a closed pane stay in the parts in which they are.
    val merged = closing.filter { case (pane, sets) => isKept(pane) && !areSparse(sets) }
    arrived.foreach { case (pane, blocks) =>
      if (isKept(pane) && !merged.contains(pane)) write(pane, blocks)
    }
    merged.foreach { case (pane, sets) => parts.replace(pane, sets, ids) }
    parts.panes.keys.takeWhile(_ <= newest).filterNot(isKept).toSeq.foreach(parts.remove)
    if (loaded.nonEmpty) {
      // Until the next pane closes, the index may hold more vertices than the panes in the state.
      val most = if (closedPanes) parts.vertices + kept.size else Long.MaxValue
      ids.retainIfGrown(FewNames, most)(vertices)
      if (shape.kept == Kept.Emitted || indexChanged)
        saveKept(if (kept.size == 0) None else Some(kept.toPart(ids, place.kept)))
    }
  }

  private def write(pane: Long, blocks: collection.Seq[PackedBlock]): Unit = {
    val areApart = blocks.size > 1 && blocks.forall(block => EdgeSets.areLoose(block.edgeSet)) &&
      areSparse(blocks.map(block => EdgeSets.fromBytes(block.edgeSet)))
    val some = if (areApart) blocks.map(Seq(_)) else Seq(blocks)
    some.foreach(of => parts.add(pane)(PanePart.of(of, shape.strings, _)))
    if (parts.of(pane) > MostParts) parts.unite(pane)
  }

  private def saveKept(part: Option[Array[Byte]]): Unit = {
    if (part.nonEmpty || keptBytes > 0) parts.variables.kept = part
    keptBytes = part.fold(0L)(_.length.toLong)
  }

  /** The first pane that a window to come holds, or the window that it will be compared with. */
  private def firstKept: Long =
    if (!isLive) Long.MaxValue
    else if (shape.kept.comparesWindows) nextWindow - shape.panes.perSlide
    else nextWindow

  /** Positions of vertices that are strings tell nothing of the vertices of another block. */
  private def areSparse(sets: => collection.Seq[EdgeSet]): Boolean =
    !shape.strings && EdgeSets.areSparse(sets, mostEdges = 1)

  /** The bytes of the state beside the header. */
  def bytesOfParts: Long = parts.bytes + keptBytes

  /** The header. It draws a new random token each time, so no two states have the same header, which therefore is the
    * stamp of the live graph.
    */
  def toHeader(tokens: Random): Array[Byte] = {
    val out = new BinaryWriter()
    shape.save(out)
    val token = new Array[Byte](TokenSize)
    tokens.nextBytes(token)
    out.raw(token)
    out.signed(fed)
    out.signed(newest)
    out.unsigned(nextCall.size.toLong)
    nextCall.foreach(out.signed)
    counts.save(out)
    parts.save(out)
    if (shape.kept.hasPart) out.unsigned(keptBytes)
    StateFrame.seal(HeaderMagic, place.graph, out)
  }

  /** Removes the graph from the state, but for its header. */
  def clear(): Unit = {
    parts.panes.keys.toSeq.foreach(parts.remove)
    saveKept(None)
    callAt(None)
    release()
  }

  /** Forgets the micro-batch. */
  def release(): Unit = {
    arrived.clear()
    closing.clear()
    attach(null)
    indexChanged = false
  }
}

private[operator] object PaneGraph {

  /** Parts of a pending pane before they are united: about as many as micro-batches, or as many tasks in some of them. */
  private[state] val MostParts = 32

  /** Names that a graph may keep unused: few, since very many graphs may be alive. */
  private val FewNames = 256

  def create(shape: StateShape, place: StatePlace): PaneGraph =
    new PaneGraph(shape, place, new PaneCounts, new PaneParts(shape.strings, place))

  /** Reads a header; a [[CorruptStateException]] says why it cannot be read. */
  def restore(shape: StateShape, place: StatePlace, header: Array[Byte]): PaneGraph = {
    val in = StateFrame.open(HeaderMagic, place.graph, header)
    shape.check(in)
    in.skip(TokenSize)
    val (fed, newest) = (in.signed(), in.signed())
    val nextCall = if (in.below(2, "the number of timers") == 1) Some(in.signed()) else None
    val counts = PaneCounts.restore(in)
    val parts = new PaneParts(shape.strings, place)
    parts.restore(in)
    val keptBytes = if (shape.kept.hasPart) in.unsigned() else 0L
    in.expectEnd()
    new PaneGraph(shape, place, counts, parts, fed, newest, nextCall, keptBytes)
  }
}
