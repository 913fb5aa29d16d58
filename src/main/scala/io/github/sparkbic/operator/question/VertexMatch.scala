package io.github.sparkbic.operator.question

import java.util.Arrays

import io.github.sparkbic.index.kernels.LongInterner

/** The vertices that two windows share, as pairs of places in the tables of both windows.
  *
  * Naively: a search of each vertex of one window in the other. Here: one hash table of the earlier window, in time
  * O(vertices of both windows). Memory: 4 bytes a place of either table, and the hash table while the match is made.
  */
private[question] final class VertexMatch(before: ComponentTable, after: ComponentTable) {
  private val ofAfter = new Array[Int](after.vertices.length)
  private val isShared = new Array[Boolean](before.vertices.length)

  pair()

  /** The place in `before` of the vertex at this place of `after`; -1 if `before` does not hold the vertex. */
  def before(placeAfter: Int): Int = ofAfter(placeAfter)

  /** Whether `after` holds the vertex at this place of `before`. */
  def isMatched(placeBefore: Int): Boolean = isShared(placeBefore)

  private def pair(): Unit = {
    val places = new LongInterner(before.vertices.length)
    // The places of the interned vertices, as a place may hold no vertex.
    val placeOf = new Array[Int](before.vertices.length)
    var place = 0
    while (place < before.vertices.length) {
      if (before.componentOf(place) >= 0) placeOf(places.intern(before.vertices(place))) = place
      place += 1
    }
    Arrays.fill(ofAfter, -1)
    place = 0
    while (place < after.vertices.length) {
      val number = if (after.componentOf(place) >= 0) places.find(after.vertices(place)) else -1
      if (number >= 0) {
        ofAfter(place) = placeOf(number)
        isShared(placeOf(number)) = true
      }
      place += 1
    }
  }
}
