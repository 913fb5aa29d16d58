package io.github.sparkbic.operator.state

import scala.collection.mutable

import io.github.sparkbic.index.contract.{ConnectivityIndex, EdgeSet, IndexSize}
import io.github.sparkbic.index.forests.EdgeSets
import io.github.sparkbic.index.format.BinaryWriter
import io.github.sparkbic.index.format.StateLayout.{HeaderMagic, TokenSize}
import io.github.sparkbic.operator.block.PackedBlock

/** One graph whose state is kept pane by pane: a header, and the edges of every pane of the window to come as [[PaneParts]].
  * The index is built from these edges where the graph is not a live one.
  *
  * A micro-batch writes one part for each pane that it brought edges of. A pane that closes with several parts is rewritten
  * as one, and removed when no window to come holds it. So the writes follow the new edges, not the window. Until a pane
  * closes, a window is due or an event comes, only the header is read, unless rows come early. Loose edges of several tasks,
  * with about as many vertices, are parts of their own instead, also of a pane that has closed: a merge would take long and
  * drop few.
  * The parts of a pane that stays open over very many micro-batches are united now and then. So an open pane takes memory
  * and state for its vertices only.
  *
  * @param place  by [[StatePlace.graph]]
  * @param header the bytes of [[toHeader]], or None for a new graph; a
  *   [[io.github.sparkbic.index.format.CorruptStateException]] says why they cannot be read
  */
private[operator] final class PaneGraph(shape: StateShape, place: Int, header: Option[Array[Byte]] = None)
    extends StreamedGraph(shape) {
  import PaneGraph.MostParts

  val parts = new EdgeParts(shape.strings, place, variables)
  // Of the micro-batch: the blocks that arrived, and the edges of panes that close with several parts.
  private val arrived = mutable.TreeMap.empty[Long, mutable.ArrayBuffer[PackedBlock]]
  private val closing = mutable.TreeMap.empty[Long, mutable.ArrayBuffer[EdgeSet]]
  private var isLoaded = false
  // The size in the state of what is kept beside the panes; 0 if it is empty.
  private var keptBytes = 0L

  if (shape.kept.hasEvents) keep(new WaitingEvents(place, variables))
  // Those of edges, and those of events.
  private val listed = parts +: (if (shape.kept.hasEvents) Seq(kept.waiting.parts) else Nil)
  header.foreach(restore)

  override def add(block: PackedBlock): Unit = {
    super.add(block)
    arrived.getOrElseUpdate(block.pane, mutable.ArrayBuffer.empty) += block
    if (isLoaded) addPending(block.pane, ids.edgeSet(block))
  }

  override def take(horizon: Long): Iterator[(Long, EdgeSet)] =
    super.take(horizon).map { case (pane, edges) =>
      if (parts.partsOf(pane) + arrived.get(pane).size > 1)
        closing.getOrElseUpdate(pane, mutable.ArrayBuffer.empty) += edges
      pane -> edges
    }

  override def indexSize: IndexSize = parts.sizeUntil(newest + 1)
  override def pendingLinks: Long = parts.count(1, from = newest + 1)
  override private[state] def bytesBeside: Long = listed.map(_.bytes).sum + keptBytes

  override protected def load(): Unit = if (!isLoaded) {
    isLoaded = true
    readParts(parts.panes.keysIteratorFrom(newest).filter(_ > newest))(addPending)
    if (shape.kept.hasValue) keep(
      if (keptBytes == 0) shape.kept.empty(shape.panes)
      else KeptPart.read(shape, variables.get(StatePlace.Beside), ids, place)
    )
    arrived.valuesIterator.flatten.foreach(block => addPending(block.pane, ids.edgeSet(block)))
  }

  override protected def readIndex(): ConnectivityIndex = {
    val index = newIndex
    readParts(parts.panes.keysIterator.takeWhile(_ <= newest))(index.insert)
    if (parts.panes.headOption.exists(_._1 <= newest)) index.closePane(fed - 1)
    index
  }

  private def readParts(panes: Iterator[Long])(take: (Long, EdgeSet) => Unit): Unit =
    panes.foreach(pane => parts.read(pane, ids).foreach(take(pane, _)))

  /** Writes the panes, and gives the header. */
  override private[state] def save(): Array[Byte] = {
    forget()
    savePanes()
    if (shape.kept.hasEvents) kept.waiting.write()
    if (isLoaded) {
      // Until the next pane closes, the index may hold more vertices than the panes in the state.
      val most = if (indexChanged) parts.count(0) + kept.size else Long.MaxValue
      ids.retainIfGrown(most)(vertices)
      if (shape.kept.hasValue && (shape.kept.isEarly || indexChanged))
        saveKept(if (kept.size == 0) None else Some(kept.toPart(ids, place)))
    }
    arrived.clear()
    closing.clear()
    indexChanged = false
    toHeader
  }

  private def savePanes(): Unit = {
    // The first pane that a window to come holds, or the window that it will be compared with.
    val keep =
      if (!isLive) Long.MaxValue
      else cursor.nextWindow - (if (shape.kept.comparesWindows) shape.panes.perSlide else 0)
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

  /** Positions of vertices that are strings tell nothing of the vertices of another block. */
  private def areSparse(sets: => collection.Seq[EdgeSet]): Boolean =
    !shape.strings && EdgeSets.areSparse(sets, mostEdges = 1)

  private[state] def toHeader: Array[Byte] = {
    val out = new BinaryWriter()
    shape.save(out)
    out.raw(newToken())
    out.signed(fed)
    out.signed(newest)
    out.unsigned(nextCall.size.toLong)
    nextCall.foreach(out.signed)
    counts.save(out)
    listed.foreach(_.save(out))
    if (shape.kept.hasValue) out.unsigned(keptBytes)
    StateFrame.seal(HeaderMagic, place, out)
  }

  private def restore(header: Array[Byte]): Unit = {
    val in = StateFrame.open(HeaderMagic, place, header)
    shape.check(in)
    in.skip(TokenSize)
    cursor = newCursor(in.signed(), in.signed())
    if (in.below(2, "the number of timers") == 1) nextCall = Some(in.signed())
    counts.restore(in)
    listed.foreach(_.restore(in))
    if (shape.kept.hasValue) keptBytes = in.unsigned()
    in.expectEnd()
  }

  override private[state] def clear(): Unit = {
    listed.foreach(_.clear())
    saveKept(None)
    callAt(None)
  }
}

private[operator] object PaneGraph {

  /** Parts of a pending pane before they are united: about as many as micro-batches, or as many tasks in some of them. */
  private[state] val MostParts = 32
}
