package io.github.sparkbic.operator.state

import scala.collection.mutable
import scala.collection.mutable.ArrayBuffer

import io.github.sparkbic.index.{
  BinaryReader,
  BinaryWriter,
  CorruptStateException,
  PaneBlock,
  PaneForest,
  PaneForestBuilder
}

/** The panes of one graph that the watermark has not closed: they wait, in any order of arrival, for their turn.
  *
  * Several forests of a pane, from several tasks and micro-batches, are kept side by side and merged when they are
  * saved, so that what is saved is bounded by the vertices of the pane and not by how often blocks came.
  */
private[operator] final class PendingPanes {
  private val forests = mutable.TreeMap.empty[Long, ArrayBuffer[PaneForest]]

  def add(pane: Long, forest: PaneForest): Unit = forests.getOrElseUpdate(pane, ArrayBuffer.empty) += forest

  def firstPane: Option[Long] = forests.headOption.map(_._1)

  /** Takes out, by rising pane, the blocks before `horizon`. */
  def take(horizon: Long): Iterator[PaneBlock] = {
    val due = forests.rangeUntil(horizon).toSeq
    due.foreach { case (pane, _) => forests.remove(pane) }
    due.iterator.flatMap { case (pane, parts) => parts.iterator.map(new PaneBlock(pane, _)) }
  }

  /** Links of all panes that wait, O(vertices). */
  def links: Long = forests.valuesIterator.flatten.map(_.links.toLong).sum

  def panes: Iterator[Long] = forests.keysIterator

  def vertices(visit: Long => Unit): Unit = forests.values.foreach(_.foreach(_.ids.foreach(visit)))

  /** The number of panes, and for each, by rising pane: difference to the one before, and its forest. */
  def save(out: BinaryWriter): Unit = {
    out.unsigned(forests.size.toLong)
    var previous = 0L
    forests.foreach { case (pane, parts) =>
      out.signed(pane - previous)
      previous = pane
      merged(parts).save(out)
    }
  }

  private def merged(parts: collection.Seq[PaneForest]): PaneForest =
    if (parts.size == 1) parts.head
    else {
      val builder = new PaneForestBuilder(parts.map(_.size).max)
      parts.foreach(builder.add)
      builder.result()
    }
}

private[operator] object PendingPanes {

  def restore(in: BinaryReader): PendingPanes = {
    val restored = new PendingPanes
    var pane = 0L
    (0 until in.count("the number of pending panes")).foreach { i =>
      val step = in.signed()
      if (i > 0 && step <= 0) throw new CorruptStateException("the pending panes are not in rising order")
      pane += step
      restored.add(pane, PaneForest.restore(in))
    }
    restored
  }
}
