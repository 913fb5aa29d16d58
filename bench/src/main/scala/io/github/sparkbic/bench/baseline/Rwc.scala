package io.github.sparkbic.bench.baseline

import java.util.Arrays

import io.github.sparkbic.bench.WindowSystem
import io.github.sparkbic.index.kernels.LongInterner

/** Recalculating Window Connectivity (RWC): keeps the edges of the window and computes its components from scratch
  * with a union–find whenever a window is complete.
  *
  * The baseline of C. Zhang, A. Bonifati, M. T. Özsu, "Incremental Sliding Window Connectivity over Streaming Graphs",
  * PVLDB 17(10), 2024, in its experiments.
  */
final class Rwc extends WindowSystem {
  private val interner = new LongInterner()
  private val edges = new EdgeQueue
  // Of the window completed last: parent plus one; minus one at a root; zero for a vertex that does not occur.
  private var parents = new Array[Int](16)

  override def insert(pane: Long, src: Long, dst: Long): Unit =
    edges.add(pane, interner.intern(src), interner.intern(dst))

  override def complete(windowStart: Long): Unit = {
    edges.dropBefore(windowStart)
    if (parents.length < interner.size) parents = new Array[Int](interner.size + interner.size / 2)
    else Arrays.fill(parents, 0)
    var i = 0
    while (i < edges.size) {
      val u = root(edges.source(i))
      val v = root(edges.target(i))
      if (u < v) parents(v) = u + 1 else if (v < u) parents(u) = v + 1
      i += 1
    }
  }

  override def connected(source: Long, target: Long): Boolean = {
    val s = interner.find(source)
    val t = interner.find(target)
    s >= 0 && t >= 0 && occurs(s) && occurs(t) && root(s) == root(t)
  }

  private def occurs(v: Int): Boolean = v < parents.length && parents(v) != 0

  private def root(vertex: Int): Int = {
    val parents = this.parents
    if (parents(vertex) == 0) parents(vertex) = -1
    var v = vertex
    var p = parents(v)
    while (p > 0) {
      val above = parents(p - 1)
      if (above < 0) return p - 1
      parents(v) = above
      v = above - 1
      p = parents(v)
    }
    v
  }
}
