package io.github.sparkbic.call

import java.util.UUID

import org.apache.spark.sql.{Column, Dataset, Observation, Row}

import io.github.sparkbic.arguments.{Arguments, Durations, EdgeColumns, EventColumns}
import io.github.sparkbic.index.Indexes
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.operator.{question, ConnectivityPlan}
import io.github.sparkbic.operator.forests.StreamChecks
import io.github.sparkbic.operator.question.{Queries, Question}
import io.github.sparkbic.operator.state.StateShape

/** The list of all functions, in which SQL, Connect and Python find them. Scala has a method for each. */
private[sparkbic] object TableFunctions {

  /** The start of the names of observed metrics, by which users find the counters of a stream. */
  val MetricsPrefix: String = "bicConnectivity"

  private val minSize = Parameter("min_size", Some(1L))
  private val early = Parameter("early", Some(false))
  private val updatesOnly = Parameter("updates_only", Some(false))
  private val stable = Parameter("stable", Some(false))
  private val marked = Parameter("marked", isTable = true, orArray = true)
  private val maybeMarked = marked.copy(default = Some(null))
  private val refresh = Parameter("refresh", Some(null))
  private val edges = Parameter("edges", isTable = true)
  private val slide = Parameter("slide", Some(null))
  private val columns =
    Seq("src", "dst", "time").map(column => Parameter(column, Some(column))) :+ Parameter("by", Some(null))
  private val observation = Parameter("observation", Some(null))
  private val rest =
    columns ++ Seq(Parameter("start_time", Some(null)), Parameter("index", Some(Indexes.Auto)), observation)

  val Connectivity: TableFunction = ofWindows(
    "bic_connectivity",
    Seq(marked.copy(name = "queries"), early, Parameter("since", Some(false)), refresh)
  ) { (options, edges) =>
    val early = options.flag("early")
    val (vertexType, pairs) = VertexArguments.Pairs.asked(options, edges)(question.QuerySet.pairs(early))
    question.PairsConnected(pairs, vertexType, options.flag("since"), early)
  }

  val ConnectedTo: TableFunction =
    ofWindows("bic_connected_to", Seq(marked, early, updatesOnly, refresh)) { (options, edges) =>
      val (early, updatesOnly) = (options.flag("early"), options.flag("updates_only"))
      if (early && updatesOnly)
        throw Arguments.invalid(
          "early and updates_only exclude each other: an update tells what differs from the window before, whose rows are not " +
            "all there yet when an early row comes; leave one of them out"
        )
      new question.ConnectedTo(edges.strings, marksOf(options, edges), early, updatesOnly)
    }

  val Components: TableFunction =
    ofWindows("bic_components", Seq(minSize, updatesOnly, stable), whole = true) { (options, edges) =>
      val (updatesOnly, stable) = (options.flag("updates_only"), options.flag("stable"))
      question.Components(edges.strings, options.atLeastOne("min_size"), updatesOnly, stable)
    }

  val LargestComponents: TableFunction = ofWindows(
    "bic_largest_components",
    Seq(Parameter("top", Some(10L)), minSize, Parameter("members", Some(false)), maybeMarked, refresh),
    whole = true
  ) { (options, edges) =>
    question.LargestComponents(
      edges.strings,
      options.atLeastOne("top"),
      options.atLeastOne("min_size"),
      options.flag("members"),
      marks(options, edges)
    )
  }

  val ComponentStats: TableFunction =
    ofWindows("bic_component_stats", Seq(Parameter("sizes", Some(false))), whole = true) { (options, _) =>
      question.ComponentStats(options.flag("sizes"))
    }

  val Changes: TableFunction =
    ofWindows("bic_changes", Seq(minSize, stable, Parameter("growth", Some(false)))) { (options, edges) =>
      val minSize = options.atLeastOne("min_size")
      question.Changes(edges.strings, minSize, options.flag("stable"), options.flag("growth"))
    }

  val AsOf: TableFunction = new TableFunction(
    "bic_as_of",
    Seq(edges, Parameter("events", isTable = true), Parameter("window"), slide, Parameter("source")) ++
      Seq(Parameter("target", Some(null)), Parameter("at", Some("time")), maybeMarked) ++
      Seq(Parameter("wait", Some(true)), refresh) ++ rest,
    options => {
      val edges = edgeColumns(options)
      val events = EventArguments.columns(options, edges)
      val asked = Arguments.panes(options.windows, options.duration("slide"), options.duration("start_time"))
      val vertices = events.vertices.map(field => events.frame.schema.fieldIndex(field.name))
      // Every pane may end a window of an event.
      val panes = asked.copy(slide = asked.length)
      val asOf = question.AsOf(
        edges.strings,
        events.frame.schema,
        vertices.head,
        vertices.drop(1).headOption,
        marks(options, edges),
        options.flag("wait"),
        options.windows.map(text => (panes.window +: panes.shorter).indexOf(Durations.micros("window", text)))
      )
      plan(options, edges, panes, asOf, Some(events)).answers(observe(options))
    }
  )

  val Paths: TableFunction = new TableFunction(
    "bic_paths",
    Seq(edges, Parameter("answers", isTable = true), Parameter("keep", Some(null))) ++ columns :+ observation,
    options => {
      if (options.edges.isStreaming)
        throw Arguments.invalid(
          "bicPaths reads the edges of windows that have been answered, but edges is a streaming DataFrame; give a static " +
            "one, such as the table that the stream is written to"
        )
      PathArguments.plan(options.frame("answers"), edgeColumns(options), options.columns("keep"))
        .withPaths(observe(options))
    }
  )

  val all: Seq[TableFunction] =
    Seq(Connectivity, ConnectedTo, Components, LargestComponents, ComponentStats, Changes, AsOf, Paths)

  private def marksOf(options: Options, edges: EdgeColumns): Queries =
    VertexArguments.Marked.asked(options, edges)(question.QuerySet.marked)._2

  private def marks(options: Options, edges: EdgeColumns): Option[Queries] =
    if (options.isGiven("marked")) Some(marksOf(options, edges))
    else {
      options.duration("refresh").foreach { text =>
        throw Arguments.invalid(
          s"refresh '$text' has marked read anew, but marked is not given; give marked too, or leave refresh out"
        )
      }
      None
    }

  /** A function that asks about every window of the edges, which the window operator answers.
    *
    * @param own   the parameters that other questions do not have
    * @param whole whether a call without a window asks about the whole of a static table
    * @param ask   the question to the operator
    */
  private def ofWindows(name: String, own: Seq[Parameter], whole: Boolean = false)(
      ask: (Options, EdgeColumns) => Question
  ): TableFunction = {
    val window = Parameter("window", if (whole) Some(null) else None)
    new TableFunction(
      name,
      Seq(edges, window, slide) ++ own ++ rest,
      options => {
        val (slide, startTime) = (options.duration("slide"), options.duration("start_time"))
        val isWhole = whole && !options.isGiven("window")
        if (isWhole) Arguments.requireTable(options.edges, slide, startTime, options.text("time"))
        val edges = edgeColumns(options, hasTime = !isWhole)
        val question = ask(options, edges)
        if (question.kept.comparesWindows) requireOneLength(name, options, isWhole)
        val panes = if (isWhole) Panes.Whole else Arguments.panes(options.windows, slide, startTime)
        val answers = (if (isWhole) Nil else Seq("window")) ++ question.fields.map(_.name)
        edges.byFields.map(_.name).find(by => answers.exists(edges.columns.areSame(by, _))).foreach { by =>
          throw Arguments.invalid(
            s"column '$by' of by has the name of a column of the answers (${answers.mkString(", ")}); rename it"
          )
        }
        plan(options, edges, panes, question).answers(observe(options))
      }
    )
  }

  private def requireOneLength(name: String, options: Options, isWhole: Boolean): Unit =
    if (isWhole)
      throw Arguments.invalid(
        s"$name compares each window with the window before, but window is not given; give one, such as '1 hour'"
      )
    else if (options.windows.size > 1)
      throw Arguments.invalid(
        "window must be a single length where each window is compared with the window before, not " +
          s"${options.windows.mkString("'", "', '", "'")}; call once for each length"
      )

  private def plan(
      options: Options,
      edges: EdgeColumns,
      panes: Panes,
      question: Question,
      events: Option[EventColumns] = None
  ): ConnectivityPlan = {
    if (edges.frame.isStreaming) {
      StreamChecks.check(edges)
      if (options.isGiven("observation"))
        throw Arguments.invalid(
          "an Observation serves static DataFrames only; in a stream the counters are in the observedMetrics of the " +
            "query's progress"
        )
    }
    val index = Arguments.index(options.text("index"), panes, question.autoIndex, question.suffixParameters)
    val shape = StateShape(index, panes, edges.strings, question.kept, edges.byFields.map(_.name))
    new ConnectivityPlan(edges, shape, question, events)
  }

  private def edgeColumns(options: Options, hasTime: Boolean = true): EdgeColumns = {
    val time = if (hasTime) Some(options.text("time")) else None
    Arguments.edges(options.edges, options.text("src"), options.text("dst"), time, options.columns("by"))
  }

  /** Attaches counters to rows: to those of a stream under a name that no other node of a query has. Where a batch has no
    * observation, its counters are metrics of the plan alone.
    */
  private def observe(options: Options)(rows: Dataset[Row], counters: Seq[Column]): Dataset[Row] =
    options.optional("observation") match {
      case Some(own: Observation) => rows.observe(own, counters.head, counters.tail: _*)
      case None if rows.isStreaming =>
        rows.observe(s"$MetricsPrefix-${UUID.randomUUID()}", counters.head, counters.tail: _*)
      case None => rows
      case _    => rows.observe(options.text("observation"), counters.head, counters.tail: _*)
    }
}
