package io.github.sparkbic.operator.state

import scala.collection.mutable
import scala.collection.mutable.ArrayBuffer

import io.github.sparkbic.index.{BinaryReader, BinaryWriter, PaneBlock, PaneForest}

/** The panes of one graph that the watermark has not closed: they wait, in any order of arrival, for their turn.
  *
  * Several forests of a pane, from several tasks and micro-batches, are kept side by side and merged when they are
  * saved, so that what is kept is bounded by the vertices of the pane and not by how often blocks came. The bytes
  * of a forest are those of its block, or made once, however many micro-batches it waits for.
  */
private[operator] final class PendingPanes {
  import PendingPanes.Waiting

  private val waiting = mutable.TreeMap.empty[Long, Waiting]

  /** @param saved what `forest` is saved as, if that is at hand */
  def add(pane: Long, forest: PaneForest, saved: Option[Array[Byte]] = None): Unit =
    waiting.getOrElseUpdate(pane, new Waiting).add(forest, saved)

  def firstPane: Option[Long] = waiting.headOption.map(_._1)

  /** Takes out, by rising pane, the blocks before `horizon`. */
  def take(horizon: Long): Iterator[PaneBlock] = {
    val due = waiting.rangeUntil(horizon).toSeq
    due.foreach { case (pane, _) => waiting.remove(pane) }
    due.iterator.flatMap { case (pane, of) => of.forests.map(new PaneBlock(pane, _)) }
  }

  /** Links of all panes that wait, O(vertices). */
  def links: Long = waiting.valuesIterator.flatMap(_.forests).map(_.links.toLong).sum

  def panes: Iterator[Long] = waiting.keysIterator

  def vertices(visit: Long => Unit): Unit =
    waiting.valuesIterator.flatMap(_.forests).foreach(_.ids.foreach(visit))

  /** The forest of each pane ([[ByPane]]). */
  def save(out: BinaryWriter): Unit = ByPane.save(waiting, out)(_.save(out))
}

private[operator] object PendingPanes {

  /** The forests of a pane, and, if that is long, what they were saved as last. */
  private final class Waiting {
    private val parts = ArrayBuffer.empty[PaneForest]
    private var saved = Option.empty[Array[Byte]]

    def forests: Iterator[PaneForest] = parts.iterator

    def add(forest: PaneForest, bytes: Option[Array[Byte]]): Unit = {
      saved = if (parts.isEmpty && forest.size >= Many) bytes else None
      parts += forest
    }

    def save(out: BinaryWriter): Unit = {
      if (parts.size > 1) {
        val merged = PaneForest.merged(parts)
        parts.clear()
        parts += merged
      }
      val forest = parts.head
      if (saved.isEmpty && forest.size >= Many) saved = Some(forest.toBytes)
      saved.fold(forest.save(out))(out.raw)
    }
  }

  /** From so many vertices on, what was saved is kept: for fewer, the array of it would weigh more than it spares. */
  private val Many = 256

  def restore(in: BinaryReader): PendingPanes = {
    val restored = new PendingPanes
    ByPane.restore(in, "pending panes")(restored.add(_, PaneForest.restore(in)))
    restored
  }
}
