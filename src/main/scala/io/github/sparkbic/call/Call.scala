package io.github.sparkbic.call

import java.util.UUID

import org.apache.spark.sql.DataFrame

import io.github.sparkbic.arguments.Arguments
import io.github.sparkbic.operator.ConnectivityPlan
import io.github.sparkbic.operator.forests.StreamChecks
import io.github.sparkbic.operator.state.StateShape

/** The way from the options of a call to the frame of its answers; nothing runs before an action on that. */
private[sparkbic] object Call {

  /** What the names of the observed metrics begin with; Spark wants a name of its own for each operator of a query. */
  val MetricsPrefix: String = "bicConnectivity"

  /** @throws org.apache.spark.sql.AnalysisException if an option is not as it should be; the message says what to do */
  def answers(options: Options): DataFrame = {
    val panes = Arguments.panes(options.windows, options.duration("slide"), options.duration("start_time"))
    val index = Arguments.index(options.text("index"), panes)
    val edges = Arguments.edges(
      options.edges,
      options.text("src"),
      options.text("dst"),
      options.text("time"),
      options.by,
      "window" +: options.ask.answers(options)
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
    val shape =
      StateShape(index, panes, edges.strings, question.comparesWindows, edges.byFields.map(_.name))
    val name = s"$MetricsPrefix-${UUID.randomUUID().toString.take(8)}"
    new ConnectivityPlan(edges, shape, question).answers { (output, counters) =>
      options.observation.getOrElse(Left(name)) match {
        case Right(own) => output.observe(own, counters.head, counters.tail: _*)
        case Left(name) => output.observe(name, counters.head, counters.tail: _*)
      }
    }
  }
}
