package io.github.sparkbic.index.bic

import java.util.Arrays

import io.github.sparkbic.index.kernels.{Prefetch, UnionBySize}

/** The forward buffer of the current chunk: a union–find over the edges of its panes so far.
  *
  * Windows ask for snapshots of this buffer in the order of their computation, so only the latest is kept, and paths may be
  * shortened: union by size with path halving, amortised O(α) an edge.
  *
  * The vertices of a component form a ring, so that a search can list the component. Swapping the successors of a
  * vertex of each joins two rings. Memory: 8 bytes a vertex. Vertex 0 is no vertex.
  */
private[bic] final class ForwardBuffer {
  private var entries = Array.emptyIntArray
  private var ring = Array.emptyIntArray

  /** Makes room for the vertices below `length`. */
  def reserve(length: Int): Unit = if (length > entries.length) {
    entries = Arrays.copyOf(entries, length)
    ring = Arrays.copyOf(ring, length)
  }

  /** Forgets all edges. */
  def clear(): Unit = Arrays.fill(entries, 0)

  /** The root of `vertex`, or 0 if it is alone. */
  def find(vertex: Int): Int = if (entries(vertex) != 0) UnionBySize.root(entries, vertex) else 0

  /** The vertex after `vertex` in the ring of its component; it must not be alone. */
  def next(vertex: Int): Int = ring(vertex)

  /** Adds the edges `vertices(0) – vertices(1)`, `vertices(2) – vertices(3)` …, up to so many ends. */
  def joinAll(vertices: Array[Int], ends: Int): Unit = {
    val entries = this.entries
    // The loop without branches waits for many cache lines at once.
    var read = 0
    var i = 0
    while (i < ends) {
      read ^= entries(vertices(i))
      i += 1
    }
    Prefetch.keep(read.toLong)
    i = 0
    while (i < ends) {
      unite(entries, vertices(i), vertices(i + 1))
      i += 2
    }
  }

  private def unite(entries: Array[Int], u: Int, v: Int): Unit = {
    val ru = UnionBySize.root(entries, u)
    val rv = UnionBySize.root(entries, v)
    if (ru != rv) {
      val ring = this.ring
      // A vertex that is alone has no ring yet.
      val afterU = if (entries(ru) == 0) ru else ring(ru)
      val afterV = if (entries(rv) == 0) rv else ring(rv)
      ring(ru) = afterV
      ring(rv) = afterU
      UnionBySize.unite(entries, ru, rv)
    }
  }

  /** Writes the parent of each vertex that has one to `parents`. */
  def fill(parents: Array[Int]): Unit = {
    val entries = this.entries
    var v = 1
    while (v < parents.length) {
      val above = entries(v) - 1
      // All ones if the vertex has a parent, without a branch, which could not be predicted.
      val isChild = ~(above >> 31)
      parents(v) = (parents(v) & ~isChild) | (above & isChild)
      v += 1
    }
  }
}
