package io.github

import org.apache.spark.sql.Dataset

/** Sliding-window connectivity over streaming graphs.
  *
  * {{{
  * import io.github.sparkbic._
  *
  * edges.bicConnectivity("1 hour", "5 minutes", Seq((1L, 2L), (3L, 9L)))
  * }}}
  */
package object sparkbic {

  /** Adds the methods of `SlidingWindowConnectivity` to every DataFrame, and to a Dataset of objects of a class. */
  implicit class BicDataFrame(edges: Dataset[_]) extends SlidingWindowConnectivity(edges.toDF())
}
