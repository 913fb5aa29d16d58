package io.github.sparkbic.index.contract

import io.github.sparkbic.index.format.BinaryWriter

/** Edges of one pane from one task, in a form that joins exactly the vertices that the edges joined. */
trait EdgeSet {

  /** An upper bound on the number of vertices. */
  def size: Int

  /** An upper bound on the number of links. */
  def links: Int

  def feed(sink: EdgeSink): Unit

  /** The same edges between other vertices: a vertex of this set is a position in `numbers`. */
  def renumbered(numbers: Array[Long]): EdgeSet

  /** Appends the kind of the set, and the set. */
  def save(out: BinaryWriter): Unit
}

/** A consumer of edges, in batches of primitives. */
trait EdgeSink {

  /** Takes the edges `ends(0) – ends(1)`, `ends(2) – ends(3)` …, up to `count` ends; `ends` is invalid afterwards. */
  def addEdges(ends: Array[Long], count: Int): Unit

  /** Takes a forest that links `ids(i)` to `ids(parents(i))`, and a root to itself; parents come before children. */
  def addForest(ids: Array[Long], parents: Array[Int]): Unit
}
