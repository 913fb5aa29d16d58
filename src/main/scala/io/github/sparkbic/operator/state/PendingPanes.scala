package io.github.sparkbic.operator.state

import scala.collection.mutable
import scala.collection.mutable.ArrayBuffer

import io.github.sparkbic.index.{BinaryReader, BinaryWriter, EdgeSet, PaneForest, PaneInput}

/** The panes of one graph that the watermark has not closed: they wait, in any order of arrival, for their turn.
  *
  * Several sets of edges of a pane, from several tasks and micro-batches, are kept side by side and merged to a forest
  * when they are saved, so that what is kept is bounded by the vertices of the pane and not by how often blocks came. The
  * bytes of a set are those of its block, or made once, however many micro-batches it waits for.
  */
private[operator] final class PendingPanes {
  import PendingPanes.Waiting

  private val waiting = mutable.TreeMap.empty[Long, Waiting]

  /** @param saved what `edges` are saved as, if that is at hand */
  def add(pane: Long, edges: EdgeSet, saved: Option[Array[Byte]] = None): Unit =
    waiting.getOrElseUpdate(pane, new Waiting).add(edges, saved)

  def firstPane: Option[Long] = waiting.headOption.map(_._1)

  /** Takes out, by rising pane, the blocks before `horizon`. */
  def take(horizon: Long): Iterator[PaneInput] = {
    val due = waiting.rangeUntil(horizon).toSeq
    due.foreach { case (pane, _) => waiting.remove(pane) }
    due.iterator.flatMap { case (pane, of) => of.sets.map(new PaneInput(pane, _)) }
  }

  /** Links of all panes that wait, O(vertices). */
  def links: Long = waiting.valuesIterator.flatMap(_.sets).map(_.links.toLong).sum

  def panes: Iterator[Long] = waiting.keysIterator

  /** All that waits of a pane, from now on as one forest. */
  def unite(pane: Long): PaneForest = waiting(pane).unite()

  def vertices(visit: Long => Unit): Unit = waiting.valuesIterator.flatMap(_.sets).foreach(_.vertices(visit))

  /** The edges of each pane ([[ByPane]]). */
  def save(out: BinaryWriter): Unit = ByPane.save(waiting.iterator, waiting.size, out)(_.save(out))
}

private[operator] object PendingPanes {

  /** The edges of a pane, and, if these are many, what they were saved as last. */
  private final class Waiting {
    // One set, as a rule, and there may be very many graphs.
    private val parts = new ArrayBuffer[EdgeSet](1)
    private var saved = Option.empty[Array[Byte]]

    def sets: Iterator[EdgeSet] = parts.iterator

    def add(edges: EdgeSet, bytes: Option[Array[Byte]]): Unit = {
      saved = if (parts.isEmpty && isLarge(edges)) bytes else None
      parts += edges
    }

    def unite(): PaneForest = {
      val merged = EdgeSet.merged(parts)
      parts.clear()
      parts += merged
      merged
    }

    def save(out: BinaryWriter): Unit = {
      if (parts.size > 1) unite(): Unit
      val edges = parts.head
      if (saved.isEmpty && isLarge(edges)) saved = Some(edges.toBytes)
      saved.fold(edges.save(out))(out.raw)
    }
  }

  /** Whether what was saved is kept: of fewer, the array of it would weigh more than it spares. */
  private def isLarge(edges: EdgeSet) = edges.size >= 256

  def restore(in: BinaryReader): PendingPanes = {
    val restored = new PendingPanes
    ByPane.restore(in, "pending panes")(restored.add(_, EdgeSet.restore(in)))
    restored
  }
}
