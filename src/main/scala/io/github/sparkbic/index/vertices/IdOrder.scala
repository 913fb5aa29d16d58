package io.github.sparkbic.index.vertices

import java.util.Arrays

import io.github.sparkbic.index.kernels.RadixSort

/** Vertex numbers by rising id: read off the array of a range if there is a range, and sorted for all other ids.
  * O(numbers + ids of the range), and a [[RadixSort]] of the other ids.
  */
private[vertices] object IdOrder {

  /** The numbers of the vertices seen in `pane` or later; `places` maps the ids of the range to numbers, or 0. */
  def of(vertices: VertexNumbers, pane: Int, range: IdRange, places: Array[Int]): Array[Int] = {
    val numbers = new Array[Int](vertices.countSeen(pane))
    val outside = sortedOutside(vertices, pane, range, numbers)
    val below = countBelow(vertices, outside, range.first)
    System.arraycopy(outside, 0, numbers, 0, below)
    var count = below
    var offset = 0
    while (offset < places.length) {
      val number = places(offset)
      // Which ids are vertices cannot be predicted, so the loop does not branch on it.
      if (count < numbers.length) numbers(count) = number
      count += (if (number > 0 && vertices.isSeen(number, pane)) 1 else 0)
      offset += 1
    }
    System.arraycopy(outside, below, numbers, count, outside.length - below)
    numbers
  }

  /** How many of these vertices, which are by rising id, have smaller ids. */
  private def countBelow(vertices: VertexNumbers, numbers: Array[Int], id: Long): Int = {
    var below = 0
    var above = numbers.length
    while (below < above) {
      val middle = (below + above) >>> 1
      if (vertices.id(numbers(middle)) < id) below = middle + 1 else above = middle
    }
    below
  }

  /** The numbers of the vertices outside of the range; `room` is as long as there are vertices, and overwritten. */
  private def sortedOutside(
      vertices: VertexNumbers,
      pane: Int,
      range: IdRange,
      room: Array[Int]
  ): Array[Int] = {
    var count = 0
    var number = 1
    while (number <= vertices.top) {
      if (vertices.isSeen(number, pane) && range.offsetOf(vertices.id(number)) < 0) {
        room(count) = number
        count += 1
      }
      number += 1
    }
    val ids = new Array[Long](count)
    var i = 0
    while (i < count) {
      ids(i) = vertices.id(room(i))
      i += 1
    }
    val outside = Arrays.copyOf(room, count)
    val order = RadixSort(ids).order
    Array.tabulate(count)(i => outside(order(i)))
  }
}
