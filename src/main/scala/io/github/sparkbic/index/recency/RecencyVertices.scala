package io.github.sparkbic.index.recency

import io.github.sparkbic.index.vertices.{
  IdRange,
  IdSample,
  PaidSweep,
  RangeDirectory,
  RangeWatch,
  VertexDirectory,
  VertexKeys,
  VertexVisitor
}

/** The vertices of a [[RecencyForest]]: their numbers, and the newest pane in which each had an edge.
  *
  * Those of a range of ids, if there is one, have the first numbers, each its own for ever. The others are in a
  * [[VertexDirectory]], and expired ones are found by a sweep, a table of the directory at a time. Each vertex added
  * there pays for nine places of it, so that about one in ten is dead however fast vertices come and go; and every edge
  * pays a little, and every pane what is missing, so that their numbers are given out again when they stop coming.
  *
  * @param expected vertices that will be added outside the range
  */
private[recency] final class RecencyVertices(
    val keys: VertexKeys,
    val range: IdRange,
    links: LinkStore,
    expected: Int
) {
  import RecencyVertices._

  private val ranged = new RangeDirectory(range)
  private val directory = new VertexDirectory(expected)
  private val sweep = new PaidSweep(directory, links.release(_))

  // The keys of the vertices that are being entered into the directory; their numbers too if there is a range.
  private var entered = Array.empty[Long]
  private var enteredNumbers = Array.empty[Int]

  // Edges that have paid for the range since panes paid last.
  private var paying = 0L

  private var firstPane = 0

  /** The first pane that a window may still start at; set by the forest. */
  def floor: Int = firstPane

  def floor_=(pane: Int): Unit = {
    firstPane = pane
    ranged.floor = pane
  }

  /** Vertices that were added outside the range since the beginning. */
  var added: Long = 0L

  /** Vertices outside the range, with some that are dead, but not swept yet. */
  def outside: Int = directory.size

  /** Vertices in all, with some that are dead. */
  def size: Int = ranged.live + directory.size

  /** Whether most of the memory is for vertices that are not there: of the numbers outside the range, more than half
    * would be out of use even if a few more vertices came, or less than a quarter of the range is there.
    *
    * @param isFull whether the window is as long as it will be
    */
  def isSparse(isFull: Boolean): Boolean = {
    val numbered = links.top - range.length
    isFull && ranged.live < range.length / 4 ||
    (numbered / 2 > directory.size + (directory.size >> 2) && numbered > links.top / 4)
  }

  /** Whether the range has got its memory and vertices can be entered. */
  def isReady: Boolean = ranged.isFilled

  /** Prepares up to `count` numbers of the range: first their links, then their panes, so that the two arrays are not made
    * in the same moment.
    */
  def prepare(count: Int): Unit = {
    var left = math.min(count, range.length - links.top)
    if (left <= 0) ranged.fill(count)
    else
      while (left > 0) {
        links.allocate(floor)
        left -= 1
      }
  }

  /** The range by which these vertices would be numbered best; empty if they are too few. */
  def bestRange(watch: RangeWatch): IdRange = {
    val sample = new IdSample(IdSample.Enough, floor)
    sample.fill(ranged.live, ranged.visit(0, range.length, _, floor, _), directory, keys)
    sample.range(watch.expected(size), watch.smallest)
  }

  /** Notes that `ids(from)` and the others of `count` have an edge in `pane`, and what their numbers are.
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
  ): Unit = {
    if (entered.length < count) entered = new Array[Long](count)
    if (range.isEmpty) {
      keys.keysOf(ids, from, count, entered)
      enterKeys(count, pane, isNewest, numbers)
    } else {
      val others = ranged.enterAll(ids, from, count, pane, isNewest, numbers)
      if (others > 0) enterOthers(ids, from, others, pane, isNewest, numbers)
    }
  }

  private def enterOthers(
      ids: Array[Long],
      from: Int,
      count: Int,
      pane: Int,
      isNewest: Boolean,
      numbers: Array[Int]
  ): Unit = {
    if (enteredNumbers.length < count) enteredNumbers = new Array[Int](entered.length)
    var i = 0
    while (i < count) {
      entered(i) = keys.keyOf(ids(from + ranged.outside(i)))
      i += 1
    }
    enterKeys(count, pane, isNewest, enteredNumbers)
    i = 0
    while (i < count) {
      numbers(ranged.outside(i)) = enteredNumbers(i)
      i += 1
    }
  }

  /** Enters the first `count` of the keys into the directory. */
  private def enterKeys(count: Int, pane: Int, isNewest: Boolean, numbers: Array[Int]): Unit = {
    val directory = this.directory
    val entered = this.entered
    directory.fetchAll(entered, 0, count)
    var i = 0
    if (isNewest)
      while (i < count) {
        val n = directory.touchNewest(entered(i), pane)
        numbers(i) = if (n >= 0) n else add(entered(i), pane)
        i += 1
      }
    else
      while (i < count) {
        val n = directory.touch(entered(i), pane)
        numbers(i) = if (n >= 0) n else add(entered(i), pane)
        i += 1
      }
  }

  private def add(key: Long, pane: Int): Int = {
    val n = links.allocate(floor)
    directory.add(key, n, pane)
    sweep.pay(AddPays)
    added += 1
    n
  }

  /** The number of a vertex that is brought here with the pane in which it was last seen; it owes nothing to the sweep. */
  def bring(id: Long, seen: Int): Int = {
    val inRange = range.numberOf(id)
    if (inRange >= 0) {
      ranged.enter(inRange, seen)
      inRange
    } else {
      val key = keys.keyOf(id)
      val known = directory.touch(key, seen)
      if (known >= 0) known
      else {
        val n = links.allocate(floor)
        directory.add(key, n, seen)
        n
      }
    }
  }

  /** The numbers of vertices that are brought here, of which none is there yet. */
  def bringAll(ids: Array[Long], seen: Array[Int]): Array[Int] = {
    val numbers = new Array[Int](ids.length)
    val outsideKeys = new Array[Long](ids.length)
    val outsideSeen = new Array[Int](ids.length)
    val firstOutside = links.top
    var i = 0
    while (i < ids.length) {
      val n = range.numberOf(ids(i))
      if (n >= 0) {
        ranged.enter(n, seen(i))
        numbers(i) = n
      } else {
        val others = links.top - firstOutside
        outsideKeys(others) = keys.keyOf(ids(i))
        outsideSeen(others) = seen(i)
        numbers(i) = links.allocate(floor)
      }
      i += 1
    }
    directory.addAll(outsideKeys, outsideSeen, 0, links.top - firstOutside, firstOutside)
    numbers
  }

  /** The entry of a vertex as a [[VertexDirectory]] has them, zero if there is none. */
  def find(id: Long): Long = {
    val entry = ranged.find(id)
    if (entry != 0) entry else directory.find(keys.keyOf(id))
  }

  /** Visits every vertex seen in `pane` or later as `visit(id, number, seen)`. */
  def foreach(pane: Int)(visitor: VertexVisitor): Unit = {
    ranged.visit(0, range.length, 1, pane, visitor)
    directory.foreach((key, number, seen) =>
      if (seen - pane >= 0) visitor.visit(keys.idOf(key), number, seen)
    )
  }

  /** The same for vertices of the range with these numbers, seen in [[floor]] or later. */
  def visitRange(from: Int, until: Int, visitor: VertexVisitor): Unit =
    ranged.visit(from, until, 1, floor, visitor)

  /** The same for a part of those outside; see [[VertexDirectory.visitTable]]. */
  def visitTable(key: Long, visitor: VertexVisitor): Long =
    directory.visitTable(
      key,
      (key, number, seen) => if (seen - floor >= 0) visitor.visit(keys.idOf(key), number, seen)
    )

  /** Sweeps what the vertices and edges since the last call have paid for, and counts those of the range. */
  def sweepAsPaid(edges: Int): Unit = {
    sweep.pay(edges)
    sweep.sweep(floor)
    if (!range.isEmpty && isReady) ranged.count(edges.toLong * CountedPerEdge)
    paying += edges
  }

  /** The same for what vertices and edges since the last time have not paid for so large a part of all that there is. */
  def sweepPart(part: Double): Unit = {
    sweep.payPart(part)
    sweep.sweep(floor)
    if (!range.isEmpty && isReady)
      ranged.count(math.ceil(range.length * part).toLong - paying * CountedPerEdge)
    paying = 0L
  }

  /** Places to be looked at for all vertices. */
  def places: Long = range.length + directory.places

  /** Rewrites everything expired now. */
  def sweepAll(): Unit = {
    sweep.sweepAll(floor)
    ranged.expire()
  }
}

private object RecencyVertices {

  /** What an added vertex pays for the sweep, in eighths of a place. Where nearly every edge adds one, 100 takes a
    * twentieth more time.
    */
  private final val AddPays = 72

  /** Numbers of the range that every edge pays to be counted: less than a nanosecond. */
  private final val CountedPerEdge = 4
}
