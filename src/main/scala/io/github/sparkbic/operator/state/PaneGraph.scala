package io.github.sparkbic.operator.state

import scala.collection.mutable

import io.github.sparkbic.index.contract.{ConnectivityIndex, EdgeSet, IndexSize, PaneInput, WindowCursor}
import io.github.sparkbic.index.forests.EdgeSets
import io.github.sparkbic.index.format.CorruptStateException
import io.github.sparkbic.operator.block.{PackedBlock, VertexIds}

/** One graph whose state is kept pane by pane: a forest for every pane of the window to come. The index is built from these
  * forests where it is not alive.
  *
  * A micro-batch writes one part for each pane that it brought edges of. A pane that closes with several parts is rewritten
  * as one, and removed when no window to come holds it. So the writes follow the new edges, not the window. Until a pane
  * closes or a window is due, only the header is read. Loose edges of several tasks, with about as many vertices, are parts
  * of their own instead, also of a pane that has closed: a merge would take long and drop few.
  * The parts of a pane that stays open over very many micro-batches are united now and then. So an open pane takes memory
  * and state for its vertices only.
  */
private[operator] final class PaneGraph(shape: StateShape, place: StatePlace, val header: PaneHeader)
    extends StreamedGraph(shape) {
  import PaneGraph.{Alive, MostParts}

  // Of the micro-batch: the state, the blocks that arrived, and the edges of panes that close with several parts.
  private var variables: PaneVariables = _
  private val arrived = mutable.TreeMap.empty[Long, mutable.ArrayBuffer[PackedBlock]]
  private val closing = mutable.TreeMap.empty[Long, mutable.ArrayBuffer[EdgeSet]]
  private var alive = Option.empty[Alive]
  private var indexChanged = false
  def attach(variables: PaneVariables): Unit = this.variables = variables
  override def ids: VertexIds = restored.ids
  override def counts: PaneCounts = header.counts
  override def emitted: EmittedWindows = restored.emitted
  override def index: ConnectivityIndex = restored.cursor.index
  override def waiting: Iterator[PaneInput] = restored.pending.inputs

  override def cursor: WindowCursor = {
    indexChanged = true
    restored.cursor
  }

  override def add(block: PackedBlock): Unit = {
    header.counts.add(block.pane, block.edges)
    arrived.getOrElseUpdate(block.pane, mutable.ArrayBuffer.empty) += block
    alive.foreach(_.add(block))
  }

  override def take(horizon: Long): Iterator[PaneInput] = restored.pending.take(horizon).map { input =>
    val parts = header.panes.get(input.pane).fold(0)(_.parts) + arrived.get(input.pane).size
    if (parts > 1) closing.getOrElseUpdate(input.pane, mutable.ArrayBuffer.empty) += input.edges
    input
  }

  /** Vertices and links of the panes in the index; a vertex of several panes counts each time. */
  override def indexSize: IndexSize = {
    val entries = header.panes.range(Long.MinValue, header.newest + 1).values
    def sum(count: PaneEntry => Long) = math.min(entries.map(count).sum, Int.MaxValue.toLong).toInt
    IndexSize(sum(_.vertices), sum(_.links))
  }

  override def pendingLinks: Long =
    header.panes.iteratorFrom(header.newest).filter(_._1 > header.newest).map(_._2.links).sum

  override def fed: Long = alive.fold(header.fed)(_.cursor.fed)
  override protected def newest: Long = alive.fold(header.newest)(_.cursor.newestPane)

  override protected def firstPending: Option[Long] = {
    val last = newest
    val after = Seq(header.panes, arrived).flatMap(_.keysIteratorFrom(last).find(_ > last))
    if (after.isEmpty) None else Some(after.min)
  }

  /** Writes arrived blocks and closed panes, and removes expired panes. The header is updated, but not written. */
  def save(): Unit = {
    val hasMoved = fed != header.fed
    header.fed = fed
    header.newest = newest
    val keep = firstKept
    def isKept(pane: Long) = pane > header.newest || pane >= keep
    // The parts of these stay as they are.
    closing --= closing.iterator.filter { case (pane, sets) => isKept(pane) && areSparse(sets) }.map(
      _._1
    ).toSeq
    arrived.foreach { case (pane, blocks) =>
      if (isKept(pane) && !closing.contains(pane)) {
        val areApart = blocks.size > 1 && blocks.forall(block => EdgeSets.areLoose(block.edgeSet)) &&
          areSparse(blocks.map(block => EdgeSets.fromBytes(block.edgeSet)))
        val parts = if (areApart) blocks.map(Seq(_)) else Seq(blocks)
        parts.foreach(part => write(pane, PanePart.of(part, shape.strings, nextPlace(pane))))
        if (header.panes(pane).parts > MostParts) rewrite(pane, united(pane))
      }
    }
    closing.foreach { case (pane, sets) =>
      if (isKept(pane)) rewrite(pane, PanePart.of(EdgeSets.merged(sets), ids, place.part(pane, 0)))
    }
    header.panes.keys.takeWhile(_ <= header.newest).filterNot(isKept).toSeq.foreach(remove)
    header.counts.forgetBefore(math.min(keep, firstPending.getOrElse(Long.MaxValue)))
    alive.foreach { graph =>
      // The names of vertices that no window to come holds are forgotten, so such an index must go, too.
      if (indexChanged && !isLive) {
        graph.cursor = cursorOf(newIndex, header.fed, header.newest)
        names = KeptNames.none
      }
      // Until the next pane closes, the index may hold more vertices than the panes in the state.
      val most =
        if (hasMoved) header.panes.valuesIterator.map(_.vertices).sum + names.size else Long.MaxValue
      graph.ids.retainIfGrown(PaneGraph.FewNames, most) { visit =>
        graph.cursor.index.vertices(visit)
        graph.pending.vertices(visit)
        names.foreachId(visit)
        graph.emitted.foreachId(visit)
      }
      if (shape.kept == Kept.Emitted)
        saveKept(graph.emitted.isEmpty, graph.emitted.toPart(graph.ids, place.kept))
      else if (indexChanged && shape.kept.isInstanceOf[Kept.Names])
        saveKept(names.size == 0, names.toPart(graph.ids, place.kept))
    }
  }

  private def saveKept(isEmpty: Boolean, part: => Array[Byte]): Unit =
    if (isEmpty) removeKept()
    else {
      val bytes = part
      variables.putKept(bytes)
      header.keptBytes = bytes.length.toLong
    }

  private def removeKept(): Unit = {
    if (header.keptBytes > 0) variables.removeKept()
    header.keptBytes = 0
  }

  /** Removes the graph from the state, but for its header. */
  def clear(): Unit = {
    header.panes.keys.toSeq.foreach(remove)
    removeKept()
    release()
  }

  /** Forgets the micro-batch. */
  def release(): Unit = {
    arrived.clear()
    closing.clear()
    variables = null
    indexChanged = false
  }

  /** Positions of vertices that are strings tell nothing of the vertices of another block. */
  private def areSparse(sets: => collection.Seq[EdgeSet]): Boolean =
    !shape.strings && EdgeSets.areSparse(sets, mostEdges = 1)

  /** The place of the part that a pane gets next. */
  private def nextPlace(pane: Long): Int = place.part(pane, header.panes.get(pane).fold(0)(_.parts))

  private def write(pane: Long, part: (IndexSize, Array[Byte])): Unit = {
    val (size, bytes) = part
    val entry = header.panes.getOrElse(pane, PaneEntry())
    variables.putPart(pane, entry.parts, bytes)
    header.panes.put(pane, entry.plus(size, bytes.length))
  }

  /** Replaces all parts of a pane by one. */
  private def rewrite(pane: Long, part: (IndexSize, Array[Byte])): Unit = {
    val before = header.panes.remove(pane)
    write(pane, part)
    before.foreach(entry => (1 until entry.parts).foreach(variables.removePart(pane, _)))
  }

  private def remove(pane: Long): Unit =
    header.panes.remove(pane).foreach(entry => (0 until entry.parts).foreach(variables.removePart(pane, _)))

  /** One part for all parts of a pending pane. */
  private def united(pane: Long): (IndexSize, Array[Byte]) = alive match {
    case Some(graph) => PanePart.of(graph.pending.unite(pane), graph.ids, place.part(pane, 0))
    case None =>
      val ids = VertexIds.create(shape.strings)
      PanePart.of(EdgeSets.merged(parts(pane, ids).toSeq), ids, place.part(pane, 0))
  }

  /** The parts of a pane in the state. */
  private def parts(pane: Long, ids: VertexIds): Iterator[EdgeSet] =
    (0 until header.panes(pane).parts).iterator.map { number =>
      val bytes = variables.part(pane, number).getOrElse {
        throw new CorruptStateException(s"part $number of pane $pane is missing")
      }
      PanePart.read(bytes, ids, shape.strings, place.part(pane, number))
    }

  /** The first pane that a window to come holds, or the window that it will be compared with. */
  private def firstKept: Long =
    if (!isLive) Long.MaxValue
    else if (shape.kept.comparesWindows) nextWindow - shape.panes.perSlide
    else nextWindow

  private def restored: Alive = alive.getOrElse {
    val ids = VertexIds.create(shape.strings)
    val index = newIndex
    val pending = new PendingPanes
    header.panes.keysIterator.foreach { pane =>
      parts(pane, ids).foreach { edges =>
        if (pane <= header.newest) index.insert(pane, edges) else pending.add(pane, edges)
      }
    }
    if (header.panes.headOption.exists(_._1 <= header.newest)) index.closePane(header.fed - 1)
    def kept(what: String): Option[Array[Byte]] =
      if (header.keptBytes == 0) None
      else variables.kept.orElse(throw new CorruptStateException(s"$what are missing"))
    if (shape.kept.isInstanceOf[Kept.Names])
      kept("the names of its components").foreach(part => names = KeptNames.ofPart(part, ids, place.kept))
    val emitted =
      if (shape.kept != Kept.Emitted) None
      else kept("its emitted windows").map(EmittedWindows.ofPart(shape.panes, _, ids, place.kept))
    val cursor = cursorOf(index, header.fed, header.newest)
    val made = new Alive(ids, pending, emitted.getOrElse(new EmittedWindows(shape.panes)), cursor)
    arrived.valuesIterator.flatten.foreach(made.add)
    alive = Some(made)
    made
  }
}

private[operator] object PaneGraph {

  /** Parts of a pending pane before they are united: about as many as micro-batches, or as many tasks in some of them. */
  private[state] val MostParts = 32

  /** Names that a graph may keep unused: few, since very many graphs may be alive. */
  private val FewNames = 256

  /** The parts of a graph that are in memory alone. */
  private final class Alive(
      val ids: VertexIds,
      val pending: PendingPanes,
      val emitted: EmittedWindows,
      var cursor: WindowCursor
  ) {
    def add(block: PackedBlock): Unit = pending.add(block.pane, ids.edgeSet(block))
  }
}
