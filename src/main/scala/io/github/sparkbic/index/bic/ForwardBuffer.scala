package io.github.sparkbic.index.bic

import java.util.Arrays

/** The forward buffer of the current chunk: a union–find over the edges of its panes so far.
  *
  * Snapshots of a forward buffer are accessed in the order in which they are computed, so only the latest exists, and
  * paths may be shortened at will: union by size with path halving.
  *
  * The vertices of a component form a ring, so that all of them can be visited; two rings become one by swapping the
  * successors of any two of their vertices.
  *
  * To zero millions of entries takes milliseconds, so a chunk begins with clearing a bit for each vertex, which tells
  * whether its entry is of this chunk. 8 bytes a vertex and an eighth of one.
  */
private[bic] final class ForwardBuffer {
  private var entries = new Array[Int](8)
  private var ring = new Array[Int](8)
  // A bit for each vertex that occurs; entries of others are of chunks before.
  private var present = new Array[Long](1)

  /** Makes room for the vertices `0 until count`. The arrays grow at different times, as growing takes a while. */
  def reserve(count: Int): Unit = {
    if (count > entries.length) entries = Arrays.copyOf(entries, count + (count >> 3))
    if (count + (count >> 6) > ring.length) ring = Arrays.copyOf(ring, count + (count >> 3))
    if (count > (present.length << 6)) present = Arrays.copyOf(present, (count + (count >> 3) + 63) >> 6)
  }

  /** Forgets all edges. */
  def clear(): Unit = Arrays.fill(present, 0L)

  /** Whether `vertex` has an edge, be it a self-loop. */
  def contains(vertex: Int): Boolean =
    vertex < entries.length && (present(vertex >> 6) >>> vertex & 1) != 0

  /** The root of `vertex`, or -1 if it is alone. */
  def find(vertex: Int): Int =
    if (contains(vertex) && entries(vertex) != 0) SizedForest.root(entries, vertex) else -1

  /** The vertex after `vertex` in the ring of its component; it must not be alone. */
  def next(vertex: Int): Int = ring(vertex)

  /** Adds an edge, and tells whether two components became one; a self-loop makes its vertex occur. */
  def join(u: Int, v: Int): Boolean = {
    enter(entries, present, u)
    enter(entries, present, v)
    unite(entries, u, v)
  }

  /** Adds the edges between `vertices(0)` and `vertices(1)`, `vertices(2)` and `vertices(3)` and so on. */
  def joinAll(vertices: Array[Int], ends: Int): Unit = {
    val entries = this.entries
    val present = this.present
    // The loop without branches waits for many cache lines at once.
    var i = 0
    while (i < ends) {
      enter(entries, present, vertices(i))
      i += 1
    }
    i = 0
    while (i < ends) {
      unite(entries, vertices(i), vertices(i + 1))
      i += 2
    }
  }

  /** Makes a vertex occur. Without a branch: whether it occurs already cannot be predicted. */
  private def enter(entries: Array[Int], present: Array[Long], vertex: Int): Unit = {
    val word = present(vertex >> 6)
    entries(vertex) &= -(word >>> vertex & 1).toInt
    present(vertex >> 6) = word | 1L << vertex
  }

  private def unite(entries: Array[Int], u: Int, v: Int): Boolean = {
    val ru = SizedForest.root(entries, u)
    val rv = SizedForest.root(entries, v)
    if (ru == rv) false
    else {
      val ring = this.ring
      // A vertex that is alone has no ring yet.
      val afterU = if (entries(ru) == 0) ru else ring(ru)
      val afterV = if (entries(rv) == 0) rv else ring(rv)
      ring(ru) = afterV
      ring(rv) = afterU
      SizedForest.unite(entries, ru, rv)
      true
    }
  }
}
