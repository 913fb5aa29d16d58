package io.github.sparkbic.index

/** Shortest paths in one set of edges, which are the evidence that two vertices are connected. */
package object paths
