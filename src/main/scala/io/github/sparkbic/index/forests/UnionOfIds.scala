package io.github.sparkbic.index.forests

/** A union–find over 64-bit ids, from which the forest of a pane is made. Not thread safe. */
private[forests] trait UnionOfIds {

  /** Distinct vertices so far. */
  def size: Int

  /** The memory that it takes, in vertices of some 60 bytes. */
  def weight: Int

  /** Joins `ends(from)` and the end after it, and so on, up to `count` ends. */
  def joinAll(ends: Array[Long], from: Int, count: Int): Unit

  /** Joins the vertices that a forest joins, in which `ids(i)` is linked to `ids(parents(i))`; a parent comes first. */
  def add(ids: Array[Long], parents: Array[Int]): Unit = {
    // A loop, as `Array.tabulate` boxes each of the ids.
    val ends = new Array[Long](2 * ids.length)
    var i = 0
    while (i < ids.length) {
      ends(2 * i) = ids(parents(i))
      ends(2 * i + 1) = ids(i)
      i += 1
    }
    joinAll(ends, 0, ends.length)
  }

  /** The forest, in which every vertex is linked to the first vertex of its tree. No edges of the pane may follow. */
  def result(): PaneForest
}
