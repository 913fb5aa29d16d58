package io.github.sparkbic.operator.state

import scala.collection.mutable

import io.github.sparkbic.index.{BinaryReader, BinaryWriter}

/** How many edges came for each pane of one graph, as long as a window to come holds the pane. */
private[operator] final class PaneCounts {
  private val counts = mutable.TreeMap.empty[Long, Long]

  def add(pane: Long, edges: Long): Unit = counts.update(pane, counts.getOrElse(pane, 0L) + edges)

  def isCounted(pane: Long): Boolean = counts.contains(pane)

  /** Edges of the panes `from until until`, in time O(panes with edges). */
  def between(from: Long, until: Long): Long = counts.range(from, until).valuesIterator.sum

  def forgetBefore(pane: Long): Unit =
    while (counts.nonEmpty && counts.head._1 < pane) counts.remove(counts.head._1)

  /** The edges of each pane ([[ByPane]]). */
  def save(out: BinaryWriter): Unit = ByPane.save(counts, out)(out.unsigned)
}

private[operator] object PaneCounts {

  def restore(in: BinaryReader): PaneCounts = {
    val restored = new PaneCounts
    ByPane.restore(in, "counted panes")(restored.add(_, in.unsigned()))
    restored
  }
}
