package io.github.sparkbic.index.kernels

/** Union–find by number: a root is its own parent, and [[join]] makes the root with the smaller number the root of both
  * trees. So where all links come from joins, a parent has a smaller number than its child. A find is amortised
  * O(log vertices), since unions ignore sizes.
  *
  * Path halving after R. E. Tarjan, J. van Leeuwen, "Worst-case analysis of set union algorithms", J. ACM 31(2), 1984.
  */
private[sparkbic] object PathHalving {

  /** The root of `vertex`. Every other vertex on the path is linked to its grandparent.
    *
    * Most paths have no link or one, which cannot be predicted, so the first branch treats both cases alike.
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

  /** Links the trees of two vertices; the root with the smaller number becomes the root of both. */
  def join(parents: Array[Int], a: Int, b: Int): Unit =
    if (a != b) {
      val u = root(parents, a)
      val v = root(parents, b)
      // A branch on which root is smaller could not be predicted.
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
