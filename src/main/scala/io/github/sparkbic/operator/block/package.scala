package io.github.sparkbic.operator

/** What stage 1 sends to stage 2, and the strings that name vertices. In the order of reading:
  *
  * {{{
  * PackedBlock       the edges of a pane of a graph: a row of the shuffle
  * NameCode          the bytes that stand for a string; a UUID takes 17
  * PackedNames       the bytes of many names: of a block, and in a state
  * NameTable         string → number; NameCodes has the codes by number, NameBatch the strings that are looked up together
  * Dictionary        the strings that the blocks of a graph from a task share: its writer is in stage 1, its readers in stage 2
  * VertexIds         in stage 2, the vertices of a block ↔ the ids of the index; VertexNames does it for strings
  * }}}
  *
  * `StateLayout` draws the bytes of codes, of names, and of the dictionary of a graph. States hold them, so a change of them
  * is a change of the format. `PackedBlock` and `DictionaryWriter` may change freely, since no block outlives its query.
  */
package object block
