package io.github.sparkbic.operator.state

import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.kernels.LongInterner

/** [[EmittedRows]] of pairs of the queries. Both vertices of a pair with a row occur in an open window, so both have ids. A
  * pair that the queries have several times has as many rows, told apart by how often the pair came before.
  *
  * Memory: 130 bytes a pair at most. In the state: 6 bytes and, for each vertex, its difference to the vertex of the pair
  * before.
  */
private[operator] final class EmittedPairs(panes: Panes)
    extends EmittedRows(panes, ofLast = false, "pair", width = 2) {

  // Vertices by number; pairs of their numbers; and by slot the number of a pair, beside how often it came before.
  private var vertices, pairs, slots = new LongInterner

  override def size: Int = slots.size
  override def ofPairs: EmittedPairs = this

  /** Whether the rows of a pair have come for all windows from `first` to `last`; true where there are no windows. */
  def contains(
      source: Long,
      target: Long,
      repeat: Int
  )(panesInWindow: Int, first: Long, last: Long): Boolean =
    first > last || {
      val (s, t) = (vertices.find(source), vertices.find(target))
      val pair = if (s < 0 || t < 0) -1 else pairs.find(s.toLong << 32 | t)
      val slot = if (pair < 0) -1 else slots.find(pair.toLong << 32 | repeat)
      slot >= 0 && contains(slot, placeOf(panesInWindow), first, last)
    }

  /** Notes the windows from `first` to `last` as emitted, and gives the windows among them that were not, rising. */
  def emit(source: Long, target: Long, repeat: Int)(
      panesInWindow: Int,
      first: Long,
      last: Long
  ): Iterator[Long] =
    if (first > last) Iterator.empty
    else {
      val slot = enter(Array(source, target), 0, repeat)
      val place = placeOf(panesInWindow)
      reserve(size)
      val added = addAll(slot, place, first, last)
      def windows(start: Long) = Iterator.iterate(start)(_ + step).takeWhile(_ <= last)
      if (added == EmittedRows.Mixed) windows(first).filter(add(slot, place, _)).toArray.iterator
      else windows(added)
    }

  override protected def enter(of: Array[Long], at: Int, repeat: Int): Int = {
    val pair = pairs.intern(vertices.intern(of(at)).toLong << 32 | vertices.intern(of(at + 1)))
    slots.intern(pair.toLong << 32 | repeat)
  }

  override protected def vertexOf(slot: Int, i: Int): Long = {
    val pair = pairs.id((slots.id(slot) >>> 32).toInt)
    vertices.id((if (i == 0) pair >>> 32 else pair).toInt)
  }

  override protected def repeatOf(slot: Int): Int = slots.id(slot).toInt

  override protected def clearSlots(expected: Int): Unit = {
    vertices = new LongInterner
    pairs = new LongInterner
    slots = new LongInterner
  }
}
