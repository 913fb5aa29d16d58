package io.github.sparkbic.index

/** Our index: one forest of the most recent links. Read [[recency.RecencyLinks RecencyLinks]] first, which keeps the forest
  * while edges come, then `RecencyIndex`.
  */
package object recency
