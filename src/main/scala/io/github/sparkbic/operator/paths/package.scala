package io.github.sparkbic.operator

/** The evidence that pairs of vertices are connected: paths of real edges of a static table.
  *
  * {{{
  * edges ──► PackEdges ──► shuffle by graph and window ──► FindPaths ──► rows of the answers, with their paths
  *           (blocks of      (answers after the blocks       (one window
  *            each window)    of their window)                at a time)
  * }}}
  *
  * `TimedEdges` holds the edges of a window, `ShortestPaths` searches in their `Neighbours`; these know nothing of Spark.
  */
package object paths
