package io.github

import org.apache.spark.sql.DataFrame

/** Sliding-window connectivity over streaming graphs.
  *
  * {{{
  * import io.github.sparkbic._
  *
  * edges.bicConnectivity("1 hour", "5 minutes", Seq((1L, 2L), (3L, 9L)))
  * }}}
  */
package object sparkbic {

  /** Adds `SlidingWindowConnectivity.bicConnectivity` to every DataFrame. */
  implicit class BicDataFrame(edges: DataFrame) extends SlidingWindowConnectivity(edges)
}
