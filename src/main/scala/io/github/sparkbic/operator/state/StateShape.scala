package io.github.sparkbic.operator.state

import io.github.sparkbic.index.{Panes, WindowCursor}

/** What of a stateful query must stay the same for its checkpoint to be of use.
  *
  * @param by names of the columns that tell graphs apart
  */
private[sparkbic] final case class StateShape(
    indexName: String,
    panes: Panes,
    strings: Boolean,
    comparesWindows: Boolean = false,
    by: Seq[String] = Nil
) {

  /** Runs its argument for every vertex of the index that an answer to come may show. */
  def liveVertices(cursor: WindowCursor)(visit: Long => Unit): Unit = {
    cursor.index.vertices(visit)
    if (comparesWindows && cursor.isLive)
      cursor.index.components(cursor.nextWindow - panes.perSlide)((vertex, _) => visit(vertex))
  }
}
