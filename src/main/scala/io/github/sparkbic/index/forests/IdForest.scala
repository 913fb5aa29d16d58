package io.github.sparkbic.index.forests

import io.github.sparkbic.index.format.BinaryWriter

/** A spanning forest in the making of edges between 64-bit ids: a union–find over numbers of the ids.
  *
  * The ends of a batch of edges are numbered before they are linked, so that look-ups overlap. Not thread safe.
  */
private[forests] trait IdForest {

  /** Distinct vertices so far; may take a pass over them. */
  def size: Int

  /** The memory of the forest, in vertices of some 60 bytes. */
  def weight: Int

  /** Joins `ends(0)` and `ends(1)`, `ends(2)` and `ends(3)` and so on, up to `count`. */
  def joinAll(ends: Array[Long], count: Int): Unit

  /** Joins the vertices that a forest joins, in which `ids(i)` is linked to `ids(parents(i))`. */
  def add(ids: Array[Long], parents: Array[Int]): Unit

  /** The forest so far, in which every vertex is linked to the first vertex of its tree; no edges may follow. */
  def result(): PaneForest

  /** Appends [[result]] as [[PaneForest.save]] does; no edges may follow. */
  def save(out: BinaryWriter): Unit = result().save(out)
}
