package io.github.sparkbic.operator.state

import java.util.Arrays

import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter}

/** How many edges arrived for each pane of one graph, as long as a window to come holds the pane.
  *
  * Two arrays by rising pane: in very many small graphs, the boxed numbers of a sorted map would outweigh the index. Panes
  * mostly arrive in order; an older pane moves the later ones by one place.
  */
private[operator] final class PaneCounts {
  private var panes, edges = new Array[Long](4)
  private var size = 0

  def add(pane: Long, count: Long): Unit = {
    val at = firstFrom(pane)
    if (at == size || panes(at) != pane) {
      if (size == panes.length) {
        panes = Arrays.copyOf(panes, 2 * size)
        edges = Arrays.copyOf(edges, 2 * size)
      }
      move(at, at + 1)
      panes(at) = pane
      edges(at) = 0
    }
    edges(at) += count
  }

  /** Edges of the panes `from until until`, in time O(panes with edges). */
  def between(from: Long, until: Long): Long =
    Iterator.range(firstFrom(from), size).takeWhile(panes(_) < until).map(edges(_)).sum

  def forgetBefore(pane: Long): Unit = move(firstFrom(pane), 0)

  def panesFrom(pane: Long): Iterator[Long] = Iterator.range(firstFrom(pane), size).map(panes(_))

  /** The last pane, if there is one from `pane` on. */
  def lastFrom(pane: Long): Option[Long] = if (firstFrom(pane) < size) Some(panes(size - 1)) else None

  def save(out: BinaryWriter): Unit =
    ByPane.save((0 until size).iterator.map(at => panes(at) -> edges(at)), size, out)(out.unsigned)

  /** Adds the bytes of [[save]]. */
  def restore(in: BinaryReader): Unit = ByPane.restore(in, "counted panes")(add(_, in.unsigned()))

  private def move(from: Int, to: Int): Unit = {
    System.arraycopy(panes, from, panes, to, size - from)
    System.arraycopy(edges, from, edges, to, size - from)
    size += to - from
  }

  /** The position of the first pane from `pane` on. */
  private def firstFrom(pane: Long): Int =
    if (size == 0 || panes(size - 1) < pane) size
    else {
      val found = Arrays.binarySearch(panes, 0, size, pane)
      math.max(found, ~found)
    }
}
