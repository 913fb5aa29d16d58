package io.github.sparkbic.index.forests

import java.util.Arrays

import io.github.sparkbic.index.kernels.LongInterner
import io.github.sparkbic.index.vertices.IdRange

/** A [[UnionOfIds]] of any ids: a [[LongInterner]] numbers them, and a union–find joins the numbers.
  *
  * Look-ups are most of the cost, some 30 ns an edge. The smaller number becomes the root, so that hubs, which come
  * early, stay near the root. Memory: 18 to 33 bytes a vertex; some ten times as much for a while after the table
  * grows from `early` towards `expected`.
  *
  * @param expected vertices, if known
  * @param early    vertices that there is room for at first, if far more are expected than may come
  */
private[forests] final class HashedUnion(expected: Int, early: Int = Int.MaxValue) extends DirectUnion {
  private val interner = new LongInterner(expected, early = early)
  protected var parents = new Array[Int](math.max(4, math.min(expected, early)))
  // Numbers below are vertices of the union–find.
  private var joined = 0

  override def size: Int = interner.size

  override def weight: Int = math.max(size.toLong, interner.bytes + 4L * parents.length >> 6).toInt

  /** Some of the ids. */
  def sample: Array[Long] = IdRange.sample(size)(interner.id)

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

  override protected def enterAll(
      ids: Array[Long],
      from: Int,
      count: Int,
      numbers: Array[Int],
      at: Int
  ): Unit = {
    interner.internAll(ids, from, count, numbers, at)
    if (interner.size > parents.length)
      parents = Arrays.copyOf(parents, math.max(interner.size, parents.length + (parents.length >> 1)))
    while (joined < interner.size) {
      parents(joined) = joined
      joined += 1
    }
  }
}
