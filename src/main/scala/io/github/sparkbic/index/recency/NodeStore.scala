package io.github.sparkbic.index.recency

import java.util.Arrays

/** The records of the vertices: two `Long`s each, side by side, so that what a step needs is on one cache line.
  *
  * {{{
  * link: pane (high half), parent (low half)
  * key
  * }}}
  *
  * Panes are the low 32 bits of the pane number, compared by their difference; see [[RecencyForest]] for why that is
  * right. Records are numbered, and the numbers of those freed are given out again.
  *
  * Records live in segments of 128 KiB, so growing zeroes one segment and copies nothing; only the first one is grown
  * by doubling, for graphs of a few vertices. The cost is one more load a step, from an array that stays in the cache.
  *
  * Compaction. A record cannot simply move, because nobody knows who links to it. So it leaves a forwarder: a link to
  * its new place that is taken for newer than every edge, hence followed by every climb. Numbers from `drain` on are
  * being emptied; once all links that lead there have been redirected, the segments are dropped.
  */
private[recency] final class NodeStore {
  import NodeStore._

  private var segments: Array[Array[Long]] = Array(new Array[Long](8 * Width))

  /** Numbers given out so far are `0 until top`. */
  var top: Int = 0

  /** First number of the part that is being emptied; `Int.MaxValue` if none is. */
  var drain: Int = Int.MaxValue

  /** Whether a record of that part had to stay or was given out after the part should have been empty. */
  var spilled: Boolean = false

  // Whether there may be forwarders, and the pane that marks them.
  private var forwarding = false
  private var forwarderPane = 0

  // Freed numbers, to be given out again: a stack, so that the last one, still in the cache, comes first. What lies in
  // the part that is being emptied is put aside.
  private val free = new IntStack
  private val aside = new IntStack
  // While the part is being emptied: how many of the freed numbers, from the bottom, are known to lie below it.
  private var listed = 0

  def link(n: Int): Long = segments(n >>> Shift)((n & Mask) * Width)

  def key(n: Int): Long = segments(n >>> Shift)((n & Mask) * Width + 1)

  def set(n: Int, key: Long, link: Long): Unit = {
    val segment = segments(n >>> Shift)
    val at = (n & Mask) * Width
    segment(at) = link
    segment(at + 1) = key
  }

  def setLink(n: Int, link: Long): Unit = segments(n >>> Shift)((n & Mask) * Width) = link

  /** The end of the path from `from` over links of panes not before `pane`.
    *
    * Two links of one pane in a row are halved on the way: both hold in the same windows. Not so if that would spread
    * a link into the part that is being emptied.
    */
  def climb(from: Int, pane: Int): Int = {
    val segments = this.segments
    var v = from
    var segment = segments(v >>> Shift)
    var at = (v & Mask) * Width
    var link = segment(at)
    while ((link >> 32).toInt - pane >= 0) {
      val parent = link.toInt
      val parentSegment = segments(parent >>> Shift)
      val parentAt = (parent & Mask) * Width
      val above = parentSegment(parentAt)
      if (((above ^ link) >>> 32) == 0 && above.toInt < drain) {
        segment(at) = above
        v = above.toInt
        segment = segments(v >>> Shift)
        at = (v & Mask) * Width
        link = segment(at)
      } else {
        v = parent
        segment = parentSegment
        at = parentAt
        link = above
      }
    }
    v
  }

  /** A number whose record the caller sets. */
  def allocate(): Int = {
    val n = allocateFreed()
    if (n != NoNode) n
    else {
      if (top == MaxNodes)
        throw new IllegalStateException(
          s"more than $MaxNodes vertices in one window of one graph; split it with `by` or shorten the window"
        )
      val segment = top >>> Shift
      if (segment == segments.length) segments = Arrays.copyOf(segments, segment + (segment >> 1) + 1)
      if (segments(segment) == null) segments(segment) = new Array[Long](Width << Shift)
      else if ((top & Mask) * Width == segments(segment).length)
        segments(segment) = Arrays.copyOf(segments(segment), segments(segment).length * 2)
      top += 1
      if (top > drain) spilled = true
      top - 1
    }
  }

  /** A freed number, below `drain`, or -1 if there is none. */
  def allocateFreed(): Int = {
    while (!free.isEmpty) {
      val n = free.pop()
      if (n < drain) return n
      aside.push(n)
    }
    NoNode
  }

  /** Takes back a number that nothing leads to. Its link has expired. */
  def release(n: Int): Unit = (if (n < drain) free else aside).push(n)

  /** Moves a record to `to` and leaves a forwarder. */
  def move(n: Int, to: Int): Unit = {
    val parent = link(n).toInt
    set(to, key(n), if (parent == n) pack((link(n) >> 32).toInt, to) else link(n))
    setLink(n, pack(forwarderPane, to))
  }

  def isForwarder(n: Int): Boolean = forwarding && (link(n) >> 32).toInt == forwarderPane

  /** Where the record of a linked vertex is now. */
  def resolve(n: Int): Int = if (isForwarder(n)) link(n).toInt else n

  /** Starts to empty the numbers from `from` on, a whole number of segments. */
  def startDrain(from: Int): Unit = {
    drain = from
    listed = 0
  }

  /** Puts aside the freed numbers of that part, looking at up to `count` of them. */
  def list(count: Int): Unit = {
    var left = count
    while (left > 0 && listed < free.size) {
      if (free(listed) < drain) listed += 1
      else {
        aside.push(free(listed))
        val last = free.pop()
        if (listed < free.size) free(listed) = last
      }
      left -= 1
    }
  }

  /** Whether all freed numbers are below that part. */
  def isListed: Boolean = listed >= free.size

  /** From now on records are moved; links of `pane`, which is after every one that a climb may ask for, forward. */
  def startMoving(pane: Int): Unit = {
    forwarding = true
    forwarderPane = pane
    spilled = false
  }

  /** The part is to be used again as before. */
  def endDrain(): Unit = {
    drain = Int.MaxValue
    while (!aside.isEmpty) free.push(aside.pop())
  }

  /** Drops the part, which nothing leads to any more. */
  def drop(): Unit = {
    top = drain
    segments = Arrays.copyOf(segments, top >>> Shift)
    drain = Int.MaxValue
    forwarding = false
    aside.clear()
    free.trim()
  }

  /** All forwarders have been released. */
  def endForwarding(): Unit = forwarding = false
}

private[recency] object NodeStore {
  final val Width = 2
  final val Shift = 13
  final val Mask = (1 << Shift) - 1

  final val MaxNodes = 1 << 30
  final val NoNode = -1

  def pack(high: Int, low: Int): Long = (high.toLong << 32) | (low & 0xffffffffL)
}

/** Numbers, the last one in first out. Small ones only need a small array. */
private final class IntStack {
  private var items = new Array[Int](IntStack.Smallest)
  private var count = 0

  def size: Int = count

  def isEmpty: Boolean = count == 0

  def apply(i: Int): Int = items(i)

  def update(i: Int, item: Int): Unit = items(i) = item

  def push(item: Int): Unit = {
    if (count == items.length) items = Arrays.copyOf(items, count + (count >> 1))
    items(count) = item
    count += 1
  }

  def pop(): Int = {
    count -= 1
    items(count)
  }

  def clear(): Unit = {
    items = new Array[Int](IntStack.Smallest)
    count = 0
  }

  /** Gives back the memory that is not used. */
  def trim(): Unit = items = Arrays.copyOf(items, math.max(IntStack.Smallest, count))
}

private object IntStack {
  final val Smallest = 8
}
