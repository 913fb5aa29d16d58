package io.github.sparkbic.operator.state

import io.github.sparkbic.index.Panes

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
)
