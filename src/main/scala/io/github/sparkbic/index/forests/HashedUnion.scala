package io.github.sparkbic.index.forests

import java.util.Arrays

import io.github.sparkbic.index.kernels.{LongInterner, PathHalving}
import io.github.sparkbic.index.vertices.IdRange

/** A [[UnionOfIds]] of any ids: a [[LongInterner]] numbers them, and a union–find joins the numbers as edges come.
  *
  * The ends of a batch of edges are numbered before they are joined, so that look-ups overlap. Look-ups are most of the
  * cost, some 30 ns an edge. The smaller number becomes the root, so that hubs, which come early, stay near the root.
  * Memory: 18 to 33 bytes a vertex.
  *
  * @param expected vertices, if known
  */
private[forests] final class HashedUnion(expected: Int) extends UnionOfIds {
  import HashedUnion.Batch

  private val interner = new LongInterner(expected)
  private var parents = new Array[Int](math.max(4, expected))
  // Numbers below are vertices of the union–find.
  private var joined = 0
  // The numbers of the ends of the batch at hand.
  private val numbers = new Array[Int](Batch)

  override def size: Int = interner.size

  override def weight: Int = math.max(size.toLong, interner.bytes + 4L * parents.length >> 6).toInt

  /** Some of the ids. */
  def sample: Array[Long] = IdRange.sample(size)(interner.id)

  override def joinAll(ends: Array[Long], from: Int, count: Int): Unit = {
    var i = from
    while (i < from + count) {
      val length = math.min(Batch, from + count - i)
      interner.internAll(ends, i, length, numbers)
      makeRoots()
      PathHalving.joinAll(parents, numbers, length)
      i += length
    }
  }

  /** Each vertex is looked up once, where edges would look the root of a tree up with each vertex: two thirds of the time. */
  override def add(ids: Array[Long], parents: Array[Int]): Unit = {
    val entered = new Array[Int](ids.length)
    var from = 0
    while (from < ids.length) {
      val until = math.min(ids.length, from + Batch)
      interner.internAll(ids, from, until - from, numbers)
      makeRoots()
      System.arraycopy(numbers, 0, entered, from, until - from)
      val all = this.parents
      while (from < until) {
        PathHalving.join(all, entered(from), entered(parents(from)))
        from += 1
      }
    }
  }

  private def makeRoots(): Unit = {
    if (interner.size > parents.length)
      parents = Arrays.copyOf(parents, math.max(interner.size, parents.length + (parents.length >> 1)))
    while (joined < interner.size) {
      parents(joined) = joined
      joined += 1
    }
  }

  override def result(): PaneForest = {
    val roots = Arrays.copyOf(parents, joined)
    var i = 0
    while (i < roots.length) {
      // The parent's number is smaller, so its own parent is a root by now.
      roots(i) = roots(roots(i))
      i += 1
    }
    new PaneForest(interner.toArray, roots)
  }
}

private[forests] object HashedUnion {

  /** Ends that are entered together. */
  final val Batch = 256
}
