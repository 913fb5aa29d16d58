package io.github.sparkbic.index

/** Loops over arrays of primitives: hash tables of ids, a count of distinct ids, two kinds of union–find, sorting, and threads
  * over a range.
  *
  * They know nothing of panes or windows, and each file can be read alone. Every edge passes here, so a change is
  * measured: `bench/Jmh/run IndexBenchmark`, `bench/Jmh/run PaneForestBenchmark`.
  */
package object kernels
