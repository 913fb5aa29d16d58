package io.github.sparkbic.index.bic

/** A union–find by size: the entry of a vertex is its parent plus one, that of a root minus the size of
  * its tree without itself.
  */
private[bic] object SizedForest {

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

  /** Makes one of two roots, that of the larger tree, the root of both, and returns it. */
  def unite(entries: Array[Int], a: Int, b: Int): Int = {
    val root = if (entries(a) <= entries(b)) a else b
    val child = a + b - root
    entries(root) += entries(child) - 1
    entries(child) = root + 1
    root
  }
}
