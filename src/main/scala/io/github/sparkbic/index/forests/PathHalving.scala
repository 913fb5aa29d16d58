package io.github.sparkbic.index.forests

/** Finding roots in a union–find whose roots are their own parents. */
private[index] object PathHalving {

  /** The root of `vertex`. Every other vertex on the way is linked to its grandparent, so that later ways are shorter.
    *
    * Most ways are at most one link long, and whether none or one cannot be predicted: the first branch does not tell.
    */
  def root(parents: Array[Int], vertex: Int): Int = {
    val parent = parents(vertex)
    var v = parents(parent)
    if (v == parent) v
    else {
      parents(vertex) = v
      var p = parents(v)
      while (p != v) {
        val above = parents(p)
        parents(v) = above
        v = above
        p = parents(v)
      }
      v
    }
  }
}
