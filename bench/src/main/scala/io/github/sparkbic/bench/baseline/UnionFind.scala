package io.github.sparkbic.bench.baseline

import java.util.Arrays

import io.github.sparkbic.bench.WindowSystem
import io.github.sparkbic.index.LongInterner

/** Insertion-only union–find: the lower limit of what any exact system costs, and no exact system itself, since it
  * never forgets an edge.
  *
  * Union by index with path halving: R. E. Tarjan, J. van Leeuwen, "Worst-case analysis of set union algorithms",
  * J. ACM 31(2), 1984.
  */
final class UnionFind extends WindowSystem {
  private val interner = new LongInterner()
  private var parents = new Array[Int](16)

  override def insert(pane: Long, src: Long, dst: Long): Unit = {
    val u = root(number(src))
    val v = root(number(dst))
    // Parents are stored plus one, so that a new vertex, which has a zero, is a root.
    if (u < v) parents(v) = u + 1 else if (v < u) parents(u) = v + 1
  }

  override def complete(windowStart: Long): Unit = ()

  override def connected(source: Long, target: Long): Boolean = {
    val s = interner.find(source)
    val t = interner.find(target)
    s >= 0 && t >= 0 && root(s) == root(t)
  }

  override def isExact: Boolean = false

  private def number(id: Long): Int = {
    val n = interner.intern(id)
    if (n >= parents.length) parents = Arrays.copyOf(parents, n * 2)
    n
  }

  private def root(vertex: Int): Int = {
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
