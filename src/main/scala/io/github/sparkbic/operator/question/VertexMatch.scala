package io.github.sparkbic.operator.question

import java.util.BitSet

import io.github.sparkbic.index.kernels.LongInterner

/** Which vertices two windows of one graph share.
  *
  * Most vertices have the same place in both windows, so two sequential passes find them. Only the others are looked up
  * by hash: vertices that came or left, and vertices that the index has given another place.
  */
private[question] final class VertexMatch(earlier: ComponentTable, later: ComponentTable) {
  private val both = math.min(earlier.places, later.places)

  // The vertices of `earlier` whose place is not theirs in `later`, and their places.
  private val moved = new LongInterner()
  private val movedFrom = {
    val from = Array.newBuilder[Int]
    foreachPlace(earlier) { place =>
      if (!isSame(place)) {
        moved.intern(earlier.vertex(place))
        from += place
      }
    }
    from.result()
  }

  private val found = new BitSet(movedFrom.length)
  foreachPlace(later) { place =>
    if (!isSame(place)) {
      val number = moved.find(later.vertex(place))
      if (number >= 0) found.set(number)
    }
  }

  /** The place in `earlier` of the vertex at `place` of `later`; -1 if `earlier` does not hold the vertex. */
  def before(place: Int): Int =
    if (isSame(place)) place
    else {
      val number = moved.find(later.vertex(place))
      if (number >= 0) movedFrom(number) else -1
    }

  /** Visits the places in `earlier` of vertices that are not in `later`. */
  def foreachLeft(visit: Int => Unit): Unit =
    movedFrom.indices.foreach(number => if (!found.get(number)) visit(movedFrom(number)))

  /** Visits each place with a vertex. */
  private def foreachPlace(table: ComponentTable)(visit: Int => Unit): Unit = {
    var place = 1
    while (place < table.places) {
      if (table.componentOf(place) >= 0) visit(place)
      place += 1
    }
  }

  /** Whether both windows have the same vertex at this place. */
  private def isSame(place: Int): Boolean =
    place < both && earlier.componentOf(place) >= 0 && later.componentOf(place) >= 0 &&
      earlier.vertex(place) == later.vertex(place)
}
