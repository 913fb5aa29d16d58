package io.github.sparkbic.bench.baseline.paper

import java.util.Arrays

/** Union-Find Trees (UFTs) over numbered vertices, as a forward buffer has them: section 5.1.
  *
  * The trees are "optimized": the root of the smaller tree becomes a child of the larger tree's root. So a path has at
  * most log2 n edges. Of two trees of the same size, the tree of the edge's first vertex keeps its root. The paper has no
  * path compression, and in a backward buffer the labels of the tree edges forbid it.
  */
private[paper] class Uft(capacity: Int) {
  // The parent of a vertex; of a root, the negated number of vertices in its tree.
  protected var parents: Array[Int] = Arrays.copyOf(Array.emptyIntArray, math.max(capacity, 16))
  Arrays.fill(parents, -1)

  /** Makes room for the vertices below `count`; each new vertex is a tree of its own. */
  final def reserve(count: Int): Unit = if (count > parents.length) {
    val length = parents.length
    parents = Arrays.copyOf(parents, math.max(count, 2 * length))
    Arrays.fill(parents, length, parents.length, -1)
  }

  final def isRoot(v: Int): Boolean = parents(v) < 0

  final def parent(v: Int): Int = parents(v)

  /** The root of `v`. */
  final def find(v: Int): Int = {
    var root = v
    while (parents(root) >= 0) root = parents(root)
    root
  }

  /** Links two different roots, and returns the root that is a child now. */
  final def union(ru: Int, rv: Int): Int =
    if (-parents(ru) < -parents(rv)) link(ru, rv) else link(rv, ru)

  private def link(child: Int, root: Int): Int = {
    parents(root) += parents(child)
    parents(child) = root
    child
  }
}
