package io.github.sparkbic.index.recency

import java.util.Arrays

import io.github.sparkbic.index.vertices.NumberPool

/** The links of the vertices, one `Long` each: the pane in its high half, the number of the parent in its low half.
  *
  * Panes are the low 32 bits of the pane number, compared by their difference; see [[RecencyForest]] for why that is
  * right. Vertices are numbered, and the numbers of those that are gone are given out again.
  *
  * A rank is a seeded permutation of the number, so that nothing has to be kept for it: no two vertices tie, and it is
  * random to whoever chose the edges. A vertex can therefore not change its number; see [[RecencyIndex]] for how memory
  * is given back.
  *
  * Links live in segments of 128 KiB, so growing zeroes one segment and copies nothing; only the first one is grown by
  * doubling, for graphs of a few vertices. The cost is one more load a step, from an array that stays in the cache.
  */
private[recency] final class LinkStore(seed: Long) {
  import LinkStore._

  private val salt = (seed ^ (seed >>> 32)).toInt
  private var segments: Array[Array[Long]] = Array(new Array[Long](Smallest))
  // Numbers that the segments have links for.
  private var room = Smallest
  private val numbers = new NumberPool

  // What was looked at ahead; kept, or the compiler would drop the looking.
  private[recency] var looked = 0L

  /** Numbers given out so far are `0 until top`. */
  def top: Int = numbers.top

  def apply(n: Int): Long = segments(n >>> Shift)(n & Mask)

  def update(n: Int, link: Long): Unit = segments(n >>> Shift)(n & Mask) = link

  /** All ones if the rank of `a` is lower than that of `b`, else zero: which it is cannot be predicted, so nothing
    * should branch on it.
    */
  def maskOfLower(a: Int, b: Int): Int = ((rank(a).toLong - rank(b)) >> 63).toInt

  /** Fetches the links of the first `count` of these vertices, as the directory does its places; if there are
    * millions of vertices, it pays to fetch those of their parents, too.
    */
  def fetchAll(numbers: Array[Int], count: Int, withParents: Boolean): Unit = {
    var seen = 0L
    var i = 0
    while (i < count) {
      seen ^= this(numbers(i))
      i += 1
    }
    if (withParents) {
      i = 0
      while (i < count) {
        seen ^= this(this(numbers(i)).toInt)
        i += 1
      }
    }
    looked = seen
  }

  def rank(n: Int): Int = {
    var h = (n ^ salt) * 0x9e3779b1
    h = (h ^ (h >>> 16)) * 0x85ebca6b
    h ^ (h >>> 15)
  }

  /** The end of the path from `from` over links of panes not before `pane`.
    *
    * Most paths are at most one link long, and whether none or one cannot be predicted: the first step does not branch.
    */
  def climb(from: Int, pane: Int): Int = {
    val segments = this.segments
    val link = segments(from >>> Shift)(from & Mask)
    // All ones if the link is too old to be followed.
    val stays = ((link >> 32).toInt - pane) >> 31
    val v = (from & stays) | (link.toInt & ~stays)
    if ((segments(v >>> Shift)(v & Mask) >> 32).toInt - pane < 0) v else climbFar(from, pane)
  }

  /** [[climb]], halving two links of one pane in a row on the way: both hold in the same windows. */
  private def climbFar(from: Int, pane: Int): Int = {
    val segments = this.segments
    var v = from
    var segment = segments(v >>> Shift)
    var link = segment(v & Mask)
    while ((link >> 32).toInt - pane >= 0) {
      val parent = link.toInt
      val parentSegment = segments(parent >>> Shift)
      val above = parentSegment(parent & Mask)
      if (((above ^ link) >>> 32) == 0) {
        segment(v & Mask) = above
        v = above.toInt
        segment = segments(v >>> Shift)
        link = segment(v & Mask)
      } else {
        v = parent
        segment = parentSegment
        link = above
      }
    }
    v
  }

  /** The number of a vertex without a link.
    *
    * @param floor the first pane that a window may start at
    */
  def allocate(floor: Int): Int = {
    val n = numbers.allocate()
    if (n == room) grow()
    this(n) = unlinked(n, floor)
    n
  }

  /** Takes back a number that nothing leads to. */
  def release(n: Int): Unit = numbers.release(n)

  /** Forgets the links of panes before `floor`. */
  def expire(floor: Int): Unit = {
    var n = 0
    while (n < top) {
      if ((this(n) >> 32).toInt - floor < 0) this(n) = unlinked(n, floor)
      n += 1
    }
  }

  private def grow(): Unit =
    if (room < SegmentSize) {
      segments(0) = Arrays.copyOf(segments(0), room * 2)
      room *= 2
    } else {
      val segment = room >>> Shift
      if (segment == segments.length) segments = Arrays.copyOf(segments, segment + (segment >> 1) + 1)
      segments(segment) = new Array[Long](SegmentSize)
      room += SegmentSize
    }
}

private[recency] object LinkStore {
  private final val Smallest = 8
  private final val Shift = 14
  private final val SegmentSize = 1 << Shift
  private final val Mask = SegmentSize - 1

  def pack(pane: Int, parent: Int): Long = (pane.toLong << 32) | (parent & 0xffffffffL)

  /** What a vertex without a link has: one to itself that no window follows. */
  def unlinked(n: Int, floor: Int): Long = pack(floor - 1, n)
}
