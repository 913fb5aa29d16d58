package io.github.sparkbic.index.bic

import java.util.Arrays

import io.github.sparkbic.index.Fetching

/** The forward buffer of the current chunk: a union–find over the edges of its panes so far.
  *
  * Snapshots of a forward buffer are accessed in the order in which they are computed, so only the latest exists, and
  * paths may be shortened at will: union by size with path halving. An entry is the parent plus one, or minus the size
  * of the tree at its root, or zero for a vertex that has no edge in this chunk.
  *
  * The vertices of a component form a ring, so that all of them can be visited; two rings become one by swapping the
  * successors of any two of their vertices.
  *
  * Zeroing millions of entries takes milliseconds, so each chunk has an array that was zeroed bit by bit during the
  * chunk before, after the backward build had borrowed it. 12 bytes a vertex in all.
  */
private[bic] final class ForwardBuffer {
  private var entries = new Array[Int](8)
  private var ring = new Array[Int](8)
  // The entries of the chunk before, zeroed up to `cleared`.
  private var spare = Array.empty[Int]
  private var cleared = 0
  // What [[joinAll]] looked at first; kept, or the compiler would drop the looking.
  private[bic] var looked = 0

  /** Makes room for the vertices `0 until count`. The arrays grow at different times, as growing takes a while. */
  def reserve(count: Int): Unit = {
    if (count > entries.length) entries = Arrays.copyOf(entries, count + (count >> 2))
    if (count + (count >> 5) > ring.length) ring = Arrays.copyOf(ring, count + (count >> 2))
  }

  /** Forgets all edges. */
  def clear(): Unit = {
    clearSpare(spare.length)
    val old = entries
    entries = spare
    spare = old
    cleared = 0
  }

  /** Zeroes so many more of the entries of the chunk before. */
  def clearSpare(count: Int): Unit = {
    val until = cleared + math.min(count, spare.length - cleared)
    Arrays.fill(spare, cleared, until, 0)
    cleared = until
  }

  /** At least `size` zeros, to be used until [[takeBack]]: what will be the entries of the next chunk. */
  def lend(size: Int): Array[Int] = {
    clearSpare(spare.length)
    if (spare.length < size) {
      spare = new Array[Int](size)
      cleared = size
    }
    spare
  }

  /** What was lent is to be zeroed again. */
  def takeBack(): Unit = cleared = 0

  def contains(vertex: Int): Boolean = vertex < entries.length && entries(vertex) != 0

  /** The root of `vertex`, or -1 if it is not contained. */
  def find(vertex: Int): Int = if (contains(vertex)) root(entries, vertex) else -1

  /** The vertex after `vertex` in the ring of its component. */
  def next(vertex: Int): Int = ring(vertex)

  /** Adds an edge; a self-loop makes its vertex occur. */
  def join(u: Int, v: Int): Unit = {
    val entries = this.entries
    val ru = root(entries, u)
    val rv = root(entries, v)
    if (ru != rv) {
      val size = entries(ru) + entries(rv)
      if (entries(ru) <= entries(rv)) {
        entries(rv) = ru + 1
        entries(ru) = size
      } else {
        entries(ru) = rv + 1
        entries(rv) = size
      }
      val after = ring(ru)
      ring(ru) = ring(rv)
      ring(rv) = after
    }
  }

  /** Adds the edges between `vertices(0)` and `vertices(1)`, `vertices(2)` and `vertices(3)` and so on. */
  def joinAll(vertices: Array[Int], ends: Int): Unit = {
    if (cleared < spare.length) clearSpare(ends * ForwardBuffer.ClearedPerEnd)
    looked = Fetching.look(entries, vertices, ends)
    var i = 0
    while (i < ends) {
      join(vertices(i), vertices(i + 1))
      i += 2
    }
  }

  /** The root; a vertex that is not there is added. */
  private def root(entries: Array[Int], vertex: Int): Int = {
    var v = vertex
    var e = entries(v)
    if (e == 0) {
      entries(v) = -1
      ring(v) = v
    }
    while (e > 0) {
      val above = entries(e - 1)
      if (above <= 0) return e - 1
      entries(v) = above
      v = above - 1
      e = entries(v)
    }
    v
  }
}

private object ForwardBuffer {

  /** Entries that are zeroed for each end of an edge: all, long before a chunk ends. */
  private final val ClearedPerEnd = 16
}
