package io.github.sparkbic.index

import scala.collection.mutable

import io.github.sparkbic.index.contract.ConnectivityIndex

/** What an index answers, in the form of the [[Oracle]]. */
object Answers {

  /** The components of the window that starts at a pane: vertex to the smallest vertex of its component. */
  def components(index: ConnectivityIndex, windowStart: Long): Map[Long, Long] = {
    val found = mutable.Map.empty[Long, Long]
    index.components(windowStart)((vertex, component) => found(vertex) = component)
    found.toMap
  }
}
