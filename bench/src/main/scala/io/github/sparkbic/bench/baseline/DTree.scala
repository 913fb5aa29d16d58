package io.github.sparkbic.bench.baseline

import java.util.Arrays

/** D-Tree: spanning trees kept shallow by heuristics, without worst-case bounds.
  *
  * Each tree is rooted near its centroid. A new edge between trees hangs the smaller one under the larger; an edge
  * within a tree whose ends differ in depth by two or more replaces a tree edge half-way. So the deeper part comes
  * closer to the root; a deleted tree edge is replaced by searching the smaller part.
  *
  * Q. Chen, O. Lachish, S. Helmer, M. H. Böhlen, "Dynamic Spanning Trees for Connectivity Queries on Fully-dynamic
  * Undirected Graphs", PVLDB 15(11), 2022.
  */
final class DTree extends DynamicSystem {
  private var parents = new Array[Int](16)
  // The edge to the parent, and the vertices below, the vertex itself among them.
  private var parentEdges = new Array[Int](16)
  private var sizes = new Array[Int](16)
  private var count = 0
  private var marks = new Array[Int](16)
  private var mark = 0

  private val tree = new Adjacency
  private val nonTree = new Adjacency
  // Of each edge: its number in `tree`, or the complement of that in `nonTree`; and of each edge in that, its number here.
  private var places = new Array[Int](16)
  private var edgeOfOthers = new Array[Int](16)
  private var queue = new Array[Int](16)

  override protected def reserve(vertices: Int): Unit =
    if (vertices > count) {
      if (vertices > parents.length) {
        parents = Arrays.copyOf(parents, vertices * 2)
        parentEdges = Arrays.copyOf(parentEdges, vertices * 2)
        sizes = Arrays.copyOf(sizes, vertices * 2)
        marks = Arrays.copyOf(marks, vertices * 2)
      }
      while (count < vertices) {
        parents(count) = -1
        sizes(count) = 1
        count += 1
      }
    }

  override protected def joined(u: Int, v: Int): Boolean = root(u) == root(v)

  override protected def link(e: Int, u: Int, v: Int): Unit = {
    val ru = root(u)
    val rv = root(v)
    if (ru != rv) { if (sizes(ru) <= sizes(rv)) hang(e, u, v) else hang(e, v, u) }
    else {
      val du = depth(u)
      val dv = depth(v)
      if (math.abs(du - dv) < 2) addNonTree(e, u, v)
      else if (du > dv) shorten(e, u, v, du - dv)
      else shorten(e, v, u, dv - du)
    }
  }

  override protected def unlink(e: Int, u: Int, v: Int): Unit =
    if (places(e) < 0) nonTree.remove(~places(e))
    else {
      val child = if (parents(u) == v && parentEdges(u) == e) u else v
      val above = root(child)
      detach(child)
      tree.remove(places(e))
      val small = if (sizes(child) <= sizes(above)) child else above
      val replacement = search(small)
      if (replacement >= 0) {
        nonTree.remove(~places(replacement))
        val s = edges.source(replacement)
        val t = edges.target(replacement)
        if (marks(s) == mark) hang(replacement, s, t) else hang(replacement, t, s)
      }
    }

  private def root(vertex: Int): Int = {
    var v = vertex
    while (parents(v) >= 0) v = parents(v)
    v
  }

  private def depth(vertex: Int): Int = {
    var v = vertex
    var d = 0
    while (parents(v) >= 0) {
      v = parents(v)
      d += 1
    }
    d
  }

  /** The edge from the deep end takes the place of a tree edge half-way up to the depth of the other end. */
  private def shorten(e: Int, deep: Int, other: Int, difference: Int): Unit = {
    var x = deep
    var i = (difference - 1) / 2
    while (i > 0) {
      x = parents(x)
      i -= 1
    }
    val old = parentEdges(x)
    val p = parents(x)
    detach(x)
    tree.remove(places(old))
    addNonTree(old, x, p)
    hang(e, deep, other)
  }

  /** Hangs the tree of `child` under `under`, a vertex of another tree, and moves the root towards the centroid. */
  private def hang(e: Int, child: Int, under: Int): Unit = {
    reroot(child)
    parents(child) = under
    parentEdges(child) = e
    place(e, tree.add(child, under))
    val added = sizes(child)
    var v = under
    var top = under
    while (v >= 0) {
      sizes(v) += added
      top = v
      v = parents(v)
    }
    // The deepest vertex on the path that has more than half of the tree below.
    var centre = under
    while (sizes(centre) * 2 <= sizes(top)) centre = parents(centre)
    if (centre != top) reroot(centre)
  }

  /** Cuts the vertex, with all below, off its parent. */
  private def detach(child: Int): Unit = {
    var v = parents(child)
    while (v >= 0) {
      sizes(v) -= sizes(child)
      v = parents(v)
    }
    parents(child) = -1
  }

  private def reroot(vertex: Int): Unit = {
    var v = vertex
    var p = parents(v)
    var edge = parentEdges(v)
    val total = sizes(root(vertex))
    parents(v) = -1
    var below = sizes(v)
    while (p >= 0) {
      val nextParent = parents(p)
      val nextEdge = parentEdges(p)
      val size = sizes(p)
      parents(p) = v
      parentEdges(p) = edge
      sizes(p) = total - below
      below = size
      v = p
      p = nextParent
      edge = nextEdge
    }
    sizes(vertex) = total
  }

  /** Marks the tree of `start` and returns an edge that leads out of it, or -1. */
  private def search(start: Int): Int = {
    mark += 1
    val size = sizes(root(start))
    if (queue.length < size) queue = new Array[Int](size * 2)
    queue(0) = start
    marks(start) = mark
    var head = 0
    var tail = 1
    while (head < tail) {
      val v = queue(head)
      var half = tree.first(v)
      head += 1
      while (half >= 0) {
        val far = tree.end(half ^ 1)
        if (marks(far) != mark) {
          marks(far) = mark
          queue(tail) = far
          tail += 1
        }
        half = tree.next(half)
      }
    }
    head = 0
    while (head < tail) {
      var half = nonTree.first(queue(head))
      while (half >= 0) {
        if (marks(nonTree.end(half ^ 1)) != mark) return edgeOfOthers(half >> 1)
        half = nonTree.next(half)
      }
      head += 1
    }
    -1
  }

  private def addNonTree(e: Int, u: Int, v: Int): Unit = {
    place(e, ~nonTree.add(u, v))
    edgeOfOthers = EulerForest.put(edgeOfOthers, ~places(e), e)
  }

  private def place(e: Int, at: Int): Unit = places = EulerForest.put(places, e, at)
}
