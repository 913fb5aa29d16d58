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
  private var offered = 0

  def isFull: Boolean = size == most

  /** Takes a vertex, unless it is full or the vertex is not in the window. */
  def add(id: Long, pane: Int): Unit =
    if (!isFull) {
      offered += 1
      if (pane - floor >= 0) {
        ids(size) = id
        seen(size) = pane - floor
        size += 1
      }
    }

  /** The range for so many vertices, of which some were offered, in the window or not; empty if fewer than `smallest` are
    * in it.
    */
  def range(vertices: Int, smallest: Int): IdRange = {
    val live = (vertices.toLong * size / math.max(1, offered)).toInt
    if (live < smallest) IdRange.Empty
    else IdRange.of(Arrays.copyOf(ids, size), Arrays.copyOf(seen, size), live)
  }
}

private[index] object IdSample {

  /** Vertices that say enough of all others. */
  final val Enough = 1024
}
