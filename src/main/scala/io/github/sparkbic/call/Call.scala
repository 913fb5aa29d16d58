package io.github.sparkbic.call

import java.util.UUID

import org.apache.spark.sql.DataFrame

import io.github.sparkbic.arguments.{Arguments, WholeTable}
import io.github.sparkbic.operator.ConnectivityPlan
import io.github.sparkbic.operator.forests.StreamChecks
import io.github.sparkbic.operator.state.StateShape

/** From the options of a call to the frame of its answers. No job runs before an action on that frame. */
private[sparkbic] object Call {

  /** The start of the names of observed metrics. Spark requires a different name for each operator of a query. */
  val MetricsPrefix: String = "bicConnectivity"

  /** @throws org.apache.spark.sql.AnalysisException if an option is invalid; the message names the value and the fix */
  def answers(options: Options): DataFrame = {
    Build.requireSpark()
    val (slide, startTime) = (options.duration("slide"), options.duration("start_time"))
    val isWhole = options.isWholeTable
    val panes =
      if (isWhole) WholeTable.panes(options.edges, slide, startTime)
      else Arguments.panes(options.windows, slide, startTime)
    val edges = Arguments.edges(
      options.edges,
      options.text("src"),
      options.text("dst"),
      Option.unless(isWhole)(options.text("time")),
      options.by
    )
    if (edges.frame.isStreaming) {
      StreamChecks.check(edges)
      if (options.observation.isDefined)
        throw Arguments.invalid(
          "an Observation serves static DataFrames only; in a stream the counters are in the observedMetrics of the query's " +
            "progress"
        )
    }
    val question = options.ask.question(options, edges)
    val index = Arguments.index(options.text("index"), panes, question.suffixes)
    if (isWhole && question.comparesWindows)
      throw Arguments.invalid(
        s"${options.ask.function} compares each window with the window before, but window is not given; give one, such as '1 hour'"
      )
    val window = Option.unless(isWhole)("window")
    Arguments.requireApart(edges, window.toSeq ++ question.fields.map(_.name))
    val by = edges.byFields.map(_.name)
    val shape = StateShape(
      index,
      panes,
      edges.strings,
      question.comparesWindows,
      by,
      question.keepsNames,
      question.updatesFrom,
      question.isEarly && edges.frame.isStreaming
    )
    val observation =
      options.observation.getOrElse(Left(s"$MetricsPrefix-${UUID.randomUUID().toString.take(8)}"))
    new ConnectivityPlan(edges, shape, question).answers { (output, counters) =>
      observation match {
        case Left(name) => output.observe(name, counters.head, counters.tail: _*)
        case Right(own) => output.observe(own, counters.head, counters.tail: _*)
      }
    }
  }
}
