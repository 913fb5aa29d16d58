package io.github.sparkbic.index

/** Sets of edges between stage 1 and an index, and what indexes share.
  *
  * {{{
  * made in stage 1      PaneForestBuilder: edges → UnionOfIds (HashedUnion, RankedUnion) → PaneForest
  * sent to stage 2      PaneForest or LooseEdges, whose bytes EdgeSets reads
  * fed to an index      NumberedIndex, the part that all indexes share; TableIndex for a whole table
  * saved with a state   SavedForest of Links, which every index writes and reads
  * }}}
  */
package object forests
