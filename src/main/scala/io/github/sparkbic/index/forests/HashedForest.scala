package io.github.sparkbic.index.forests

import io.github.sparkbic.index.format.BinaryWriter
import io.github.sparkbic.index.kernels.LongInterner

/** An [[IdForest]] of any ids: a [[NumberedForest]] over a [[LongInterner]], whose look-ups are most of its cost, some
  * 30 ns an edge. 16 to 24 bytes a vertex; up to ten times as much for a while where `early` is far below `expected`.
  *
  * @param expected vertices, if known
  * @param early    vertices that there is room for at first, if far more are expected than may come
  */
private[forests] final class HashedForest(expected: Int, early: Int = Int.MaxValue) extends IdForest {
  private val interner = new LongInterner(expected, early = early)
  private val tree = new NumberedForest(math.min(expected, early))
  private var numbers = Array.empty[Int]

  override def size: Int = interner.size

  override def weight: Int =
    math.max(size.toLong, interner.bytes + tree.bytes >> 6).toInt

  override def joinAll(ends: Array[Long], count: Int): Unit = {
    if (numbers.length < count) numbers = new Array[Int](count)
    numberAll(ends, numbers, count)
    tree.joinAll(numbers, count)
  }

  override def add(ids: Array[Long], parents: Array[Int]): Unit = {
    val numbers = new Array[Int](ids.length)
    numberAll(ids, numbers, numbers.length)
    var i = 0
    while (i < numbers.length) {
      tree.join(numbers(i), numbers(parents(i)))
      i += 1
    }
  }

  /** Some of the ids, fewer than `most`. */
  def sample(most: Int): Array[Long] = {
    val step = 1 + size / most
    Array.tabulate(size / step)(i => interner.id(i * step))
  }

  override def result(): PaneForest = new PaneForest(interner.toArray, tree.roots)

  override def drainTo(out: BinaryWriter): Unit = result().save(out)

  private def numberAll(ids: Array[Long], numbers: Array[Int], count: Int): Unit = {
    var from = 0
    while (from < count) {
      val until = math.min(count, from + HashedForest.Batch)
      interner.internAll(ids, from, until, numbers)
      from = until
    }
    tree.enlargeTo(interner.size)
  }
}

private[forests] object HashedForest {

  /** Ends that are looked up together. */
  final val Batch = 256
}
