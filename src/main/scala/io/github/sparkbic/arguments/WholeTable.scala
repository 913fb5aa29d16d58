package io.github.sparkbic.arguments

import org.apache.spark.sql.DataFrame

import io.github.sparkbic.index.contract.Panes

/** Checks of a call without a window, which asks about the whole of a static table. */
private[sparkbic] object WholeTable {

  /** The panes of a whole table, for which no window, slide or start time is given.
    *
    * @param time the column of times, if it is not the default
    */
  def panes(
      frame: DataFrame,
      slide: Option[String],
      startTime: Option[String],
      time: Option[String]
  ): Panes = {
    if (frame.isStreaming)
      throw Arguments.invalid(
        "window is not given, which asks for the components of a whole table, but the edges are a streaming DataFrame, " +
          "which has no end; give a window, such as '1 hour'"
      )
    val shift = startTime.filter(Durations.micros("start_time", _) != 0)
    Seq("slide" -> slide, "start_time" -> shift, "time" -> time).foreach { case (name, given) =>
      given.foreach { text =>
        throw Arguments.invalid(s"$name '$text' is given without a window; give a window too, or no $name")
      }
    }
    Panes.Whole
  }
}
