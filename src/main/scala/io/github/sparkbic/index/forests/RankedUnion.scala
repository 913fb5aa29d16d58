package io.github.sparkbic.index.forests

import java.util.Arrays

import io.github.sparkbic.index.kernels.{LongInterner, PathHalving}
import io.github.sparkbic.index.vertices.IdRange

/** A [[UnionOfIds]] of ids that mostly lie in a range, without look-ups and without sorting.
  *
  * {{{
  * for each end:    set the bit src − first or dst − first
  * for each edge:   join(rank(src), rank(dst)), where the rank of a vertex is the number of bits set before its own bit
  * }}}
  *
  * Random access is to the bits and their counts (two bits an id of the range), and to the parents (four bytes a
  * vertex). For 100,000 vertices among a million ids, these are 650 KB, which the caches of a core hold. A table of
  * ids, or an array over the range, takes several times as much. So it takes about half the time of a [[HashedUnion]].
  *
  * The few ids outside of the range have the highest ranks, in the order of their first appearance. New vertices move
  * the ranks of others, and so their parents, which costs a pass over both: edges are to come many at a time. Memory: 4 bytes
  * a vertex and 16 more while edges come, beside the bits.
  */
private[forests] final class RankedUnion(val range: IdRange) extends UnionOfIds {
  import RankedUnion._

  // Two words for every 64 offsets: a bit for each vertex, and the number of vertices before. At most twice as long as
  // offsets need.
  private var ranks = new Array[Long](2)
  // How many vertices are ranked, and the parent of each, by rank.
  private var ranked = 0
  private var parents = Array.emptyIntArray
  // Ids outside of the range.
  private var others = null: LongInterner
  private val numbers = new Array[Int](Batch)

  override def size: Int = ranked

  override def weight: Int = ((parents.length + numbers.length + 2 * ranks.length) >> 4) + othersCount

  /** Whether so many ids are outside of the range that a table of all ids is better. */
  def hasManyOthers: Boolean = othersCount > math.max(FewOthers, range.length >> 3)

  private def othersCount: Int = if (others == null) 0 else others.size

  private def offsetOf(id: Long): Int = {
    val offset = id - range.first
    if (offset >= 0 && offset < range.length) offset.toInt
    else {
      if (others == null) others = new LongInterner()
      range.length + others.intern(id)
    }
  }

  override def joinAll(ends: Array[Long], from: Int, count: Int): Unit = {
    rank(ends, from, count)
    var i = from
    while (i < from + count) {
      val length = math.min(Batch, from + count - i)
      var j = 0
      while (j < length) {
        numbers(j) = rankOf(ranks, offsetOf(ends(i + j)))
        j += 1
      }
      PathHalving.joinAll(parents, numbers, length)
      i += length
    }
  }

  /** Gives ranks to these ends: sets the bit of each of them, and counts the bits. */
  private def rank(ends: Array[Long], from: Int, length: Int): Unit = {
    val before = if (ranked == 0) null else ranks.clone()
    var i = from
    while (i < from + length) {
      val offset = offsetOf(ends(i))
      val word = offset >> 6 << 1
      if (word >= ranks.length) ranks = Arrays.copyOf(ranks, math.max(word + 2, 2 * ranks.length))
      ranks(word) |= 1L << offset
      i += 1
    }
    var count = 0
    var word = 0
    while (word < ranks.length) {
      ranks(word + 1) = count.toLong
      count += java.lang.Long.bitCount(ranks(word))
      word += 2
    }
    if (count > ranked) {
      val moved = Array.range(0, count)
      if (before != null) moveParents(before, moved)
      parents = moved
      ranked = count
    }
  }

  /** Writes the parents of the vertices that had ranks `before` to `moved`, by their ranks now. */
  private def moveParents(before: Array[Long], moved: Array[Int]): Unit = {
    val ranksNow = new Array[Int](ranked)
    var rank = 0
    var word = 0
    while (rank < ranked) {
      var bits = before(word)
      while (bits != 0) {
        ranksNow(rank) = rankOf(ranks, (word << 5) + java.lang.Long.numberOfTrailingZeros(bits))
        // The rank of a parent is not higher.
        moved(ranksNow(rank)) = ranksNow(parents(rank))
        rank += 1
        bits &= bits - 1
      }
      word += 2
    }
  }

  private def rankOf(ranks: Array[Long], offset: Int): Int = {
    val word = offset >> 6 << 1
    ranks(word + 1).toInt + java.lang.Long.bitCount(ranks(word) & ((1L << offset) - 1))
  }

  override def result(): PaneForest = {
    var rank = 0
    while (rank < ranked) {
      // The rank of a parent is not higher, so the parent's own parent is a root by now.
      parents(rank) = parents(parents(rank))
      rank += 1
    }
    byRisingId()
  }

  /** The forest of all vertices, where each parent is a root. */
  private def byRisingId(): PaneForest = {
    val outside = Array.tabulate(othersCount)(others.id)
    Arrays.sort(outside)
    val below = outside.count(_ < range.first)
    val inRange = ranked - outside.length
    val ids = new Array[Long](ranked)
    val roots = new Array[Int](ranked)
    takeRange(ids, below, inRange)
    System.arraycopy(parents, 0, roots, below, inRange)
    outside.indices.foreach { i =>
      val at = if (i < below) i else inRange + i
      ids(at) = outside(i)
      roots(at) = parents(inRange + others.find(outside(i)))
    }
    // Without others, the place of a vertex is its rank.
    if (outside.length > 0) replaceByFirst(roots)
    new PaneForest(ids, roots)
  }

  /** Writes the `count` ids of the range from place `start` on. */
  private def takeRange(ids: Array[Long], start: Int, count: Int): Unit = {
    var i = 0
    var word = 0
    while (i < count) {
      var bits = ranks(word)
      val from = range.first + (word << 5)
      while (bits != 0 && i < count) {
        ids(start + i) = from + java.lang.Long.numberOfTrailingZeros(bits)
        bits &= bits - 1
        i += 1
      }
      word += 2
    }
  }

  /** Replaces each root by the first place with the same root. */
  private def replaceByFirst(roots: Array[Int]): Unit = {
    val first = Array.fill(roots.length)(-1)
    var i = 0
    while (i < roots.length) {
      val root = roots(i)
      if (first(root) < 0) first(root) = i
      roots(i) = first(root)
      i += 1
    }
  }
}

private[forests] object RankedUnion {

  /** Ends that are numbered together. */
  private final val Batch = 1024

  /** Ids outside of a range that are never too many. */
  private final val FewOthers = 1024
}
