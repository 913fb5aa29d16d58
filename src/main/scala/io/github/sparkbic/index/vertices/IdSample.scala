package io.github.sparkbic.index.vertices

import java.util.Arrays

/** Some of the vertices of a window, to choose an [[IdRange]] by.
  *
  * @param floor the first pane of the window
  */
private[index] final class IdSample(most: Int, floor: Int) {
  private val ids = new Array[Long](most)
  private val seen = new Array[Int](most)
  private var count = 0
  private var offered = 0

  def isFull: Boolean = count == most

  /** Vertices that were taken. */
  def size: Int = count

  /** How many of them are of the range. */
  def within(range: IdRange): Int = {
    var found = 0
    var i = 0
    while (i < count) {
      if (range.numberOf(ids(i)) >= 0) found += 1
      i += 1
    }
    found
  }

  /** Takes a vertex, unless it is full or the vertex is not in the window. */
  def add(id: Long, pane: Int): Unit =
    if (!isFull) {
      offered += 1
      if (pane - floor >= 0) {
        ids(count) = id
        seen(count) = pane - floor
        count += 1
      }
    }

  /** Takes vertices of a range, as its part of all is, and others from the directory.
    *
    * @param ranged      vertices of the range
    * @param visitRanged visits those at every so many-th id
    */
  def fill(
      ranged: Int,
      visitRanged: (Int, VertexVisitor) => Unit,
      directory: VertexDirectory,
      keys: VertexKeys
  ): Unit = {
    val fromRange = (most.toLong * ranged / math.max(1, ranged + directory.size)).toInt
    if (fromRange > 0) visitRanged(1 + ranged / fromRange, (id, _, seen) => add(id, seen))
    var key = 0L
    do key = directory.visitTable(key, (key, _, seen) => add(keys.idOf(key), seen))
    while (key != 0 && !isFull)
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

  /** Vertices below which no range is looked for: all that a directory knows of fewer is in the caches of a core. */
  final val SmallestRanged = 1 << 14

  /** The range for these vertices, last seen in these panes; empty if fewer than `smallest` are in the window. */
  def rangeOf(ids: Array[Long], seen: Array[Int], floor: Int, smallest: Int): IdRange = {
    val sample = new IdSample(Enough, floor)
    ids.indices.by(1 + ids.length / Enough).foreach(i => sample.add(ids(i), seen(i)))
    sample.range(ids.length, smallest)
  }
}
