package io.github.sparkbic.bench.baseline

import java.util.Arrays

import io.github.sparkbic.bench.WindowSystem
import io.github.sparkbic.index.contract.IndexConfig
import io.github.sparkbic.index.kernels.LongInterner
import io.github.sparkbic.index.vertices.VertexNumbers

/** Insertion-only union–find: a lower limit of the cost of any exact system. Union–find itself is not exact, since it never
  * forgets an edge.
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
    // A parent is stored plus 1. So the entry of a new vertex, which is 0, means a root.
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

/** Numbers vertices in a single flat hash table, the simplest and, in the cache, the fastest table. Each doubling of the
  * table interrupts the stream. Where lookups miss the cache, batches of lookups are faster than single lookups.
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

/** Numbers vertices in batches, in the hash table that the indexes use where ids are not dense. No vertex expires. */
final class DirectoryUnionFind extends UnionFind {
  // No set of ids is ever large enough for an array instead of the table.
  private val vertices = new VertexNumbers(IndexConfig(seed = 1, smallestDense = Int.MaxValue))
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
    // Numbers start at 1; 0 is no vertex.
    s > 0 && t > 0 && root(s) == root(t)
  }

  private def flush(): Unit = {
    vertices.enterAll(batch, 0, ends, 0, numbers)
    reserve(vertices.top + 1)
    var i = 0
    while (i < ends) {
      join(numbers(i), numbers(i + 1))
      i += 2
    }
    ends = 0
  }
}

/** Uses ids as vertex numbers from the first edge on, with no lookup at all. The indexes do so only after ids have become
  * dense, and through an array. Ids that cannot be numbers are interned.
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

  /** Ids from 0 up to this limit are numbers; the uniform stream has as many ids. */
  private final val Ids = 1 << 23
}
