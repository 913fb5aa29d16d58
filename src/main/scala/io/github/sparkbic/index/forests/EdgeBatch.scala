package io.github.sparkbic.index.forests

import java.util.Arrays

/** A batch of edges, so that the look-ups of many vertices overlap: 16 bytes an edge of room.
  *
  * The room doubles as it fills, so that graphs of a few edges stay small, up to `mostEdges`.
  */
private[index] final class EdgeBatch(private var mostEdges: Int) {
  private var waiting = Array.emptyLongArray
  private var end = 0

  /** The ends: source and target of the first edge, of the second edge, and so on. Valid until the next call. */
  def ends: Array[Long] = waiting

  /** The number of ends that wait: two an edge. */
  def count: Int = end

  /** Room for ends, of 8 bytes each: the memory of the batch. */
  def room: Int = waiting.length

  def isEmpty: Boolean = end == 0

  /** Whether all room that there is was used by the edges so far. */
  def isFull: Boolean = end == waiting.length

  /** Whether the batch may not grow any more. */
  def isLargest: Boolean = waiting.length >= 2 * mostEdges

  /** Lets the batch grow to at least `edges`. */
  def mayGrowTo(edges: Int): Unit = mostEdges = math.max(mostEdges, edges)

  /** Reads the last end, next to which the next edge will be written. */
  def readAhead: Long = if (end == 0) 0L else waiting(end - 1)

  /** Adds an edge; the batch must not be full. */
  def add(src: Long, dst: Long): Unit = {
    val at = end
    waiting(at) = src
    waiting(at + 1) = dst
    end = at + 2
  }

  /** Adds the edges `src(i) – dst(i)` for `from <= i < until` while there is room; returns the first `i` left out. */
  def addAll(src: Array[Long], dst: Array[Long], from: Int, until: Int): Int = {
    val waiting = this.waiting
    val stop = math.min(until.toLong, from.toLong + (waiting.length - end >> 1)).toInt
    var at = end
    var i = from
    while (i < stop) {
      waiting(at) = src(i)
      waiting(at + 1) = dst(i)
      at += 2
      i += 1
    }
    end = at
    stop
  }

  /** Doubles the room; the edges stay. */
  def grow(): Unit = {
    val wanted = math.max(8L, 2L * waiting.length)
    waiting = Arrays.copyOf(waiting, math.min(2L * mostEdges, wanted).toInt)
  }

  def clear(): Unit = end = 0

  /** Gives the memory back. */
  def drop(): Unit = {
    waiting = Array.emptyLongArray
    end = 0
  }
}
