package io.github.sparkbic.index.bic

import java.util.Arrays

/** The edges of one pane of a chunk, on vertex numbers, for the backward build: each is a `Long`, `u << 32 | v`.
  *
  * They lie in segments of 64 KiB, so that growing copies nothing and what has been used can be dropped; only the first
  * segment grows by doubling, for graphs of a few edges.
  *
  * @param offset the pane's place in its chunk, `0 until perWindow`
  */
private[bic] final class EdgeLog(val offset: Int) {
  import EdgeLog.{edge, SegmentSize}

  private var segments = Array(new Array[Long](8))
  private var count = 0

  def size: Int = count

  /** The segment of the edges from `SegmentSize * number` on. */
  def segment(number: Int): Array[Long] = segments(number)

  /** Gives the memory of a segment back; its edges must not be asked for again. */
  def drop(number: Int): Unit = segments(number) = null

  def add(u: Int, v: Int): Unit = {
    roomyTail()(count & (SegmentSize - 1)) = edge(u, v)
    count += 1
  }

  /** Adds the edges between `vertices(0)` and `vertices(1)`, `vertices(2)` and `vertices(3)` and so on. */
  def addAll(vertices: Array[Int], ends: Int): Unit = {
    var i = 0
    while (i < ends) {
      val tail = roomyTail()
      var at = count & (SegmentSize - 1)
      val from = at
      while (i < ends && at < tail.length) {
        tail(at) = edge(vertices(i), vertices(i + 1))
        at += 1
        i += 2
      }
      count += at - from
    }
  }

  def foreach(visit: (Int, Int) => Unit): Unit = {
    var i = 0
    while (i < count) {
      val e = segments(i / SegmentSize)(i & (SegmentSize - 1))
      visit((e >>> 32).toInt, e.toInt)
      i += 1
    }
  }

  /** Drops the edges that a forest of the others does without; vertices are `0 until vertices`. A self-loop stays where
    * it is the first edge of its vertex, so at most twice as many edges stay as there are vertices.
    */
  def thin(vertices: Int): Unit = {
    val forest = new ForwardBuffer
    forest.reserve(vertices)
    var kept = 0
    var i = 0
    while (i < count) {
      val e = segments(i / SegmentSize)(i & (SegmentSize - 1))
      val u = (e >>> 32).toInt
      val v = e.toInt
      val isNew = !forest.contains(u)
      if (forest.join(u, v) || isNew) {
        segments(kept / SegmentSize)(kept & (SegmentSize - 1)) = e
        kept += 1
      }
      i += 1
    }
    count = kept
    segments = Arrays.copyOf(segments, math.max(1, (count + SegmentSize - 1) / SegmentSize))
  }

  /** Gives every vertex a new number. */
  def renumber(numbers: Array[Int]): Unit = {
    var i = 0
    while (i < count) {
      val segment = segments(i / SegmentSize)
      val at = i & (SegmentSize - 1)
      segment(at) = edge(numbers((segment(at) >>> 32).toInt), numbers(segment(at).toInt))
      i += 1
    }
  }

  /** The segment that the next edge goes to. */
  private def roomyTail(): Array[Long] = {
    val number = count / SegmentSize
    if (number == segments.length) segments = Arrays.copyOf(segments, number + (number >> 1) + 1)
    val tail = segments(number)
    if (tail == null) segments(number) = new Array[Long](SegmentSize)
    else if (number == 0 && count == tail.length) segments(number) = Arrays.copyOf(tail, count * 2)
    segments(number)
  }
}

private[bic] object EdgeLog {
  final val SegmentSize = 1 << 13

  private def edge(u: Int, v: Int): Long = u.toLong << 32 | v
}
