package io.github.sparkbic.index

/** Our index: one forest of the most recent links. Read [[recency.RecencyLinks RecencyLinks]] first, whose header has the
  * invariants, then `EdgeJoin`, which keeps them while edges come, then `RecencyIndex`.
  */
package object recency
