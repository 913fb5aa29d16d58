package io.github.sparkbic.index.vertices

import java.util.Arrays

/** The newest pane in which each vertex of an [[IdRange]] had an edge: all that a [[VertexDirectory]] has to say where ids
  * are numbers. Nothing is added, nothing swept: a vertex that was seen too long ago is not there.
  *
  * Panes are compared by their difference. The array is made when the first numbers are prepared, and filled by and by,
  * lest anybody waits for it.
  */
private[index] final class RangeDirectory(val range: IdRange) {
  import RangeDirectory.AtATime

  private var seen = Array.empty[Int]
  private var filled = 0

  /** The first pane that a window may still start at; set by whoever has the vertices. */
  var floor: Int = 0

  // Where the count of the vertices that are there has come to, and what it found; the most that a whole count found
  // since the floor last rose, negative if there was none.
  private var counted = 0
  private var found = 0
  private var most = -1
  private var floorOfMost = 0

  // How many vertices were there when they were counted, for the floor before this one; all, until they have been.
  private var countedLive = range.length

  /** About how many vertices are there when a window ends; it may begin with none. */
  def live: Int = math.max(countedLive, most)

  // Which of the vertices that were entered last are outside.
  private var outsideAt = Array.empty[Int]

  def isFilled: Boolean = filled == range.length

  /** Prepares the next numbers, up to `count` of them. */
  def fill(count: Int): Unit = {
    if (filled == 0) seen = new Array[Int](range.length)
    val until = filled + math.min(count, range.length - filled)
    Arrays.fill(seen, filled, until, floor - 1)
    filled = until
  }

  /** Notes that `ids(from)` and the others of `count` ids have an edge in `pane`, and what their numbers are. Returns how
    * many are outside, for [[outside]].
    *
    * @param isNewest whether no vertex was seen after `pane`
    */
  def enterAll(
      ids: Array[Long],
      from: Int,
      count: Int,
      pane: Int,
      isNewest: Boolean,
      numbers: Array[Int]
  ): Int = {
    if (this.outsideAt.length < count) this.outsideAt = new Array[Int](count)
    val seen = this.seen
    val outsideAt = this.outsideAt
    val first = range.first
    val length = seen.length
    var others = 0
    var i = 0
    while (i < count) {
      val n = ids(from + i) - first
      if (n >= 0 && n < length) {
        if (isNewest) seen(n.toInt) = pane else enter(n.toInt, pane)
        numbers(i) = n.toInt
      } else {
        outsideAt(others) = i
        others += 1
      }
      i += 1
    }
    others
  }

  /** Which of the ids of the last [[enterAll]] is the `i`th one outside. */
  def outside(i: Int): Int = outsideAt(i)

  /** Notes that the vertex with this number has an edge in `pane`. */
  def enter(number: Int, pane: Int): Unit = {
    val newer = pane - seen(number)
    seen(number) += newer & ~(newer >> 31)
  }

  /** The entry of the vertex, for [[VertexDirectory.nodeOf]] and [[VertexDirectory.seenOf]]; zero if it is outside. */
  def find(id: Long): Long = {
    val n = range.numberOf(id)
    if (n < 0) 0L else VertexDirectory.entryOf(n, seen(n))
  }

  /** Visits some vertices seen in `pane` or later as `visit(id, number, seen)`, every `step`th number from `from` on,
    * before `until`.
    *
    * Which are there is noted first, for some numbers at a time, without a branch: where every other one is, a branch
    * would be guessed wrong half of the time, which takes longer than all the rest.
    */
  def visit(from: Int, until: Int, step: Int, pane: Int, visitor: VertexVisitor): Unit = {
    val seen = this.seen
    val there = new Array[Int](math.max(1, math.min(AtATime, until - from)))
    var n = from
    while (n < until) {
      var left = there.length
      var count = 0
      while (n < until && left > 0) {
        there(count) = n
        count += ~(seen(n) - pane) >>> 31
        left -= 1
        // Beyond the reach of an Int there is none.
        n = if (until - n > step) n + step else until
      }
      var i = 0
      while (i < count) {
        visitor.visit(range.first + there(i), there(i), seen(there(i)))
        i += 1
      }
    }
  }

  /** Goes on to count the vertices seen in `floor` or later, by so many numbers. */
  def count(numbers: Long): Unit = {
    val seen = this.seen
    val floor = this.floor
    if (floor != floorOfMost && most >= 0) {
      countedLive = most
      most = -1
    }
    floorOfMost = floor
    val until = counted + math.min(math.max(0L, numbers), (seen.length - counted).toLong).toInt
    var there = 0
    var n = counted
    while (n < until) {
      there += ~(seen(n) - floor) >>> 31
      n += 1
    }
    found += there
    counted = until
    if (counted == seen.length) {
      most = math.max(most, found)
      counted = 0
      found = 0
    }
  }

  /** Rewrites what was seen before `floor`, so that panes may again be compared. */
  def expire(): Unit = {
    var n = 0
    while (n < filled) {
      if (seen(n) - floor < 0) seen(n) = floor - 1
      n += 1
    }
  }
}

private object RangeDirectory {

  /** Numbers that are looked at before those that are there are visited: few enough to stay in the first cache. */
  private final val AtATime = 1024
}
