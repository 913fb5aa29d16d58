package io.github.sparkbic.index

/** Numbers for the vertices of one graph, which come and go.
  *
  * Read [[vertices.VertexNumbers VertexNumbers]] first: which numbers there are, and when a number is given to another
  * vertex. `IdMap` leads from an id to a number and back, over a hash table or over an `IdRange`.
  */
package object vertices
