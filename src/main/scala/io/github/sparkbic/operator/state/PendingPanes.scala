package io.github.sparkbic.operator.state

import scala.collection.mutable

import io.github.sparkbic.index.contract.{EdgeSet, PaneInput}
import io.github.sparkbic.index.forests.{EdgeSets, PaneForest}
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}

/** The panes of one graph that the watermark has not closed; edges arrive in any order of panes.
  * Edges of one pane from several tasks and micro-batches are kept side by side, and mostly merged to a forest on saving. So
  * the memory is bounded by the vertices of the pane, however many blocks arrived. Loose edges stay as they are, unless
  * there are many for each vertex: a merge would take long and drop few. A large set is encoded at most once, however many
  * micro-batches it is pending for.
  */
private[operator] final class PendingPanes {
  import PendingPanes.Waiting

  private val waiting = mutable.TreeMap.empty[Long, Waiting]

  /** @param saved the saved form of `edges`, if the caller has it */
  def add(pane: Long, edges: EdgeSet, saved: Option[Array[Byte]] = None): Unit =
    waiting.getOrElseUpdate(pane, new Waiting).add(edges, saved)

  def panes: Iterator[Long] = waiting.keysIterator

  /** Removes the edges of the panes before `horizon`, and gives them by rising pane. */
  def take(horizon: Long): Iterator[PaneInput] = {
    val due = waiting.range(Long.MinValue, horizon).toSeq
    waiting --= due.map(_._1)
    inputs(due.iterator)
  }

  /** The edges of all pending panes, by rising pane. */
  def inputs: Iterator[PaneInput] = inputs(waiting.iterator)

  private def inputs(of: Iterator[(Long, Waiting)]): Iterator[PaneInput] =
    of.flatMap { case (pane, edges) => edges.sets.iterator.map(new PaneInput(pane, _)) }

  /** Links of all pending panes, in O(vertices). */
  def links: Long = sets.map(_.links.toLong).sum

  /** Merges the edges of a pane to one forest. */
  def unite(pane: Long): PaneForest = waiting(pane).unite()
  def vertices(visit: Long => Unit): Unit = sets.foreach(_.vertices(visit))
  def save(out: BinaryWriter): Unit = ByPane.save(waiting.iterator, waiting.size, out)(_.save(out))
  private def sets: Iterator[EdgeSet] = waiting.valuesIterator.flatMap(_.sets)
}

private[operator] object PendingPanes {
  private final class Waiting {
    // Room for a single set, as there may be very many graphs.
    val sets = new mutable.ArrayBuffer[EdgeSet](1)
    // The saved form of the only set, if that is large.
    private var saved = Option.empty[Array[Byte]]

    def add(edges: EdgeSet, bytes: Option[Array[Byte]]): Unit = {
      saved = if (sets.isEmpty && isWorthKeeping(edges)) bytes else None
      sets += edges
    }

    def unite(): PaneForest = {
      val merged = EdgeSets.merged(sets)
      sets.clear()
      sets += merged
      merged
    }

    def save(out: BinaryWriter): Unit = {
      if (sets.size > 1 && !EdgeSets.areSparse(sets, MostLoose)) unite(): Unit
      if (sets.size == 1 && saved.isEmpty && isWorthKeeping(sets.head)) saved = Some(sets.head.toBytes)
      out.unsigned(sets.size.toLong)
      saved.fold(sets.foreach(_.save(out)))(out.raw)
    }
  }

  /** Loose edges for each vertex of a pane, up to which they are not merged: some 50 bytes. */
  private final val MostLoose = 8

  /** Vertices below which the saved form of a set is not kept. */
  private final val FewVertices = 256

  /** Whether to keep the saved form. The array of a small set would weigh more than it saves, and loose edges are in their
    * saved form already.
    */
  private def isWorthKeeping(edges: EdgeSet) = edges.isInstanceOf[PaneForest] && edges.size >= FewVertices

  def restore(in: BinaryReader): PendingPanes = {
    val restored = new PendingPanes
    ByPane.restore(in, "pending panes") { pane =>
      val sets = in.count("the number of sets of edges of a pane")
      if (sets == 0) throw new CorruptStateException(s"pane $pane is pending without edges")
      (0 until sets).foreach(_ => restored.add(pane, EdgeSets.restore(in)))
    }
    restored
  }
}
