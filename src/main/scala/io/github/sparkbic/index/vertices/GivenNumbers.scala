package io.github.sparkbic.index.vertices

import java.util.Arrays
import java.util.function.IntToLongFunction

import io.github.sparkbic.index.contract.IndexConfig

/** Vertices whose ids are 0, 1, 2 …: the number of a vertex is its id plus one, so no map and no look-up is needed.
  *
  * Whoever numbers the vertices gives an id to another vertex only once the vertex that had it has expired; so the invariant
  * holds. Vertices are next to each other here where their ids are.
  */
private[vertices] final class GivenNumbers(config: IndexConfig) extends VertexNumbers {
  override def id(number: Int): Long = number - 1L

  override protected def numberOf(id: Long): Int = if (id >= 0 && id < last) id.toInt + 1 else 0

  override def enterAll(
      vertices: Array[Long],
      from: Int,
      count: Int,
      pane: Int,
      numbers: Array[Int]
  ): Unit = {
    var largest = last
    var i = 0
    while (i < count) {
      val number = vertices(from + i).toInt + 1
      numbers(i) = number
      largest = math.max(largest, number)
      i += 1
    }
    if (largest > last) extendTo(largest)
    i = 0
    while (i < count) {
      touch(numbers(i), pane)
      i += 1
    }
  }

  /** Makes room for numbers up to `number`, and for some more. The new numbers have no vertex. */
  private def extendTo(number: Int): Unit = {
    if (number >= capacity) reserve(number + number / 8 + 16)
    Arrays.fill(lastSeen, last + 1, number + 1, firstPane - 1)
    last = number
  }

  /** Numbers cannot be moved, so only those above the last live one are of no use. */
  override def review(): Boolean = {
    var live = last
    while (live > 0 && !isLive(live)) live -= 1
    last >= config.smallestSparse && live < last / 4
  }

  override protected def addAll(ids: IntToLongFunction): Unit = ()
}
