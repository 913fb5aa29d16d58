package io.github.sparkbic

/** Connectivity of one graph over sliding windows, without Spark. An arrow points to the package that is used:
  *
  * {{{
  * Indexes                        creates and restores an index by its name
  *   ↓
  * bic   recency                  the two indexes
  *   ↓
  * forests                        sets of edges, their builders and bytes; the saved form; the part that indexes share
  *   ↓
  * vertices                       numbers vertices
  *   ↓
  * contract                       the law of an index, panes, windows, thresholds
  *   ↓
  * format   kernels               bytes of states and blocks; sorting, hashing, union–find over arrays
  * }}}
  */
package object index {}
