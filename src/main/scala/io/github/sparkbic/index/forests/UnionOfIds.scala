package io.github.sparkbic.index.forests

import java.util.Arrays

import io.github.sparkbic.index.format.BinaryWriter
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

  /** The forest so far, in which every vertex is linked to the first vertex of its tree. */
  def result(): PaneForest

  /** Appends [[result]] as [[PaneForest.save]] does; no edges may follow. */
  def save(out: BinaryWriter): Unit = result().save(out)
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

  // Ids outside of the range, and how many there may be.
  private[forests] final val room = math.max(UnionOverRange.FewOthers, range.length >> 3)
  protected var others = null: LongInterner

  protected final def othersCount: Int = if (others == null) 0 else others.size

  /** The number of an id outside of the range. */
  protected final def numberOfOther(id: Long): Int = {
    if (others == null) others = new LongInterner()
    others.intern(id)
  }

  /** The ids outside of the range, by rising id. */
  protected final def sortedOthers: Array[Long] = {
    val outside = Array.tabulate(othersCount)(others.id)
    Arrays.sort(outside)
    outside
  }

  /** Whether there is room for some more ids, as far as they are outside of the range. */
  final def hasRoomFor(ids: Array[Long], from: Int, count: Int): Boolean =
    othersCount + count <= room || othersCount + countOutside(ids, from, count) <= room

  private def countOutside(ids: Array[Long], from: Int, count: Int): Int = {
    var outside = 0
    var i = from
    while (i < from + count) {
      if (range.offsetOf(ids(i)) < 0) outside += 1
      i += 1
    }
    outside
  }
}

private object UnionOverRange {

  /** Ids outside of a range for which there is always room. */
  private final val FewOthers = 1024
}
