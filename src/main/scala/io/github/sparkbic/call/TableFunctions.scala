package io.github.sparkbic.call

import org.apache.spark.sql.{Column, Dataset, Row}

import io.github.sparkbic.arguments.{Arguments, EdgeColumns, EventColumns}
import io.github.sparkbic.index.Indexes
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.operator.{question, ConnectivityPlan, Counted}
import io.github.sparkbic.operator.forests.StreamChecks
import io.github.sparkbic.operator.question.{Queries, Question}
import io.github.sparkbic.operator.state.StateShape

/** The list of all functions. Nothing else in the product enumerates them. */
private[sparkbic] object TableFunctions {
  private val minSize = Parameter("min_size", Some(1L))
  private val stable = Parameter("stable", Some(false))
  private val marked = Parameter("marked", isTable = true, orArray = true)
  private val refresh = Parameter("refresh", Some(null))
  private val edges = Parameter("edges", isTable = true)
  private val columns =
    Seq("src", "dst", "time").map(column => Parameter(column, Some(column))) :+ Parameter("by", Some(null))
  private val observation = Parameter("observation", Some(null))
  private val rest =
    Seq(Parameter("start_time", Some(null)), Parameter("index", Some(Indexes.Auto)), observation)

  val Connectivity: TableFunction = ofWindows(
    "bic_connectivity",
    "for each sliding window, whether each pair of vertices is connected by edges of that window",
    Seq(
      Parameter("queries", isTable = true, orArray = true),
      Parameter("early", Some(false)),
      Parameter("since", Some(false)),
      refresh
    )
  ) { (options, edges) =>
    val (vertexType, pairs) = VertexArguments.Pairs.asked(options, edges)(question.Pairs(_))
    question.PairsConnected(pairs, vertexType, options.flag("since"), options.flag("early"))
  }

  val ConnectedTo: TableFunction = ofWindows(
    "bic_connected_to",
    "for each sliding window, the vertices that edges of that window connect to a marked vertex",
    Seq(
      marked,
      Parameter("early", Some(false)),
      Parameter("updates_only", Some(false)),
      refresh
    )
  ) { (options, edges) =>
    val (early, updatesOnly) = (options.flag("early"), options.flag("updates_only"))
    if (early && updatesOnly)
      throw Arguments.invalid(
        "early and updates_only exclude each other: an update tells what differs from the window before, whose rows are not " +
          "all there yet when an early row comes; leave one of them out"
      )
    val (_, marked) = VertexArguments.Marked.asked(options, edges)(question.MarkedVertices(_))
    new question.ConnectedTo(edges.strings, marked, early, updatesOnly)
  }

  val Components: TableFunction = ofWindows(
    "bic_components",
    "for each sliding window, its vertices with the smallest vertex of their connected component",
    Seq(minSize, Parameter("updates_only", Some(false)), stable),
    whole = true
  ) { (options, edges) =>
    question.Components(
      edges.strings,
      options.atLeastOne("min_size"),
      options.flag("updates_only"),
      options.flag("stable")
    )
  }

  val LargestComponents: TableFunction = ofWindows(
    "bic_largest_components",
    "for each sliding window, its largest connected components",
    Seq(
      Parameter("top", Some(10L)),
      minSize,
      Parameter("members", Some(false)),
      marked.copy(default = Some(null)),
      refresh
    ),
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

  val ComponentStats: TableFunction = ofWindows(
    "bic_component_stats",
    "for each sliding window, how many vertices, edges and connected components it has",
    Seq(Parameter("sizes", Some(false))),
    whole = true
  )((options, _) => question.ComponentStats(options.flag("sizes")))

  val Changes: TableFunction = ofWindows(
    "bic_changes",
    "for each sliding window, the components that appeared, merged, split or vanished since the window before",
    Seq(minSize, stable, Parameter("growth", Some(false)))
  ) { (options, edges) =>
    val minSize = options.atLeastOne("min_size")
    question.Changes(edges.strings, minSize, options.flag("stable"), options.flag("growth"))
  }

  val AsOf: TableFunction = new TableFunction(
    "bic_as_of",
    "for each event, the components of its vertices in the windows that end just before it",
    Seq(edges, Parameter("events", isTable = true), Parameter("window"), Parameter("slide", Some(null))) ++
      Seq(Parameter("source"), Parameter("target", Some(null)), Parameter("at", Some("time"))) ++
      Seq(marked.copy(default = Some(null)), Parameter("wait", Some(true)), refresh) ++ columns ++ rest,
    options => {
      val edges = edgeColumns(options, Some(options.text("time")))
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
        Arguments.order(options.windows)
      )
      plan(options, edges, panes, asOf, Some(events)).answers(observe(options))
    }
  )

  val Paths: TableFunction = new TableFunction(
    "bic_paths",
    "for each answer, the edges of a shortest path that joins its two vertices in its window",
    Seq(edges, Parameter("answers", isTable = true), Parameter("keep", Some(null))) ++ columns :+ observation,
    options => {
      if (options.edges.isStreaming)
        throw Arguments.invalid(
          "bicPaths reads the edges of windows that have been answered, but edges is a streaming DataFrame; give a static " +
            "one, such as the table that the stream is written to"
        )
      val edges = edgeColumns(options, Some(options.text("time")))
      PathArguments.plan(options.frame("answers"), edges, options.columns("keep")).withPaths(observe(options))
    }
  )

  val all: Seq[TableFunction] =
    Seq(Connectivity, ConnectedTo, Components, LargestComponents, ComponentStats, Changes, AsOf, Paths)

  /** The marked vertices, if a call gives any. */
  private def marks(options: Options, edges: EdgeColumns): Option[Queries[question.MarkedVertices]] =
    if (options.has("marked"))
      Some(VertexArguments.Marked.asked(options, edges)(question.MarkedVertices(_))._2)
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
  private def ofWindows(name: String, description: String, own: Seq[Parameter], whole: Boolean = false)(
      ask: (Options, EdgeColumns) => Question
  ): TableFunction = {
    val windows = Seq(Parameter("window", if (whole) Some(null) else None), Parameter("slide", Some(null)))
    new TableFunction(
      name,
      description,
      (edges +: windows) ++ own ++ columns ++ rest,
      options => {
        val (slide, startTime) = (options.duration("slide"), options.duration("start_time"))
        val isWhole = whole && !options.has("window")
        def wholePanes = Arguments.noPanes(options.edges, slide, startTime, options.changed("time"))
        val ofTable = if (isWhole) Some(wholePanes) else None
        val edges = edgeColumns(options, if (isWhole) None else Some(options.text("time")))
        val question = ask(options, edges)
        if (isWhole && question.kept.comparesWindows)
          throw Arguments.invalid(
            s"$name compares each window with the window before, but window is not given; give one, such as '1 hour'"
          )
        def lengths = if (question.kept.comparesWindows) Seq(options.window) else options.windows
        val panes = ofTable.getOrElse(Arguments.panes(lengths, slide, startTime))
        val window = if (isWhole) None else Some("window")
        Arguments.requireApart(edges, window.toSeq ++ question.fields.map(_.name))
        plan(options, edges, panes, question).answers(observe(options))
      }
    )
  }

  private def plan(
      options: Options,
      edges: EdgeColumns,
      panes: Panes,
      question: Question,
      events: Option[EventColumns] = None
  ): ConnectivityPlan = {
    if (edges.frame.isStreaming) {
      StreamChecks.check(edges)
      if (options.observation.isDefined)
        throw Arguments.invalid(
          "an Observation serves static DataFrames only; in a stream the counters are in the observedMetrics of the " +
            "query's progress"
        )
    }
    val index = Arguments.index(options.text("index"), panes, question.autoIndex, question.suffixParameters)
    val shape = StateShape(index, panes, edges.strings, question.kept, edges.byFields.map(_.name))
    new ConnectivityPlan(edges, shape, question, events)
  }

  private def edgeColumns(options: Options, time: Option[String]): EdgeColumns =
    Arguments.edges(options.edges, options.text("src"), options.text("dst"), time, options.columns("by"))

  /** Attaches counters to rows, under the name that the call gives, or a name of their own. */
  private def observe(options: Options)(rows: Dataset[Row], counters: Seq[Column]): Dataset[Row] =
    options.observation match {
      case Some(Left(name)) => rows.observe(name, counters.head, counters.tail: _*)
      case Some(Right(own)) => rows.observe(own, counters.head, counters.tail: _*)
      case None             => Counted(rows, counters)
    }
}
