package io.github.sparkbic.bench.baseline

import java.util.Arrays

/** A forest as Euler tours, each tour the in-order of a splay tree: link, cut and "same tree" in amortised O(log n).
  *
  * A tour holds one node per vertex and two per tree edge. Every node carries marks, and knows the marks and the number
  * of vertices below it. So the smaller tree and its marks are found without a look at the rest.
  *
  * M. R. Henzinger, V. King, "Randomized fully dynamic graph algorithms with polylogarithmic time per operation",
  * J. ACM 46(4), 1999; D. D. Sleator, R. E. Tarjan, "Self-adjusting binary search trees", J. ACM 32(3), 1985.
  */
private[baseline] final class EulerForest {
  import EulerForest._

  private var left = new Array[Int](16)
  private var right = new Array[Int](16)
  private var up = new Array[Int](16)
  // Vertices and marks of the node alone and of all below it; a vertex counts as one, an edge as none.
  private var own = new Array[Int](16)
  private var sizes = new Array[Int](16)
  private var below = new Array[Int](16)
  private var marks = new Array[Int](16)
  // What the node stands for.
  private var labels = new Array[Int](16)
  private var top = 0
  private var free = None

  /** A tour of one node, which stands for a vertex (`weight` 1) or an edge (0). */
  def newNode(label: Int, weight: Int): Int = {
    val n = if (free != None) free else top
    if (free != None) free = left(n) else top += 1
    if (top > left.length) {
      left = Arrays.copyOf(left, top * 2)
      right = Arrays.copyOf(right, top * 2)
      up = Arrays.copyOf(up, top * 2)
      own = Arrays.copyOf(own, top * 2)
      sizes = Arrays.copyOf(sizes, top * 2)
      below = Arrays.copyOf(below, top * 2)
      marks = Arrays.copyOf(marks, top * 2)
      labels = Arrays.copyOf(labels, top * 2)
    }
    left(n) = None
    right(n) = None
    up(n) = None
    own(n) = weight
    marks(n) = 0
    labels(n) = label
    update(n)
    n
  }

  def label(n: Int): Int = labels(n)

  /** Vertices in the tree of `n`. */
  def size(n: Int): Int = {
    splay(n)
    sizes(n)
  }

  def mark(n: Int, bits: Int): Unit =
    if (marks(n) != bits) {
      splay(n)
      marks(n) = bits
      update(n)
    }

  def joined(u: Int, v: Int): Boolean =
    u == v || {
      splay(u)
      splay(v)
      up(u) != None
    }

  /** A node of the tree of `n` with one of these marks, or -1. */
  def marked(n: Int, bits: Int): Int = {
    splay(n)
    if ((below(n) & bits) == 0) None
    else {
      var x = n
      while ((marks(x) & bits) == 0)
        x = if (left(x) != None && (below(left(x)) & bits) != 0) left(x) else right(x)
      splay(x)
      x
    }
  }

  /** Joins the trees of two vertices by an edge, whose two nodes these are. */
  def link(u: Int, v: Int, forth: Int, back: Int): Unit = {
    first(u)
    first(v)
    concat(concat(concat(u, forth), v), back)
  }

  /** Takes the edge with these two nodes out again, and frees them. */
  def cut(forth: Int, back: Int): Unit = {
    splay(forth)
    val before = detach(left(forth))
    val after = detach(right(forth))
    splay(back)
    val inAfter = after == back || (after != None && up(after) != None)
    val l = detach(left(back))
    val r = detach(right(back))
    // The tour was before, forth, l, back, r, or else l, back, r, forth, after.
    if (inAfter) concat(before, r) else concat(l, after)
    release(forth)
    release(back)
  }

  private def release(n: Int): Unit = {
    left(n) = free
    free = n
  }

  private def detach(n: Int): Int = {
    if (n != None) {
      val parent = up(n)
      if (left(parent) == n) left(parent) = None else right(parent) = None
      up(n) = None
      update(parent)
    }
    n
  }

  /** Turns the tour so that it begins with `n`, which becomes the root of the splay tree. */
  private def first(n: Int): Unit = {
    splay(n)
    val before = detach(left(n))
    if (before != None) {
      concat(n, before)
      splay(n)
    }
  }

  /** Appends one tour to the other; both are given by a root of their splay trees, or by none. */
  private def concat(a: Int, b: Int): Int =
    if (a == None) b
    else if (b == None) a
    else {
      var first = a
      while (up(first) != None) first = up(first)
      var last = first
      while (right(last) != None) last = right(last)
      splay(last)
      var other = b
      while (up(other) != None) other = up(other)
      right(last) = other
      up(other) = last
      update(last)
      last
    }

  private def update(n: Int): Unit = {
    val l = left(n)
    val r = right(n)
    sizes(n) = own(n) + (if (l == None) 0 else sizes(l)) + (if (r == None) 0 else sizes(r))
    below(n) = marks(n) | (if (l == None) 0 else below(l)) | (if (r == None) 0 else below(r))
  }

  private def rotate(n: Int): Unit = {
    val p = up(n)
    val g = up(p)
    if (left(p) == n) {
      left(p) = right(n)
      if (right(n) != None) up(right(n)) = p
      right(n) = p
    } else {
      right(p) = left(n)
      if (left(n) != None) up(left(n)) = p
      left(n) = p
    }
    up(p) = n
    up(n) = g
    if (g != None) { if (left(g) == p) left(g) = n else right(g) = n }
    update(p)
  }

  private def splay(n: Int): Unit = {
    while (up(n) != None) {
      val p = up(n)
      val g = up(p)
      if (g != None) rotate(if ((left(g) == p) == (left(p) == n)) p else n)
      rotate(n)
    }
    update(n)
  }
}

private[baseline] object EulerForest {
  private final val None = -1

  /** Sets an element of a growing array, and returns the array. */
  def put(array: Array[Int], at: Int, value: Int): Array[Int] = {
    val larger = if (at < array.length) array else Arrays.copyOf(array, math.max(at + 1, array.length * 2))
    larger(at) = value
    larger
  }
}
