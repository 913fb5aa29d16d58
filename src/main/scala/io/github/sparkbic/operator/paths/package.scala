package io.github.sparkbic.operator

/** The evidence that pairs of vertices are connected: paths of real edges of a static table.
  *
  * {{{
  * edges ──► edges of the asked windows ──► PackEdges ──► shuffle by graph and window ──► FindPaths ──► rows of the answers,
  *           (a broadcast join)             (blocks of      (answers after the blocks       (one window    with their paths
  *                                           edges)          of their window)                at a time)
  * }}}
  */
package object paths
