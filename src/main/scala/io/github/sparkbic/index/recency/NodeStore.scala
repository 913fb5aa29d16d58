package io.github.sparkbic.index.recency

import java.util.Arrays

/** The records of the vertices: three `Long`s each, side by side, so that what a step needs is on one cache line.
  *
  * {{{
  * key
  * link:  pane (high half), parent (low half)
  * seen:  newest pane with an edge (high half), state (low half)
  * }}}
  *
  * Panes are the low 32 bits of the pane number, compared by their difference; see [[RecencyIndex]] for why that is
  * right. Records are numbered, and the numbers of those freed are given out again.
  *
  * Records live in segments of 192 KiB, so growing zeroes one segment and copies nothing; only the first one is grown
  * by doubling, for graphs of a few vertices. The cost is one more load a step, from an array that stays in the cache.
  *
  * Compaction. A record cannot simply move, because nobody knows who links to it. So it leaves a forwarder: a link to
  * its new place that is taken for newer than every edge, hence followed by every climb. Numbers from `drain` on are
  * being emptied; once a pass over all records has redirected the links that lead there, the segments are dropped.
  */
private[recency] final class NodeStore {
  import NodeStore._

  var segments: Array[Array[Long]] = Array(new Array[Long](8 * Width))

  /** Numbers given out so far are `0 until top`. */
  var top: Int = 0

  /** First number of the part that is being emptied; `Int.MaxValue` if none is. */
  var drain: Int = Int.MaxValue

  /** Whether a record of that part had to stay or was given out after the part should have been empty. */
  var spilled: Boolean = false

  // Freed records, chained through the low halves of their links; the high half names the chain.
  private var free = NoNode
  private var epoch = 0

  def key(n: Int): Long = segments(n >>> Shift)((n & Mask) * Width)

  def link(n: Int): Long = segments(n >>> Shift)((n & Mask) * Width + 1)

  def setLink(n: Int, pane: Int, parent: Int): Unit =
    segments(n >>> Shift)((n & Mask) * Width + 1) = pack(pane, parent)

  def seen(n: Int): Int = (segments(n >>> Shift)((n & Mask) * Width + 2) >> 32).toInt

  def state(n: Int): Int = segments(n >>> Shift)((n & Mask) * Width + 2).toInt

  def set(n: Int, key: Long, link: Long, seen: Int): Unit = {
    val segment = segments(n >>> Shift)
    val at = (n & Mask) * Width
    segment(at) = key
    segment(at + 1) = link
    segment(at + 2) = pack(seen, Live)
  }

  /** Notes that the vertex has an edge of `pane`. */
  def touch(n: Int, pane: Int): Unit = {
    val segment = segments(n >>> Shift)
    val at = (n & Mask) * Width + 2
    if (pane - (segment(at) >> 32).toInt > 0) segment(at) = pack(pane, Live)
  }

  /** The end of the path from `from` over links of panes not before `pane`.
    *
    * Two links of one pane in a row are halved on the way: both hold in the same windows. Not so if that would spread
    * a link into the part that is being emptied.
    */
  def climb(from: Int, pane: Int): Int = {
    val segments = this.segments
    val drain = this.drain
    var v = from
    var segment = segments(v >>> Shift)
    var at = (v & Mask) * Width + 1
    var link = segment(at)
    while ((link >> 32).toInt - pane >= 0) {
      val parent = link.toInt
      val parentSegment = segments(parent >>> Shift)
      val parentAt = (parent & Mask) * Width + 1
      val above = parentSegment(parentAt)
      if (((above ^ link) >>> 32) == 0 && above.toInt < drain) {
        segment(at) = above
        v = above.toInt
        segment = segments(v >>> Shift)
        at = (v & Mask) * Width + 1
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
  def allocate(): Int =
    if (free != NoNode) allocateFreed()
    else {
      if (top == MaxNodes)
        throw new IllegalStateException(
          s"more than $MaxNodes vertices in one window of one graph; split it with `by` or shorten the window"
        )
      val segment = top >>> Shift
      if (segment == segments.length) segments = Arrays.copyOf(segments, segment + (segment >> 1) + 1)
      if (segments(segment) == null) segments(segment) = new Array[Long](Width << Shift)
      else if ((top & Mask) * Width == segments(segment).length)
        segments(segment) =
          Arrays.copyOf(segments(segment), math.min(segments(segment).length * 2, Width << Shift))
      top += 1
      if (top > drain) spilled = true
      top - 1
    }

  /** A freed number, below `drain`, or -1 if there is none. */
  def allocateFreed(): Int = {
    val n = free
    if (n != NoNode) free = link(n).toInt
    n
  }

  /** Takes back a number that nothing leads to; one from `drain` on is not given out again. */
  def release(n: Int): Unit = {
    setState(n, Free)
    if (n >= drain) setLink(n, epoch - 1, NoNode)
    else {
      setLink(n, epoch, free)
      free = n
    }
  }

  /** Whether `n` is free, but not chained for reuse. */
  def isUnlisted(n: Int): Boolean = state(n) == Free && (link(n) >> 32).toInt != epoch

  /** Moves a record to `to` and leaves a forwarder, whose pane is after every pane that a climb may ask for. */
  def move(n: Int, to: Int, forwarderPane: Int): Unit = {
    set(to, key(n), link(n), seen(n))
    setLink(n, forwarderPane, to)
    setState(n, Moved)
  }

  /** Where the record of a linked vertex is now. */
  def resolve(n: Int): Int = if (state(n) == Moved) link(n).toInt else n

  /** Starts to empty the numbers from `from` on. All freed numbers are unlisted, to be released anew where they lie
    * below.
    */
  def startDrain(from: Int): Unit = {
    drain = from
    spilled = false
    free = NoNode
    epoch += 1
  }

  /** Ends what [[startDrain]] began, and drops the emptied segments unless something lies there again. */
  def endDrain(): Unit = {
    if (!spilled) {
      top = drain
      segments = Arrays.copyOf(segments, top >>> Shift)
    }
    drain = Int.MaxValue
  }

  private def setState(n: Int, state: Int): Unit =
    segments(n >>> Shift)((n & Mask) * Width + 2) = state.toLong
}

private[recency] object NodeStore {
  final val Width = 3
  final val Shift = 13
  final val Mask = (1 << Shift) - 1

  /** Node numbers share 32 bits with a tag in [[KeyDirectory]]. */
  final val MaxNodes = (1 << 27) - 1

  final val NoNode = -1

  // States.
  final val Free = 0
  final val Live = 1
  final val Moved = 2

  def pack(high: Int, low: Int): Long = (high.toLong << 32) | (low & 0xffffffffL)
}
