package io.github.sparkbic.bench.baseline

import java.util.Arrays

/** The arrivals of edges at each vertex, as doubly linked lists of half-edges over primitive arrays.
  *
  * Half-edges `2e` and `2e + 1` are the two ends of arrival `e`; the one at a vertex is `h`, the far end is that of
  * `h ^ 1`. Numbers of removed arrivals are given out again.
  */
private[baseline] final class Adjacency {
  private var ends = new Array[Int](32)
  private var nexts = new Array[Int](32)
  private var befores = new Array[Int](32)
  private var heads = new Array[Int](16)
  private var free = -1
  private var top = 0

  /** First half-edge at the vertex, or -1. */
  def first(vertex: Int): Int = if (vertex < heads.length) heads(vertex) - 1 else -1

  /** The half-edge after this one at the same vertex, or -1. */
  def next(half: Int): Int = nexts(half)

  /** The vertex that the half-edge starts at. */
  def end(half: Int): Int = ends(half)

  def add(u: Int, v: Int): Int = {
    val e = if (free >= 0) free else top
    if (free >= 0) free = nexts(2 * e)
    else {
      top += 1
      if (2 * top > ends.length) {
        ends = Arrays.copyOf(ends, 4 * top)
        nexts = Arrays.copyOf(nexts, 4 * top)
        befores = Arrays.copyOf(befores, 4 * top)
      }
    }
    chain(2 * e, u)
    chain(2 * e + 1, v)
    e
  }

  def remove(e: Int): Unit = {
    unchain(2 * e)
    unchain(2 * e + 1)
    nexts(2 * e) = free
    free = e
  }

  private def chain(half: Int, vertex: Int): Unit = {
    if (vertex >= heads.length) heads = Arrays.copyOf(heads, vertex * 2 + 1)
    ends(half) = vertex
    nexts(half) = heads(vertex) - 1
    befores(half) = -1
    if (heads(vertex) > 0) befores(heads(vertex) - 1) = half
    heads(vertex) = half + 1
  }

  private def unchain(half: Int): Unit = {
    if (befores(half) >= 0) nexts(befores(half)) = nexts(half) else heads(ends(half)) = nexts(half) + 1
    if (nexts(half) >= 0) befores(nexts(half)) = befores(half)
  }
}
