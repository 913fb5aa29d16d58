package io.github.sparkbic.index.kernels

import java.util.Arrays

/** Union–find by size that can list the vertices of a component: amortised O(α) a find, and 8 bytes a vertex.
  *
  * The entry of a child is its parent's number plus one; the entry of a root is 1 − the size of its tree. Path halving
  * after Tarjan and van Leeuwen, J. ACM 31(2), 1984. The vertices of a component form a ring. Swapping the successors of a
  * vertex of each joins two rings. Vertex 0 is no vertex.
  */
private[index] final class UnionBySize {
  import UnionBySize.{root, unite}

  private var entries, ring = Array.emptyIntArray

  /** Makes room for the vertices below `length`. */
  def reserve(length: Int): Unit = if (length > entries.length) {
    entries = Arrays.copyOf(entries, length)
    ring = Arrays.copyOf(ring, length)
  }

  /** Forgets all joins. */
  def clear(): Unit = Arrays.fill(entries, 0)

  /** The root of `vertex`, or 0 if it is alone. */
  def find(vertex: Int): Int = if (entries(vertex) != 0) root(entries, vertex) else 0

  /** The vertex after `vertex` in the ring of its component; it must not be alone. */
  def next(vertex: Int): Int = ring(vertex)

  /** Joins `vertices(0)` and `vertices(1)`, `vertices(2)` and `vertices(3)` and so on, up to so many ends. */
  def joinAll(vertices: Array[Int], ends: Int): Unit = {
    val entries = this.entries
    var read = 0
    var i = 0
    while (i < ends) {
      read ^= entries(vertices(i))
      i += 1
    }
    Prefetch.keep(read.toLong)
    i = 0
    while (i < ends) {
      join(entries, vertices(i), vertices(i + 1))
      i += 2
    }
  }

  private def join(entries: Array[Int], u: Int, v: Int): Unit = {
    val ru = root(entries, u)
    val rv = root(entries, v)
    if (ru != rv) {
      val ring = this.ring
      // A vertex that is alone has no ring yet.
      val afterU = if (entries(ru) == 0) ru else ring(ru)
      val afterV = if (entries(rv) == 0) rv else ring(rv)
      ring(ru) = afterV
      ring(rv) = afterU
      unite(entries, ru, rv): Unit
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

/** The same in an array of entries alone, at first of zeros, which can list nothing. */
private[index] object UnionBySize {

  /** The root of `vertex`, with path halving. */
  def root(entries: Array[Int], vertex: Int): Int = {
    var v = vertex
    var e = entries(v)
    while (e > 0) {
      val above = entries(e - 1)
      if (above <= 0) return e - 1
      entries(v) = above
      v = above - 1
      e = entries(v)
    }
    v
  }

  /** Unites the trees of two different roots; returns the new root, which is the root of the larger tree. */
  def unite(entries: Array[Int], a: Int, b: Int): Int = {
    val root = if (entries(a) <= entries(b)) a else b
    val child = a + b - root
    entries(root) += entries(child) - 1
    entries(child) = root + 1
    root
  }
}
