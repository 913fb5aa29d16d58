package io.github.sparkbic.index.forests

import java.util.Arrays

import io.github.sparkbic.index.kernels.PathHalving
import io.github.sparkbic.index.vertices.IdRange

/** A [[UnionOfIds]] of a pane's edges between ids that mostly lie in a range, without look-ups and without sorting.
  *
  * {{{
  * for each edge:  append src − first, dst − first
  * when asked:     for each end: set its bit; for each edge: join(rank(src), rank(dst)), where the rank of a vertex is
  *                 the number of bits set before its own bit
  * }}}
  *
  * Random access is to the bits and their counts (two bits an id of the range), and to the parents (four bytes a
  * vertex). For 100,000 vertices among a million ids, these are 650 KB, which the caches of a core hold. A table of
  * ids, or an array over the range, takes several times as much. So it takes about half the time of a [[HashedUnion]].
  *
  * The few ids outside of the range have the highest ranks, in the order of their first appearance. More memory: 8
  * bytes an edge, up to 4 MiB. [[result]] leaves it empty, for another pane.
  */
final class RankedUnion private[forests] (range: IdRange) extends UnionOverRange(range) {
  import RankedUnion._

  // Two words for every 64 offsets: a bit for each vertex, and the number of vertices before. Zeros unless counted.
  private var ranks = new Array[Long](2 * ((range.length >> 6) + 1))

  // How many vertices there are; negative if they have not been counted.
  private var counted = -1

  // Offsets of the ends of the edges that wait.
  private var waiting = new Array[Int](FirstEnds)
  private var end = 0

  // The parent of each vertex, by rank, once edges are joined.
  private var parents = Array.empty[Int]
  private val numbers = new Array[Int](Batch)

  override def size: Int = {
    if (counted < 0) counted = rank()
    counted
  }

  override def weight: Int =
    ((waiting.length + parents.length + numbers.length + 2 * ranks.length) >> 4) + othersCount

  /** Whether so many edges wait that another union takes less time. */
  def isFull: Boolean = end >= MostEnds

  override def joinAll(ends: Array[Long], from: Int, count: Int): Unit = {
    forgetRanks()
    if (this.waiting.length - end < count) {
      val longer = math.max(end + count, math.min(MostEnds, 2 * this.waiting.length))
      this.waiting = Arrays.copyOf(this.waiting, longer)
    }
    val waiting = this.waiting
    val first = range.first
    val length = range.length
    val to = end
    var i = 0
    while (i < count) {
      val offset = ends(from + i) - first
      waiting(to + i) =
        if (offset >= 0 && offset < length) offset.toInt else length + numberOfOther(ends(from + i))
      i += 1
    }
    end = to + count
  }

  override def add(ids: Array[Long], parents: Array[Int]): Unit =
    joinAll(
      Array.tabulate(2 * ids.length)(i => ids(if ((i & 1) == 0) i >> 1 else parents(i >> 1))),
      0,
      2 * ids.length
    )

  override def result(): PaneForest = {
    val inRange = joinWaiting() - othersCount
    val forest = forestOf(inRange)(takeRange(_, _, _, inRange))(other => parents(inRange + other))
    forgetRanks()
    others = null
    end = 0
    forest
  }

  /** Notes so many vertices of the range, and their roots, from place `start` on. */
  private def takeRange(ids: Array[Long], roots: Array[Int], start: Int, count: Int): Unit = {
    var i = 0
    var word = 0
    while (i < count) {
      var bits = ranks(word)
      val from = range.first + (word << 5)
      while (bits != 0 && i < count) {
        ids(start + i) = from + java.lang.Long.numberOfTrailingZeros(bits)
        roots(start + i) = parents(i)
        bits &= bits - 1
        i += 1
      }
      word += 2
    }
  }

  private def forgetRanks(): Unit =
    if (counted >= 0) {
      Arrays.fill(ranks, 0L)
      counted = -1
    }

  /** Joins the edges that wait, by rank; each vertex then has its root as a parent. Returns the number of vertices. */
  private def joinWaiting(): Int = {
    val count = size
    if (this.parents.length < count) this.parents = new Array[Int](count + (count >> 3))
    val parents = this.parents
    var i = 0
    while (i < count) {
      parents(i) = i
      i += 1
    }
    val waiting = this.waiting
    val ranks = this.ranks
    val numbers = this.numbers
    var from = 0
    while (from < end) {
      val length = math.min(Batch, end - from)
      i = 0
      while (i < length) {
        val offset = waiting(from + i)
        val word = offset >> 6 << 1
        numbers(i) =
          ranks(word + 1).toInt + java.lang.Long.bitCount(ranks(word) & ((1L << offset) - 1))
        i += 1
      }
      PathHalving.joinAll(parents, numbers, length)
      from += length
    }
    i = 0
    while (i < count) {
      // The parent's rank is smaller, so its own parent is a root by now.
      parents(i) = parents(parents(i))
      i += 1
    }
    count
  }

  /** Sets the bit of each end of the edges that wait; returns the number of vertices. */
  private def rank(): Int = {
    val length = 2 * ((range.length + othersCount >> 6) + 1)
    if (this.ranks.length < length) this.ranks = new Array[Long](length)
    val waiting = this.waiting
    val ranks = this.ranks
    val end = this.end
    var i = 0
    while (i < end) {
      ranks(waiting(i) >> 6 << 1) |= 1L << waiting(i)
      i += 1
    }
    var count = 0
    var word = 0
    while (word < ranks.length) {
      ranks(word + 1) = count.toLong
      count += java.lang.Long.bitCount(ranks(word))
      word += 2
    }
    count
  }
}

private[forests] object RankedUnion {

  /** Ends that are numbered together. */
  private final val Batch = 1024

  /** Room for the ends of edges at first. */
  private final val FirstEnds = 1 << 12

  /** Room for the ends of edges at last: 4 MiB. Of more edges, finds in a larger array cost less than two passes. */
  final val MostEnds = 1 << 20
}
