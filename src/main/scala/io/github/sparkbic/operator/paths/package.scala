package io.github.sparkbic.operator

/** The evidence that two vertices are connected: paths of real edges of a static table.
  *
  * {{{
  * edges ──► PackEdges ──► shuffle by graph and window ──► FindPaths ──► rows of the answers, with their paths
  *           (blocks of      (answers after the blocks       (one window
  *            each window)    of their window)                at a time)
  * }}}
  *
  * `PathsPlan` has the plan. `WindowVertices` numbers the vertices of a block and of a window, and `ShortestPaths` searches
  * over these numbers.
  */
package object paths
