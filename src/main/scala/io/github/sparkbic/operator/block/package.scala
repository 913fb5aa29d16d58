package io.github.sparkbic.operator

/** The block that stage 1 sends to stage 2 for a pane of a graph, and the names of vertices in a block:
  * their bytes, their numbers, and what a block adds to a dictionary of names.
  */
package object block
