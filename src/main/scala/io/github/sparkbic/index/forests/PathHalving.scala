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

  /** Links the trees of two vertices, the root with the larger number to the other one. */
  def join(parents: Array[Int], a: Int, b: Int): Unit =
    if (a != b) {
      val u = root(parents, a)
      val v = root(parents, b)
      // Without a branch: which is smaller cannot be predicted.
      parents(math.max(u, v)) = math.min(u, v)
    }

  /** Joins `numbers(0)` and `numbers(1)`, `numbers(2)` and `numbers(3)` and so on, up to `count`. */
  def joinAll(parents: Array[Int], numbers: Array[Int], count: Int): Unit = {
    var i = 0
    while (i < count) {
      join(parents, numbers(i), numbers(i + 1))
      i += 2
    }
  }
}
