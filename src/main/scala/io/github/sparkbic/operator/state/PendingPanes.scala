package io.github.sparkbic.operator.state

import scala.collection.mutable

import io.github.sparkbic.index.contract.{EdgeSet, PaneInput}
import io.github.sparkbic.index.forests.EdgeSets
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}
import io.github.sparkbic.operator.block.{PackedBlock, VertexIds}

/** The panes of one graph that the watermark has not closed; edges arrive in any order of panes.
  * Edges of one pane from several tasks and micro-batches are kept side by side, and mostly merged to a forest on saving. So
  * the memory is bounded by the vertices of the pane, however many blocks arrived. Loose edges stay as they are, unless
  * there are many for each vertex: a merge would take long and drop few.
  *
  * @param ids of the graph, on which the edges are
  */
private[operator] final class PendingPanes(val ids: VertexIds) {
  private val waiting = mutable.TreeMap.empty[Long, mutable.ArrayBuffer[EdgeSet]]

  def add(block: PackedBlock): Unit = add(block.pane, ids.edgeSet(block))

  def add(pane: Long, edges: EdgeSet): Unit =
    // Room for a single set, as there may be very many graphs.
    waiting.getOrElseUpdate(pane, new mutable.ArrayBuffer[EdgeSet](1)) += edges

  def panes: Iterator[Long] = waiting.keysIterator

  /** Removes the edges of the panes before `horizon`, and gives them by rising pane. */
  def take(horizon: Long): Iterator[PaneInput] = {
    val due = waiting.range(Long.MinValue, horizon).toSeq
    waiting --= due.map(_._1)
    inputs(due.iterator)
  }

  /** The edges of all pending panes, by rising pane. */
  def inputs: Iterator[PaneInput] = inputs(waiting.iterator)

  private def inputs(of: Iterator[(Long, collection.Seq[EdgeSet])]): Iterator[PaneInput] =
    of.flatMap { case (pane, sets) => sets.iterator.map(new PaneInput(pane, _)) }

  /** Links of all pending panes, in O(vertices). */
  def links: Long = sets.map(_.links.toLong).sum
  def vertices(visit: Long => Unit): Unit = sets.foreach(_.vertices(visit))
  private def sets: Iterator[EdgeSet] = waiting.valuesIterator.flatten

  def save(out: BinaryWriter): Unit = ByPane.save(waiting.iterator, waiting.size, out) { sets =>
    if (sets.size > 1 && !EdgeSets.areSparse(sets, PendingPanes.MostLoose)) {
      val merged = EdgeSets.merged(sets)
      sets.clear()
      sets += merged
    }
    out.unsigned(sets.size.toLong)
    sets.foreach(_.save(out))
  }
}

private[operator] object PendingPanes {

  /** Loose edges for each vertex of a pane, up to which they are not merged: some 50 bytes. */
  private final val MostLoose = 8

  def restore(ids: VertexIds, in: BinaryReader): PendingPanes = {
    val restored = new PendingPanes(ids)
    ByPane.restore(in, "pending panes") { pane =>
      val sets = in.count("the number of sets of edges of a pane")
      if (sets == 0) throw new CorruptStateException(s"pane $pane is pending without edges")
      (0 until sets).foreach(_ => restored.add(pane, EdgeSets.restore(in)))
    }
    restored
  }
}
