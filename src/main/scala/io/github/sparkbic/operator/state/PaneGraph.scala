package io.github.sparkbic.operator.state

import scala.collection.mutable
import scala.collection.mutable.ArrayBuffer

import io.github.sparkbic.index.contract.{EdgeSet, IndexSize, PaneInput, WindowCursor}
import io.github.sparkbic.index.forests.EdgeSets
import io.github.sparkbic.index.format.CorruptStateException
import io.github.sparkbic.operator.block.{PackedBlock, VertexIds}

/** One graph whose state is kept pane by pane: every pane of the window to come as a forest, from which the index is
  * built again where the index is not alive.
  *
  * A micro-batch writes the parts that it brought, one for each pane. A pane that closes with several parts is rewritten as
  * one, and removed when no window to come holds the pane. So what is written follows what is new, not the window. What is
  * read is the header alone, until a pane closes or a window is due. The parts of a pane that stays open over very many
  * micro-batches are united now and then, so that the pane takes what its vertices take, here and in the state.
  */
private[operator] final class PaneGraph(shape: StateShape, val header: PaneHeader)
    extends StreamedGraph(shape) {
  import PaneGraph.Alive

  // Of the micro-batch: the state, what came, and the edges of the panes that close with several parts.
  private var variables: PaneVariables = _
  private val arrived = mutable.TreeMap.empty[Long, ArrayBuffer[PackedBlock]]
  private val closing = mutable.TreeMap.empty[Long, ArrayBuffer[EdgeSet]]

  private var alive = Option.empty[Alive]
  private var indexChanged = false

  def attach(variables: PaneVariables): Unit = this.variables = variables
  override def ids: VertexIds = restored.ids
  override def counts: PaneCounts = header.counts

  override def cursor: WindowCursor = {
    indexChanged = true
    restored.cursor
  }

  override def add(block: PackedBlock): Unit = {
    header.counts.add(block.pane, block.edges)
    arrived.getOrElseUpdate(block.pane, ArrayBuffer.empty) += block
    alive.foreach(_.add(block))
  }

  override def take(horizon: Long): Iterator[PaneInput] = restored.pending.take(horizon).map { input =>
    val parts = header.panes.get(input.pane).fold(0)(_.parts) + arrived.get(input.pane).size
    if (parts > 1) closing.getOrElseUpdate(input.pane, ArrayBuffer.empty) += input.edges
    input
  }

  /** Vertices and links of the panes in the index; those in several panes count each time. */
  override def indexSize: IndexSize = {
    val entries = header.panes.rangeTo(header.newest).values
    def sum(count: PaneEntry => Long) = math.min(entries.map(count).sum, Int.MaxValue.toLong).toInt
    IndexSize(sum(_.vertices), sum(_.links))
  }

  override def pendingLinks: Long =
    header.panes.iteratorFrom(header.newest).filter(_._1 > header.newest).map(_._2.links).sum

  override protected def fed: Long = alive.fold(header.fed)(_.cursor.closed)
  override protected def newest: Long = alive.fold(header.newest)(_.cursor.newestPane)

  override protected def firstPending: Option[Long] = {
    val last = newest
    Seq(header.panes, arrived).flatMap(_.keysIteratorFrom(last).find(_ > last)).minOption
  }

  /** Writes what came and what closed, and removes what expired. The header is up to date then, but not written. */
  def save(): Unit = {
    val hasMoved = fed != header.fed
    header.fed = fed
    header.newest = newest
    val keep = firstKept
    def isKept(pane: Long) = pane > header.newest || pane >= keep
    arrived.foreach { case (pane, blocks) =>
      if (isKept(pane) && !closing.contains(pane)) {
        write(pane, PanePart.of(blocks, shape.strings))
        if (header.panes(pane).parts > PaneGraph.MostParts) rewrite(pane, united(pane))
      }
    }
    closing.foreach { case (pane, sets) =>
      if (isKept(pane)) rewrite(pane, PanePart.of(EdgeSets.merged(sets), ids))
    }
    header.panes.keys.takeWhile(_ <= header.newest).filterNot(isKept).toSeq.foreach(remove)
    header.counts.forgetBefore(math.min(keep, firstPending.getOrElse(Long.MaxValue)))
    alive.foreach { graph =>
      // An index of which no window to come makes use has vertices whose names are forgotten.
      if (indexChanged && !isLive) graph.cursor = cursorOf(newIndex, header.fed, header.newest)
      // Until the next pane closes, the index may hold more than the panes that are left.
      graph.prune(if (hasMoved) header.panes.valuesIterator.map(_.vertices).sum else Long.MaxValue)
    }
  }

  /** Removes the graph from the state, but for its header. */
  def clear(): Unit = {
    header.panes.keys.toSeq.foreach(remove)
    release()
  }

  /** Lets go of the micro-batch. */
  def release(): Unit = {
    arrived.clear()
    closing.clear()
    variables = null
    indexChanged = false
  }

  private def write(pane: Long, part: (IndexSize, Array[Byte])): Unit = {
    val (size, bytes) = part
    val entry = header.panes.getOrElse(pane, PaneEntry())
    variables.putPart(pane, entry.parts, bytes)
    header.panes.put(pane, entry.plus(size, bytes.length))
  }

  /** Writes the only part of a pane, in the place of those that the pane has. */
  private def rewrite(pane: Long, part: (IndexSize, Array[Byte])): Unit = {
    val before = header.panes.remove(pane)
    write(pane, part)
    before.foreach(entry => (1 until entry.parts).foreach(variables.removePart(pane, _)))
  }

  private def remove(pane: Long): Unit =
    header.panes.remove(pane).foreach(entry => (0 until entry.parts).foreach(variables.removePart(pane, _)))

  /** One part for all parts of a pane that waits. */
  private def united(pane: Long): (IndexSize, Array[Byte]) = alive match {
    case Some(graph) => PanePart.of(graph.pending.unite(pane), graph.ids)
    case None =>
      val ids = VertexIds.create(shape.strings)
      PanePart.of(EdgeSets.merged(parts(pane, ids).toSeq), ids)
  }

  /** The parts of a pane in the state. */
  private def parts(pane: Long, ids: VertexIds): Iterator[EdgeSet] =
    (0 until header.panes(pane).parts).iterator.map { number =>
      val bytes = variables.part(pane, number).getOrElse {
        throw new CorruptStateException(s"part $number of pane $pane is missing")
      }
      PanePart.read(bytes, ids, shape.strings)
    }

  /** The first pane of which a window to come, or the window that it will be compared with, can make use. */
  private def firstKept: Long =
    if (!isLive) Long.MaxValue
    else if (shape.comparesWindows) nextWindow - shape.panes.perSlide
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
    val made = new Alive(ids, pending, cursorOf(index, header.fed, header.newest))
    arrived.valuesIterator.flatten.foreach(made.add)
    alive = Some(made)
    made
  }
}

private[operator] object PaneGraph {

  /** Parts of a pane that waits, before they are united: about as many as micro-batches. */
  private val MostParts = 16

  /** Names that a graph may keep unused: few, since very many graphs may be alive. */
  private val FewNames = 256

  /** What is in memory alone. */
  private final class Alive(val ids: VertexIds, val pending: PendingPanes, var cursor: WindowCursor) {
    def add(block: PackedBlock): Unit = pending.add(block.pane, ids.edgeSet(block))

    /** Forgets names that no window to come holds, of which there are `most` at most. */
    def prune(most: Long): Unit = ids.retainIfGrown(FewNames, most) { visit =>
      cursor.index.vertices(visit)
      pending.vertices(visit)
    }
  }
}
