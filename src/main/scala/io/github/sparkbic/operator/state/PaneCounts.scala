package io.github.sparkbic.operator.state

import java.util.Arrays

import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter}

/** How many edges arrived for each pane of one graph, as long as a window to come holds the pane.
  *
  * Two arrays by rising pane: in very many small graphs, the boxed numbers of a sorted map would outweigh the index. Panes
  * mostly arrive in order; an older pane moves the later ones by one place.
  */
private[operator] final class PaneCounts {
  private var panes = new Array[Long](4)
  private var edges = new Array[Long](4)
  private var size = 0

  def add(pane: Long, count: Long): Unit = {
    val found = find(pane)
    if (found >= 0) edges(found) += count
    else {
      if (size == panes.length) {
        panes = Arrays.copyOf(panes, 2 * size)
        edges = Arrays.copyOf(edges, 2 * size)
      }
      move(~found, ~found + 1, size - ~found)
      panes(~found) = pane
      edges(~found) = count
      size += 1
    }
  }

  def isCounted(pane: Long): Boolean = find(pane) >= 0

  /** Edges of the panes `from until until`, in time O(panes with edges). */
  def between(from: Long, until: Long): Long =
    Iterator.range(firstFrom(from), size).takeWhile(panes(_) < until).map(edges(_)).sum

  def forgetBefore(pane: Long): Unit = {
    val gone = firstFrom(pane)
    size -= gone
    if (gone > 0) move(gone, 0, size)
  }

  /** The number of panes that the arrays have room for. */
  private[state] def room: Int = panes.length

  def save(out: BinaryWriter): Unit =
    ByPane.save((0 until size).iterator.map(at => panes(at) -> edges(at)), size, out)(out.unsigned)

  private def move(from: Int, to: Int, count: Int): Unit = {
    System.arraycopy(panes, from, panes, to, count)
    System.arraycopy(edges, from, edges, to, count)
  }

  /** The position of a pane, or else the complement of its insertion point. */
  private def find(pane: Long): Int =
    if (size > 0 && panes(size - 1) < pane) ~size else Arrays.binarySearch(panes, 0, size, pane)

  /** The position of the first pane from `pane` on. */
  private def firstFrom(pane: Long): Int = {
    val found = find(pane)
    math.max(found, ~found)
  }
}

private[operator] object PaneCounts {
  def restore(in: BinaryReader): PaneCounts = {
    val restored = new PaneCounts
    ByPane.restore(in, "counted panes")(restored.add(_, in.unsigned()))
    restored
  }
}
