package io.github.sparkbic.index.vertices

import java.util.Arrays

/** A run of ids that are the numbers of their vertices, counted from its first one.
  *
  * Ids are often dense: a database counts them, a file of edges does, and so does this product where ids are text. If
  * a good part of such a run is in the window, an array takes the place of a table, and no vertex has to be looked up.
  */
private[index] final class IdRange(val first: Long, val length: Int) {

  def isEmpty: Boolean = length == 0

  /** The number of a vertex, or -1 for ids outside. */
  def numberOf(id: Long): Int = {
    val n = id - first
    if (n >= 0 && n < length) n.toInt else -1
  }
}

private[index] object IdRange {
  val Empty: IdRange = new IdRange(0, 0)

  /** Ids in the window, of which a range must have this part to be worth its memory: for each id eight bytes of an entry, or
    * four of a pane and eight of a link, against some 24 or 40 for a vertex in a [[VertexDirectory]].
    */
  private final val LeastPart = 0.28

  /** Half a billion ids take 6 GiB. */
  private final val MostIds = 1 << 29

  /** Parts of the sample, of which a run may leave some out: so a few ids far from all others do not spoil it. */
  private final val Parts = 16

  /** Ids of a sample are hardly ever so many times farther apart than on average: of a thousand that are spread evenly,
    * once in 160 samples.
    */
  private final val Gaps = 12

  /** The run that has at least half of the vertices, is dense, and has more of them than others; else the empty one. That
    * is also for ids that rise or fall with time: they would soon have left it.
    *
    * @param ids      some of the vertices, taken at random
    * @param seen     the newest pane in which each of them had an edge, counted from anywhere
    * @param vertices how many there are of them all
    */
  def of(ids: Array[Long], seen: Array[Int], vertices: Int): IdRange =
    choose(ids, vertices, LeastPart, Parts / 2)(!drifts(ids, seen, _))

  /** The run that has nearly all vertices, but for a few far below or above, if these are `leastPart` of its ids at least;
    * else the empty one.
    *
    * @param ids      some of the vertices, taken at random
    * @param vertices how many there are of them all
    */
  def ofNearlyAll(ids: Array[Long], vertices: Int, leastPart: Double): IdRange =
    choose(ids, vertices, leastPart, Parts - 2)(_ => true)

  /** The first run that is taken, of those that have the most parts of the sample. */
  private def choose(
      ids: Array[Long],
      vertices: Int,
      leastPart: Double,
      leastParts: Int
  )(isTaken: IdRange => Boolean): IdRange = {
    val sorted = ids.clone()
    Arrays.sort(sorted)
    var parts = Parts
    var from = 0
    var range = Empty
    while (range.isEmpty && parts >= leastParts) {
      range = around(sorted, from, from + parts, vertices, leastPart)
      if (!range.isEmpty && !isTaken(range)) range = Empty
      from += 1
      if (from + parts > Parts) {
        from = 0
        parts -= 1
      }
    }
    range
  }

  /** The run from one to another of the places that cut the sample into parts, and as far as ids go on like that; empty if
    * it is not dense.
    */
  private def around(
      sorted: Array[Long],
      fromPart: Int,
      toPart: Int,
      vertices: Int,
      leastPart: Double
  ): IdRange = {
    var low = fromPart * (sorted.length - 1) / Parts
    var high = toPart * (sorted.length - 1) / Parts
    val span = if (low < high) sorted(high) - sorted(low) else -1L
    // Negative if it is beyond 64 bits.
    if (span < 0 || span >= MostIds) Empty
    else {
      val far = Gaps * (span / (high - low) + 1)
      while (low > 0 && isNear(sorted(low - 1), sorted(low), far)) low -= 1
      while (high < sorted.length - 1 && isNear(sorted(high), sorted(high + 1), far)) high += 1
      val first = if (sorted(low) < Long.MinValue + far) Long.MinValue else sorted(low) - far
      val last = if (sorted(high) > Long.MaxValue - far) Long.MaxValue else sorted(high) + far
      val length = last - first + 1
      val within = vertices.toDouble * (high - low + 1) / sorted.length
      if (length > MostIds || within < leastPart * length) Empty else new IdRange(first, length.toInt)
    }
  }

  private def isNear(id: Long, next: Long, far: Long): Boolean = next - id >= 0 && next - id <= far

  /** Whether the middles of the ids last seen and of those seen before are far from each other. */
  private def drifts(ids: Array[Long], seen: Array[Int], range: IdRange): Boolean = {
    val isWithin: Int => Boolean = i => range.numberOf(ids(i)) >= 0
    val middle = median(collect(ids.length, isWithin, i => seen(i).toLong))
    val early = collect(ids.length, i => isWithin(i) && seen(i) < middle, i => ids(i))
    val late = collect(ids.length, i => isWithin(i) && seen(i) >= middle, i => ids(i))
    early.length > (early.length + late.length) / 8 &&
    math.abs(median(early) - median(late)) > range.length / 4
  }

  /** The values of those of `count` indices that are taken. Edges wait for it: no boxes, and no classes to be loaded. */
  private def collect(count: Int, isTaken: Int => Boolean, value: Int => Long): Array[Long] = {
    val values = new Array[Long](count)
    var taken = 0
    var i = 0
    while (i < count) {
      if (isTaken(i)) {
        values(taken) = value(i)
        taken += 1
      }
      i += 1
    }
    Arrays.copyOf(values, taken)
  }

  private def median(values: Array[Long]): Long =
    if (values.isEmpty) 0L
    else {
      Arrays.sort(values)
      values(values.length / 2)
    }
}
