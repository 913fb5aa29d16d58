package io.github.sparkbic.bench.baseline.paper

import java.util.Arrays

import io.github.sparkbic.index.kernels.LongInterner

/** Chunk `c`, an array of `size` slide intervals: Definition "Chunks" of section 4. A slide interval here is a pane.
  *
  * The chunk numbers its vertices for its forward buffer and its backward buffer, which has no further vertices.
  * An edge costs eight bytes until the backward buffer is computed. Edges of `c[0]` are not stored, because Algorithm 2
  * never reads `c[0]`.
  *
  * @param size     `|c|`
  * @param expected the number of vertices, if known
  */
private[paper] final class Chunk(val size: Int, expected: Int) {
  val vertices = new LongInterner(expected)

  private var us = new Array[Int](16)
  private var vs = new Array[Int](16)
  private var count = 0
  // The number of edges before each slide interval up to `last`; the edges are stored in the order of the intervals.
  private val starts = new Array[Int](size)
  private var last = 0

  /** Adds the edge `(u, v)` to `c[j]`, where `j` never falls. */
  def add(j: Int, u: Int, v: Int): Unit = if (j > 0) {
    while (last < j) {
      last += 1
      starts(last) = count
    }
    if (count == us.length) {
      us = Arrays.copyOf(us, 2 * count)
      vs = Arrays.copyOf(vs, 2 * count)
    }
    us(count) = u
    vs(count) = v
    count += 1
  }

  /** The edges of `c[j]` have the numbers from `begin(j)` until `end(j)`. */
  def begin(j: Int): Int = if (j > last) count else starts(j)
  def end(j: Int): Int = if (j >= last) count else starts(j + 1)

  def u(edge: Int): Int = us(edge)
  def v(edge: Int): Int = vs(edge)

  /** Forgets the edges, which have no use once the backward buffer is computed. The vertices stay. */
  def dropEdges(): Unit = {
    us = Array.emptyIntArray
    vs = us
    count = 0
    last = 0
  }
}
