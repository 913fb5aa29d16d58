package io.github.sparkbic.index.vertices

import java.util.Arrays

/** Some of the vertices of a window, to choose an [[IdRange]] by.
  *
  * @param floor the first pane of the window
  */
private[index] final class IdSample(most: Int, floor: Int) {
  private val ids = new Array[Long](most)
  private val seen = new Array[Int](most)
  private var size = 0

  def isFull: Boolean = size == most

  /** Takes a vertex, unless it is full or the vertex is not in the window. */
  def add(id: Long, pane: Int): Unit =
    if (!isFull && pane - floor >= 0) {
      ids(size) = id
      seen(size) = pane - floor
      size += 1
    }

  /** The range for so many vertices, of which these are some. */
  def range(vertices: Int): IdRange =
    IdRange.of(Arrays.copyOf(ids, size), Arrays.copyOf(seen, size), vertices)
}

private[index] object IdSample {

  /** Vertices that say enough of all others. */
  final val Enough = 1024
}
