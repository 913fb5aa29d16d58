package io.github.sparkbic.index.forests

import java.util.Arrays

import io.github.sparkbic.index.kernels.PathHalving

/** A spanning forest in the making over the vertices 0, 1, 2 …: a union–find with path halving.
  *
  * The vertex with the smaller number becomes the root, so that hubs, which come early, stay near the top, and a parent
  * has a smaller number than its child. Four bytes a vertex; no allocation but when it grows. Not thread safe.
  *
  * @param expected vertices, if known
  */
final class NumberedForest(expected: Int = 0) {
  private var parents = new Array[Int](math.max(4, expected))
  private var count = 0

  def size: Int = count

  /** The memory of the forest. */
  def bytes: Long = 4L * parents.length

  /** Makes all vertices below `size` vertices of the forest; new ones are roots. */
  def enlargeTo(size: Int): Unit =
    if (size > count) {
      if (size > parents.length)
        parents = Arrays.copyOf(parents, math.max(size, parents.length + (parents.length >> 1)))
      val all = parents
      var i = count
      while (i < size) {
        all(i) = i
        i += 1
      }
      count = size
    }

  /** Adds an edge between two vertices of the forest. */
  def join(a: Int, b: Int): Unit = PathHalving.join(parents, a, b)

  /** Adds edges between vertices of the forest: `numbers(0)` and `numbers(1)`, and so on, up to `count`. */
  def joinAll(numbers: Array[Int], count: Int): Unit = PathHalving.joinAll(parents, numbers, count)

  /** The root of the tree of every vertex. */
  def roots: Array[Int] = {
    val roots = Arrays.copyOf(parents, count)
    var i = 0
    while (i < roots.length) {
      // The parent's number is smaller, so its own parent is a root by now.
      roots(i) = roots(roots(i))
      i += 1
    }
    roots
  }
}
