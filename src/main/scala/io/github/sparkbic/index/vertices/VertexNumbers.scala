package io.github.sparkbic.index.vertices

import java.util.Arrays

/** Numbers the vertices of the windows to come, densely, so that all else is arrays of primitives.
  *
  * A vertex keeps its number while a window to come may hold it. Then a sweep, which goes along with the inserts, takes
  * the number back and gives it to another vertex. Each vertex added pays for the sweep of several places, so that about
  * a tenth of all numbers are dead however fast vertices come and go; and every edge pays a little, and every pane what is
  * missing, so that memory is given back when they stop coming.
  *
  * What is where is for a [[VertexDirectory]] to know, or, where ids are dense, for a [[RangeTable]]; see
  * [[RangeFollower]].
  *
  * Panes are the low 32 bits of pane numbers, compared by their difference, which is right while they are less than
  * 2^31^ apart; [[sweepAll]] keeps them so.
  *
  * @param smallestRanged vertices below which no range is looked for
  * @param initial        the vertices of a range
  * @param expected       vertices that will be added outside of it
  */
private[sparkbic] final class VertexNumbers private (
    val keys: VertexKeys,
    smallestRanged: Int,
    initial: RangeTable,
    expected: Int
) {
  import VertexDirectory.{nodeOf, seenOf}
  import VertexNumbers._

  def this(keys: VertexKeys, smallestRanged: Int = IdSample.SmallestRanged) =
    this(keys, smallestRanged, RangeTable.empty, 0)

  private val directory = new VertexDirectory(expected)
  private val pool = new NumberPool
  private val release: VertexSweep = pool.release(_)
  private val sweep = new PaidSweep(directory, release)

  private val ranges = new RangeFollower(directory, keys, smallestRanged, initial)
  // Ids of the range that are paid for to be swept, and how many were since panes paid last.
  private var credit = 0L
  private var rangePaid = 0L

  // Of the ids that are being entered: their entries in the range, which have none, and the keys of these.
  private var found = Array.empty[Long]
  private var missing = Array.empty[Int]
  private var entered = Array.empty[Long]

  /** The same without a vertex. */
  def cleared: VertexNumbers = new VertexNumbers(keys, smallestRanged)

  /** Vertices last seen before this pane may be forgotten; set by the index. */
  var floor: Int = 0

  /** Notes which part of a window has passed since the first edge. */
  def noteFilled(part: Double): Unit = ranges.noteFilled(part)

  /** Numbers given out so far are `0 until top`. */
  def top: Int = pool.top

  /** Vertices that have a number, with some that are dead, but not swept yet. */
  def size: Int = directory.size + ranges.table.size

  /** Ids that have a place of their own. */
  private[index] def rangedIds: Int = ranges.table.range.length

  /** Whether vertices are on their way to a range, or from one. */
  private[index] def isMoving: Boolean = ranges.isMoving

  /** The number of a vertex that occurs in `pane` or later, or -1. */
  def find(id: Long, pane: Int): Int = {
    val there = ranges.table.find(id)
    val entry = if (there != 0) there else directory.find(keys.keyOf(id))
    if (entry == 0 || seenOf(entry) - pane < 0) -1 else nodeOf(entry)
  }

  /** Notes that `ids(from)` and the others of `count` have edges in `pane`, and what their numbers are. No vertex has been
    * seen in a later pane.
    */
  def enterAll(ids: Array[Long], from: Int, count: Int, pane: Int, numbers: Array[Int]): Unit = {
    if (entered.length < count) entered = new Array[Long](count)
    if (ranges.table.range.isEmpty) {
      keys.keysOf(ids, from, count, entered)
      directory.fetchAll(entered, 0, count)
      var i = 0
      while (i < count) {
        val n = directory.touchNewest(entered(i), pane)
        numbers(i) = if (n >= 0) n else addKey(entered(i), pane)
        i += 1
      }
    } else enterRanged(ids, from, count, pane, numbers)
  }

  private def enterRanged(ids: Array[Long], from: Int, count: Int, pane: Int, numbers: Array[Int]): Unit = {
    if (this.found.length < count) {
      this.found = new Array[Long](count)
      missing = new Array[Int](count)
    }
    val found = this.found
    val ranged = ranges.table
    ranged.findAll(ids, from, count, found)
    var others = 0
    var i = 0
    while (i < count) {
      val entry = found(i)
      if (entry != 0) {
        ranged.note(ids(from + i), nodeOf(entry), pane)
        numbers(i) = nodeOf(entry)
      } else {
        missing(others) = i
        others += 1
      }
      i += 1
    }
    if (others > 0) enterMissing(ids, from, others, pane, numbers)
  }

  /** Enters those that [[enterRanged]] did not find, in the order in which they came: one may be there twice. */
  private def enterMissing(ids: Array[Long], from: Int, count: Int, pane: Int, numbers: Array[Int]): Unit = {
    var others = 0
    var i = 0
    while (i < count) {
      val id = ids(from + missing(i))
      if (!ranges.isMoving && ranges.takes(id)) numbers(missing(i)) = enterOfRange(id, pane)
      else {
        missing(others) = missing(i)
        entered(others) = keys.keyOf(id)
        others += 1
      }
      i += 1
    }
    directory.fetchAll(entered, 0, others)
    i = 0
    while (i < others) {
      numbers(missing(i)) = enterOther(ids(from + missing(i)), entered(i), pane)
      i += 1
    }
  }

  /** Enters a vertex that may be in the directory. */
  private def enterOther(id: Long, key: Long, pane: Int): Int = {
    val n = directory.touchNewest(key, pane)
    if (n >= 0) n else if (ranges.takes(id)) enterOfRange(id, pane) else addKey(key, pane)
  }

  /** Adds a vertex of the range, unless it came a moment ago. */
  private def enterOfRange(id: Long, pane: Int): Int = {
    val entry = ranges.table.find(id)
    if (entry != 0) nodeOf(entry)
    else {
      val n = pool.allocate()
      ranges.table.add(id, n, pane)
      credit += AddPaysRanged
      n
    }
  }

  /** Visits every vertex seen in `pane` or later as `visit(id, number)`. */
  def foreach(pane: Int)(visit: (Long, Int) => Unit): Unit =
    foreachSeen(pane)((id, number, _) => visit(id, number))

  /** Visits every vertex seen in `pane` or later as `visit(id, number, seen)`. */
  def foreachSeen(pane: Int)(visitor: VertexVisitor): Unit = {
    ranges.table.visitSeen(pane, visitor)
    directory.foreach { (key, number, seen) =>
      if (seen - pane >= 0) visitor.visit(keys.idOf(key), number, seen)
    }
  }

  /** Does what the vertices and edges since the last call have paid for: sweeps, and follows the ids as they become dense
    * or sparse.
    */
  def settle(edges: Int): Unit = {
    sweep.pay(edges)
    sweep.sweep(floor)
    if (ranges.table.size > 0) ranges.table.sweep(credit + edges, floor, release)
    rangePaid += credit + edges
    credit = 0L
    ranges.follow(edges, floor)
  }

  /** Does what panes pay for that are so large a part of a window: what their vertices and edges have not. That is when they
    * are over, since a window may begin with hardly a vertex.
    */
  def settlePanes(part: Double): Unit = {
    sweep.payPart(part)
    sweep.sweep(floor)
    val missing = math.ceil(ranges.table.range.length * part).toLong - rangePaid
    if (ranges.table.size > 0 && missing > 0) ranges.table.sweep(missing, floor, release)
    rangePaid = 0L
    ranges.followPart(part, floor)
  }

  /** Forgets everything that may be forgotten, so that panes may again be compared for 2^30^ panes to come. */
  def sweepAll(): Unit = {
    sweep.sweepAll(floor)
    ranges.table.sweepAll(floor, release)
  }

  /** Whether most numbers are dead, and [[renumber]] would save memory. */
  def isSparse: Boolean = top > 1024 && size < top / 4

  /** Gives all vertices new numbers, `0 until size`, and returns the new number of each old one, or -1. */
  def renumber(): Array[Int] = {
    sweepAll()
    val renumbered = new Array[Int](top)
    Arrays.fill(renumbered, -1)
    pool.clear()
    val numberOf = (number: Int) => {
      renumbered(number) = pool.allocate()
      renumbered(number)
    }
    ranges.table.renumber(numberOf)
    directory.renumber(numberOf)
    renumbered
  }

  private def addKey(key: Long, pane: Int): Int = {
    val n = pool.allocate()
    directory.add(key, n, pane)
    sweep.pay(AddPays)
    ranges.noteAdded()
    n
  }
}

private[sparkbic] object VertexNumbers {

  /** These vertices, by rising id, numbered from zero on, with the panes in which they were seen last; they owe nothing to
    * the sweep.
    */
  def of(
      keys: VertexKeys,
      floor: Int,
      ids: Array[Long],
      seen: Array[Int],
      smallestRanged: Int = IdSample.SmallestRanged
  ): VertexNumbers = {
    val range = IdSample.rangeOf(ids, seen, floor, smallestRanged)
    // Those of the range lie side by side.
    var low = 0
    while (low < ids.length && range.numberOf(ids(low)) < 0) low += 1
    var high = low
    val ranged = new RangeTable(range)
    while (high < ids.length && range.numberOf(ids(high)) >= 0) {
      ranged.add(ids(high), high, seen(high))
      high += 1
    }
    val vertices = new VertexNumbers(keys, smallestRanged, ranged, ids.length - ranged.size)
    vertices.floor = floor
    vertices.pool.top = ids.length
    val idKeys = new Array[Long](ids.length)
    keys.keysOf(ids, 0, ids.length, idKeys)
    vertices.directory.addAll(idKeys, seen, 0, low, 0)
    vertices.directory.addAll(idKeys, seen, high, ids.length, high)
    vertices
  }

  /** What an added vertex pays for the sweep, in eighths of a place. */
  private final val AddPays = 60

  /** The same for a vertex of the range, in ids, to look at which takes less. */
  private final val AddPaysRanged = 32
}
