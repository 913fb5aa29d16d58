package io.github.sparkbic.operator.state

import scala.collection.mutable

import io.github.sparkbic.index.{BinaryReader, BinaryWriter, CorruptStateException}

/** How many edges came for each pane of one graph, as long as a window to come holds the pane. */
private[operator] final class PaneCounts {
  private val counts = mutable.TreeMap.empty[Long, Long]

  def add(pane: Long, edges: Long): Unit = counts.update(pane, counts.getOrElse(pane, 0L) + edges)

  def isCounted(pane: Long): Boolean = counts.contains(pane)

  /** Edges of the panes `from until until`, in time O(panes with edges). */
  def between(from: Long, until: Long): Long = counts.range(from, until).valuesIterator.sum

  def forgetBefore(pane: Long): Unit =
    while (counts.nonEmpty && counts.head._1 < pane) counts.remove(counts.head._1)

  /** The number of panes, and for each, by rising pane: difference to the one before, and its edges. */
  def save(out: BinaryWriter): Unit = {
    out.unsigned(counts.size.toLong)
    var previous = 0L
    counts.foreach { case (pane, edges) =>
      out.signed(pane - previous)
      out.unsigned(edges)
      previous = pane
    }
  }
}

private[operator] object PaneCounts {

  def restore(in: BinaryReader): PaneCounts = {
    val restored = new PaneCounts
    var pane = 0L
    (0 until in.count("the number of counted panes")).foreach { i =>
      val step = in.signed()
      if (i > 0 && step <= 0) throw new CorruptStateException("the counted panes are not in rising order")
      pane += step
      restored.add(pane, in.unsigned())
    }
    restored
  }
}
