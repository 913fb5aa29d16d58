package io.github.sparkbic.operator

/** A graph between two micro-batches: its bytes, the state store that holds them, the graphs that stay alive
  * in memory, and the counters.
  */
package object state
