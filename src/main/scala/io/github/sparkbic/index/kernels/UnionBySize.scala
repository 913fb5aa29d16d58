package io.github.sparkbic.index.kernels

/** Union–find by size in one array, at first of zeros: four bytes a vertex, and amortised O(α) a find.
  *
  * The entry of a child is its parent's number plus one; the entry of a root is 1 − the size of its tree. Path halving
  * after Tarjan and van Leeuwen, J. ACM 31(2), 1984.
  */
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
