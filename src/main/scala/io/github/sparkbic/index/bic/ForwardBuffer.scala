package io.github.sparkbic.index.bic

import java.util.Arrays

import io.github.sparkbic.index.kernels.UnionBySize

/** The forward buffer of the current chunk: a union–find over the edges of its panes so far.
  *
  * Windows ask for snapshots of this buffer in the order of their computation. So only the latest snapshot is kept,
  * and paths may be shortened: union by size with path halving, amortised O(α) an edge.
  *
  * The vertices of a component form a ring, so that a search can list the component. Swapping the successors of a
  * vertex of each joins two rings.
  *
  * A bit for each vertex says whether its entry is of this chunk. A chunk begins with clearing the bits, a 32nd of the
  * bytes of the entries. Memory: 8 bytes and a bit a vertex. Vertex 0 is no vertex.
  */
private[bic] final class ForwardBuffer {
  private var entries = Array.emptyIntArray
  private var ring = Array.emptyIntArray
  // A bit for each vertex that occurs; the entries of others are of chunks before.
  private var present = Array.emptyLongArray

  /** Makes room for the vertices below `length`. */
  def reserve(length: Int): Unit = if (length > entries.length) {
    entries = Arrays.copyOf(entries, length)
    ring = Arrays.copyOf(ring, length)
    present = Arrays.copyOf(present, (length + 63) >> 6)
  }

  /** Forgets all edges. */
  def clear(): Unit = Arrays.fill(present, 0L)

  /** The array of entries, filled with zeros; the buffer must have no edge, and stays valid whatever is written. */
  def scratch(): Array[Int] = {
    Arrays.fill(entries, 0)
    entries
  }

  /** Whether `vertex` has an edge, be it a self-loop. */
  def contains(vertex: Int): Boolean =
    vertex < entries.length && (present(vertex >> 6) >>> vertex & 1) != 0

  /** The root of `vertex`, or 0 if it is alone. */
  def find(vertex: Int): Int =
    if (contains(vertex) && entries(vertex) != 0) UnionBySize.root(entries, vertex) else 0

  /** The vertex after `vertex` in the ring of its component; it must not be alone. */
  def next(vertex: Int): Int = ring(vertex)

  /** Adds the edges `vertices(0) – vertices(1)`, `vertices(2) – vertices(3)` …; a self-loop makes its vertex occur. */
  def joinAll(vertices: Array[Int], ends: Int): Unit = {
    val entries = this.entries
    val present = this.present
    // The loop without branches waits for many cache lines at once.
    var i = 0
    while (i < ends) {
      val vertex = vertices(i)
      val word = present(vertex >> 6)
      entries(vertex) &= -(word >>> vertex & 1).toInt
      present(vertex >> 6) = word | 1L << vertex
      i += 1
    }
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
    val present = this.present
    var v = 1
    while (v < parents.length) {
      // All ones if the vertex has a parent, without a branch, which could not be predicted.
      val isChild = -((present(v >> 6) >>> v).toInt & (-entries(v) >>> 31))
      parents(v) = (parents(v) & ~isChild) | ((entries(v) - 1) & isChild)
      v += 1
    }
  }
}
