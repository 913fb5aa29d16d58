package io.github.sparkbic.bench.baseline

import java.util.Arrays

import io.github.sparkbic.bench.WindowSystem
import io.github.sparkbic.index.vertices.VertexNumbers
import io.github.sparkbic.index.kernels.LongInterner

/** Insertion-only union–find: the lower limit of what any exact system costs, and no exact system itself, since it
  * never forgets an edge.
  *
  * Union by index with path halving: R. E. Tarjan, J. van Leeuwen, "Worst-case analysis of set union algorithms",
  * J. ACM 31(2), 1984.
  */
sealed abstract class UnionFind extends WindowSystem {
  private var parents = new Array[Int](16)

  override def complete(windowStart: Long): Unit = ()

  override def isExact: Boolean = false

  protected def reserve(count: Int): Unit =
    if (count > parents.length) parents = Arrays.copyOf(parents, math.max(count, 2 * parents.length))

  protected def join(a: Int, b: Int): Unit = {
    val u = root(a)
    val v = root(b)
    // Parents are stored plus one, so that a new vertex, which has a zero, is a root.
    if (u < v) parents(v) = u + 1 else if (v < u) parents(u) = v + 1
  }

  protected def root(vertex: Int): Int = {
    val parents = this.parents
    var v = vertex
    var p = parents(v)
    while (p != 0) {
      val above = parents(p - 1)
      if (above == 0) return p - 1
      parents(v) = above
      v = above - 1
      p = parents(v)
    }
    v
  }
}

/** With the simplest way to number vertices, one flat table: the fastest while that is in the cache. Its doubling stops
  * everything for a while, and where vertices miss the cache, one after the other, look-ups in batches are faster.
  */
final class FlatUnionFind extends UnionFind {
  private val interner = new LongInterner()

  override def insert(pane: Long, src: Long, dst: Long): Unit = {
    val u = interner.intern(src)
    val v = interner.intern(dst)
    reserve(interner.size)
    join(u, v)
  }

  override def connected(source: Long, target: Long): Boolean = {
    val s = interner.find(source)
    val t = interner.find(target)
    s >= 0 && t >= 0 && root(s) == root(t)
  }
}

/** With the numbering of the indexes: look-ups in batches, in tables that grow without a pause; but nothing is swept. */
final class DirectoryUnionFind extends UnionFind {
  private val vertices = new VertexNumbers(io.github.sparkbic.index.contract.IndexConfig(seed=1, smallestDense = Int.MaxValue))
  private val batch = new Array[Long](2 * 128)
  private val numbers = new Array[Int](batch.length)
  private var ends = 0

  override def insert(pane: Long, src: Long, dst: Long): Unit = {
    batch(ends) = src
    batch(ends + 1) = dst
    ends += 2
    if (ends == batch.length) flush()
  }

  override def complete(windowStart: Long): Unit = flush()

  override def connected(source: Long, target: Long): Boolean = {
    val s = vertices.find(source, 0)
    val t = vertices.find(target, 0)
    s > 0 && t > 0 && root(s) == root(t)
  }

  private def flush(): Unit = {
    vertices.enterAll(batch, 0, ends, 0, numbers)
    reserve(vertices.top+1)
    var i = 0
    while (i < ends) {
      join(numbers(i), numbers(i + 1))
      i += 2
    }
    ends = 0
  }
}

/** With ids for numbers, as `recency` has them where ids are dense, but from the first edge on: no vertex is looked up.
  * Ids that cannot be numbers are interned.
  */
final class RangeUnionFind extends UnionFind {
  import RangeUnionFind.Ids

  private val others = new LongInterner()
  private val occurs = new Array[Boolean](Ids)

  override def insert(pane: Long, src: Long, dst: Long): Unit = {
    val u = number(src)
    val v = number(dst)
    reserve(math.max(u, v) + 1)
    join(u, v)
  }

  override def connected(source: Long, target: Long): Boolean = {
    val s = find(source)
    val t = find(target)
    s >= 0 && t >= 0 && root(s) == root(t)
  }

  private def isNumber(id: Long): Boolean = id >= 0 && id < Ids

  private def number(id: Long): Int =
    if (isNumber(id)) {
      occurs(id.toInt) = true
      id.toInt
    } else Ids + others.intern(id)

  private def find(id: Long): Int =
    if (isNumber(id)) { if (occurs(id.toInt)) id.toInt else -1 }
    else
      others.find(id) match {
        case -1     => -1
        case number => Ids + number
      }
}

private object RangeUnionFind {

  /** Ids from zero on that are numbers, as many as the uniform stream has. */
  private final val Ids = 1 << 23
}
