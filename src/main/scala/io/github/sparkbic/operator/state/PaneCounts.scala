package io.github.sparkbic.operator.state

import java.util.Arrays

import io.github.sparkbic.index.{BinaryReader, BinaryWriter}

/** How many edges came for each pane of one graph, as long as a window to come holds the pane.
  *
  * Two arrays in the order of the panes: there may be very many graphs, and the trees of boxed numbers that a sorted map
  * is would outweigh the index of a small one. Most panes come in order; a pane before others moves these by one place.
  */
private[operator] final class PaneCounts {
  import PaneCounts.Smallest

  private var panes = new Array[Long](Smallest)
  private var edges = new Array[Long](Smallest)
  // What is counted is in the places `first until end`.
  private var first = 0
  private var end = 0

  def add(pane: Long, count: Long): Unit = {
    val at = placeOf(pane)
    if (at >= 0) edges(at) += count else insert(~at, pane, count)
  }

  def isCounted(pane: Long): Boolean = placeOf(pane) >= 0

  /** Edges of the panes `from until until`, in time O(panes with edges). */
  def between(from: Long, until: Long): Long = {
    var sum = 0L
    var at = placeFrom(from)
    while (at < end && panes(at) < until) {
      sum += edges(at)
      at += 1
    }
    sum
  }

  def forgetBefore(pane: Long): Unit = first = placeFrom(pane)

  /** Panes that there is memory for. */
  private[state] def room: Int = panes.length

  /** The edges of each pane ([[ByPane]]). */
  def save(out: BinaryWriter): Unit =
    ByPane.save((first until end).iterator.map(at => panes(at) -> edges(at)), end - first, out)(out.unsigned)

  /** The place of a pane, or else the complement of where it would be. */
  private def placeOf(pane: Long): Int =
    if (end > first && panes(end - 1) < pane) ~end else Arrays.binarySearch(panes, first, end, pane)

  /** The place of the first pane from `pane` on. */
  private def placeFrom(pane: Long): Int = {
    val at = placeOf(pane)
    if (at >= 0) at else ~at
  }

  private def insert(place: Int, pane: Long, count: Long): Unit = {
    var at = place
    if (end == panes.length) {
      at -= first
      moveToFront()
    }
    System.arraycopy(panes, at, panes, at + 1, end - at)
    System.arraycopy(edges, at, edges, at + 1, end - at)
    panes(at) = pane
    edges(at) = count
    end += 1
  }

  /** Moves what is counted to the first places, of twice as many if it fills more than half of them. */
  private def moveToFront(): Unit = {
    val count = end - first
    val room = if (2 * count > panes.length) 2 * panes.length else panes.length
    panes = Arrays.copyOfRange(panes, first, first + room)
    edges = Arrays.copyOfRange(edges, first, first + room)
    first = 0
    end = count
  }
}

private[operator] object PaneCounts {
  private val Smallest = 4

  def restore(in: BinaryReader): PaneCounts = {
    val restored = new PaneCounts
    ByPane.restore(in, "counted panes")(restored.add(_, in.unsigned()))
    restored
  }
}
