package io.github.sparkbic.index.forests

import java.util.Arrays

import io.github.sparkbic.index.kernels.{LongInterner, PathHalving}
import io.github.sparkbic.index.vertices.IdRange

/** A union–find over 64-bit ids, from which the forest of a pane is made.
  *
  * The ends of a batch of edges are numbered before they are linked, so that look-ups overlap. Not thread safe.
  */
private[forests] trait UnionOfIds {

  /** Distinct vertices so far; may take a pass over them. */
  def size: Int

  /** The memory that it takes, in vertices of some 60 bytes. */
  def weight: Int

  /** Joins `ends(from)` and the end after it, and so on, up to `count` ends. */
  def joinAll(ends: Array[Long], from: Int, count: Int): Unit

  /** Joins the vertices that a forest joins, in which `ids(i)` is linked to `ids(parents(i))`; a parent comes first. */
  def add(ids: Array[Long], parents: Array[Int]): Unit

  /** The forest so far, in which every vertex is linked to the first vertex of its tree. No edges of the same pane may
    * follow.
    */
  def result(): PaneForest
}

/** A [[UnionOfIds]] that joins edges as they come, between numbers of their ends. */
private[forests] trait DirectUnion extends UnionOfIds {
  // The numbers of the ends of the batch at hand.
  private val numbers = new Array[Int](DirectUnion.Batch)

  /** The parent of each number, as [[PathHalving]] has it. */
  protected def parents: Array[Int]

  /** Writes the numbers of `count` ids to `numbers(at)` and on, and makes new numbers roots. */
  protected def enterAll(ids: Array[Long], from: Int, count: Int, numbers: Array[Int], at: Int): Unit

  override def joinAll(ends: Array[Long], from: Int, count: Int): Unit = {
    var i = from
    while (i < from + count) {
      val length = math.min(DirectUnion.Batch, from + count - i)
      enterAll(ends, i, length, numbers, 0)
      PathHalving.joinAll(parents, numbers, length)
      i += length
    }
  }

  override def add(ids: Array[Long], parents: Array[Int]): Unit = {
    val numbers = new Array[Int](ids.length)
    var from = 0
    while (from < ids.length) {
      val until = math.min(ids.length, from + DirectUnion.Batch)
      enterAll(ids, from, until - from, numbers, from)
      val all = this.parents
      var i = from
      // A parent comes before its children.
      while (i < until) {
        PathHalving.join(all, numbers(i), numbers(parents(i)))
        i += 1
      }
      from = until
    }
  }
}

private[forests] object DirectUnion {

  /** Ends that are entered together. */
  final val Batch = 256
}

/** A [[UnionOfIds]] of ids that mostly lie in a range: a vertex of the range has a place in arrays, without a look-up. The
  * few ids outside of the range are numbered in the order of their first appearance.
  */
abstract class UnionOverRange private[forests] (private[forests] val range: IdRange) extends UnionOfIds {

  // Ids outside of the range.
  protected var others = null: LongInterner

  protected final def othersCount: Int = if (others == null) 0 else others.size

  /** The number of an id outside of the range. */
  protected final def numberOfOther(id: Long): Int = {
    if (others == null) others = new LongInterner()
    others.intern(id)
  }

  /** Whether so many ids are outside of the range that a table of all ids is better. */
  final def hasManyOthers: Boolean = othersCount > math.max(UnionOverRange.FewOthers, range.length >> 3)

  /** The forest of all vertices, by rising id.
    *
    * @param inRange how many vertices are in the range
    * @param take    writes these vertices, and for each a number of its tree below the number of vertices, to two arrays,
    *                from a place on
    * @param treeOf  the number of the tree of an id outside, by its number
    */
  protected final def forestOf(inRange: Int)(take: (Array[Long], Array[Int], Int) => Unit)(
      treeOf: Int => Int
  ): PaneForest = {
    val outside = Array.tabulate(othersCount)(others.id)
    Arrays.sort(outside)
    val below = outside.count(_ < range.first)
    val ids = new Array[Long](inRange + outside.length)
    val trees = new Array[Int](ids.length)
    take(ids, trees, below)
    outside.indices.foreach { i =>
      val at = if (i < below) i else inRange + i
      ids(at) = outside(i)
      trees(at) = treeOf(others.find(outside(i)))
    }
    replaceByFirst(trees)
    new PaneForest(ids, trees)
  }

  /** Replaces each tree by the first place with the same tree. */
  private def replaceByFirst(trees: Array[Int]): Unit = {
    val first = Array.fill(trees.length)(-1)
    var i = 0
    while (i < trees.length) {
      val tree = trees(i)
      if (first(tree) < 0) first(tree) = i
      trees(i) = first(tree)
      i += 1
    }
  }
}

private object UnionOverRange {

  /** Ids outside of a range that are never too many. */
  private final val FewOthers = 1024
}
