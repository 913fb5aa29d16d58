package io.github.sparkbic.call

import org.apache.spark.sql.{Column, DataFrame, Dataset, Row}

import io.github.sparkbic.arguments.{Arguments, WholeTable}
import io.github.sparkbic.operator.{ConnectivityPlan, Counted, Settings}
import io.github.sparkbic.operator.forests.StreamChecks
import io.github.sparkbic.operator.paths.PathsPlan
import io.github.sparkbic.operator.state.StateShape

/** From the options of a call to the frame of its answers. No job runs before an action on that frame. */
private[sparkbic] object Call {

  /** @throws org.apache.spark.sql.AnalysisException if an option is invalid; the message names the value and the fix */
  def answers(options: Options): DataFrame = {
    Build.requireSpark()
    Settings.check(options.edges.sparkSession)
    options.ask match {
      case ask: WindowAsk => ofWindows(ask, options)
      case PathAsk        => paths(options)
    }
  }

  private def paths(options: Options): DataFrame = {
    if (options.edges.isStreaming)
      throw Arguments.invalid(
        "bicPaths reads the edges of windows that have been answered, but edges is a streaming DataFrame; give a static " +
          "one, such as the table that the stream is written to"
      )
    val edges = Arguments.edges(
      options.edges,
      options.text("src"),
      options.text("dst"),
      Some(options.text("time")),
      options.by
    )
    new PathsPlan(edges, PathArguments.asked(options.answers, edges)).answers(observe(options))
  }

  private def ofWindows(ask: WindowAsk, options: Options): DataFrame = {
    val (slide, startTime) = (options.duration("slide"), options.duration("start_time"))
    val isWhole = options.isWholeTable
    val panes =
      if (isWhole) WholeTable.panes(options.edges, slide, startTime, options.changed("time"))
      else Arguments.panes(options.windows, slide, startTime)
    val edges = Arguments.edges(
      options.edges,
      options.text("src"),
      options.text("dst"),
      if (isWhole) None else Some(options.text("time")),
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
    val question = ask.question(options, edges)
    val index =
      Arguments.index(options.text("index"), panes, ask == Ask.Connectivity, question.suffixParameters)
    if (isWhole && question.kept.comparesWindows)
      throw Arguments.invalid(
        s"${options.ask.function} compares each window with the window before, but window is not given; give one, such as '1 hour'"
      )
    val window = if (isWhole) None else Some("window")
    Arguments.requireApart(edges, window.toSeq ++ question.fields.map(_.name))
    val shape = StateShape(index, panes, edges.strings, question.kept, edges.byFields.map(_.name))
    new ConnectivityPlan(edges, shape, question).answers(observe(options))
  }

  /** Attaches counters to rows, under the name that the call gives, or a name of their own. */
  private def observe(options: Options)(rows: Dataset[Row], counters: Seq[Column]): Dataset[Row] =
    options.observation match {
      case Some(Left(name)) => rows.observe(name, counters.head, counters.tail: _*)
      case Some(Right(own)) => rows.observe(own, counters.head, counters.tail: _*)
      case None             => Counted(rows, counters)
    }
}
