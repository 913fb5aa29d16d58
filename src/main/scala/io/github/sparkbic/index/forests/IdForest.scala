package io.github.sparkbic.index.forests

import io.github.sparkbic.index.format.BinaryWriter

/** A spanning forest in the making of edges between 64-bit ids: a union–find over numbers of these.
  *
  * Edges are joined in batches, first numbered, then linked, so that the look-ups of many wait for memory together. Not
  * thread safe.
  */
private[forests] trait IdForest {

  /** Distinct vertices so far; may take a pass over them. */
  def size: Int

  /** The memory that this takes, in vertices of some 60 bytes. */
  def weight: Int

  /** Joins `ends(0)` and `ends(1)`, `ends(2)` and `ends(3)` and so on, up to `count`. */
  def joinAll(ends: Array[Long], count: Int): Unit

  /** Joins the vertices that a forest joins, in which `ids(i)` is linked to `ids(parents(i))`. */
  def add(ids: Array[Long], parents: Array[Int]): Unit

  /** The forest so far, with a vertex of each tree that all others of it are linked to; the end of this one. */
  def result(): PaneForest

  /** Appends what `result().save` would; the end of this one. */
  def drainTo(out: BinaryWriter): Unit
}
