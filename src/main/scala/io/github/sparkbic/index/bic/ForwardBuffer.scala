package io.github.sparkbic.index.bic

import java.util.Arrays

/** The forward buffer of the current chunk: a union–find over the edges of its panes so far.
  *
  * Snapshots of a forward buffer are accessed in the order in which they are computed, so only the latest exists, and
  * paths may be shortened at will: union by size with path halving, one `Int` a vertex. An entry is the parent, or
  * minus the size of the tree at its root, or zero for a vertex that has no edge in this chunk (a tree has at least
  * one vertex, and parents are stored plus one).
  */
private[bic] final class ForwardBuffer(expected: Int) {
  private var entries = new Array[Int](math.max(8, expected))

  def contains(vertex: Int): Boolean = vertex < entries.length && entries(vertex) != 0

  /** Its entry, only to have it in the cache. */
  def peek(vertex: Int): Int = if (vertex < entries.length) entries(vertex) else 0

  /** Makes `vertex` a tree of its own; it must not be contained. */
  def add(vertex: Int): Unit = {
    if (vertex >= entries.length)
      entries = Arrays.copyOf(entries, math.max(vertex + 1, vertex + (vertex >> 1)))
    entries(vertex) = -1
  }

  /** The root of `vertex`, or -1 if it is not contained. */
  def find(vertex: Int): Int = {
    val entries = this.entries
    if (vertex >= entries.length || entries(vertex) == 0) -1
    else {
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
  }

  /** Links two different roots and returns the one that stays a root: that of the larger tree, `u` on a tie. */
  def link(u: Int, v: Int): Int = {
    val entries = this.entries
    val joined = entries(u) + entries(v)
    if (entries(u) <= entries(v)) {
      entries(v) = u + 1
      entries(u) = joined
      u
    } else {
      entries(u) = v + 1
      entries(v) = joined
      v
    }
  }
}
