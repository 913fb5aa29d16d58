package io.github.sparkbic.index.bic

/** Finding roots in a union–find by size: the entry of a vertex is its parent plus one, that of a root minus the size of
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
}
