package io.github.sparkbic.bench.spark

import java.util.Collections

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.{Column, DataFrame, SparkSession}
import org.apache.spark.sql.functions.{
  array,
  array_position,
  bit_xor,
  col,
  count,
  explode,
  lit,
  typedLit,
  unix_millis,
  xxhash64
}

import io.github.sparkbic.PythonApi
import io.github.sparkbic.bench.Json

/** The queries about groups of vertices. Our queries write their rows to Spark's `noop` sink. Rivals compute each window
  * from scratch, and must find the same rows.
  */
object GroupQueries {

  /** The names of rivals are those of our queries with one of these suffixes. */
  val SciPy = "-scipy"
  val UnionFind = "-union-find"

  /** SciPy with vertices numbered by hashes, which ids of any kind need; an array numbers dense ids sooner. */
  val SciPyHash = "-scipy-hash"

  /** The pairs of the other queries, with the same sink as groups: the index alone, with next to no answers. */
  val Pairs = "pairs"

  /** The same pairs, with a row as soon as it is certain, or with the time since which edges connect the pair. */
  val PairsEarly = "pairs-early"
  val PairsSince = "pairs-since"

  /** The vertices connected to a marked vertex; half of the marked vertices never occur. */
  val Connected = "connected"
  val ConnectedEarly = "connected-early"

  /** The same vertices without the question about them: all components, joined with the marked vertices. */
  val ConnectedJoin = "connected-join"

  /** The same without a question about groups: pairs of every vertex of the stream with every marked vertex. */
  val ConnectedPairs = "connected-pairs"

  /** What the windows before each edge tell of its ends, and the same of one edge in twelve. */
  val AsOfSelf = "as-of-self"
  val AsOf = "as-of"

  /** The same of one edge in ten, in the micro-batch in which it comes. */
  val AsOfNow = "as-of-now"

  /** Nearly the same as [[AsOf]] without a question about events: all components, joined with the events. */
  val AsOfJoin = "as-of-join"

  /** The paths that join the same pairs in the last window that is full. */
  val Paths = "paths"

  /** The components of all edges, without windows. */
  val Table = "table"

  private val Asked: Seq[String] =
    Seq("components", "components-updates", "stats", "largest", "changes", Table)

  /** Of each query the function, and its own arguments in JSON. A query that is not among [[Asked]] has no rivals. */
  private val Functions: Map[String, (String, Seq[(String, String)])] = Map(
    "components" -> ("bic_components" -> Nil),
    "components-updates" -> ("bic_components" -> Seq("updates_only" -> "true")),
    "components-stable" -> ("bic_components" -> Seq("updates_only" -> "true", "stable" -> "true")),
    "stats" -> ("bic_component_stats" -> Nil),
    "largest" -> ("bic_largest_components" -> Seq("top" -> Top.toString)),
    "changes" -> ("bic_changes" -> Nil)
  )

  val Ours: Seq[String] =
    (Seq(
      Pairs,
      PairsEarly,
      PairsSince,
      Connected,
      ConnectedEarly,
      ConnectedJoin,
      ConnectedPairs,
      AsOf,
      AsOfNow,
      AsOfSelf,
      AsOfJoin,
      Paths
    ) ++ Asked ++ Functions.keys.toSeq.sorted).distinct

  val OfUnionFind: Seq[String] = Asked.map(_ + UnionFind)

  val OfSciPy: Seq[String] = Asked.map(_ + SciPy) :+ (Table + SciPyHash)

  val All: Seq[String] = Ours ++ OfUnionFind ++ OfSciPy

  /** Those about marked vertices and events, which have a suite of their own. */
  val OfMarks: Seq[String] =
    Seq(Connected, ConnectedEarly, ConnectedJoin, ConnectedPairs, AsOf, AsOfNow, AsOfSelf, AsOfJoin)

  /** The query of ours that asks the same. */
  def question(query: String): String =
    if (query == PairsEarly) Pairs else rivals.find(query.endsWith).fold(query)(query.stripSuffix)

  def isRival(query: String): Boolean = rivals.exists(query.endsWith)

  private def rivals = Seq(SciPyHash, SciPy, UnionFind)

  def isTable(query: String): Boolean = question(query) == Table

  /** Whether a query asks about events, whose rows are of no window. */
  def areOfEvents(query: String): Boolean = Seq(AsOf, AsOfNow, AsOfSelf, AsOfJoin).contains(query)

  /** Whether a query reads a static table, and so has no streaming form. */
  def isStatic(query: String): Boolean =
    isTable(query) || Seq(Paths, ConnectedJoin, ConnectedPairs, AsOfJoin).contains(query)

  /** Whether the rows of a window depend on the window before. */
  def comparesWindows(query: String): Boolean =
    Seq("components-updates", "components-stable", "changes").contains(question(query))

  /** Whether rows come before their window closes. */
  def areEarly(query: String): Boolean = Seq(PairsEarly, ConnectedEarly).contains(query)

  /** The components that `largest` asks for, in each window. */
  final val Top = 10

  /** The kinds of `bicChanges`; their places, from 1 on, stand for them in the checks. */
  val Kinds: Seq[String] = Seq("appeared", "merged", "split", "vanished")

  /** The place of a window in the checks; a table, which has none, is at [[TableStart]]. */
  val TableStart = 0L

  /** The rows that a query of ours gives. */
  def answers(options: Options, files: EdgeFiles, edges: DataFrame, query: String): DataFrame = {
    val windows = Seq(
      "window" -> Json.text(s"${options.windowMillis} milliseconds"),
      "slide" -> Json.text(s"${options.slideMillis} milliseconds")
    ) ++ Option.when(options.keyed)("by" -> Json.text("graph"))
    def inWindows(function: String, own: Seq[(String, String)], objects: (String, AnyRef)*): DataFrame = {
      val arguments = windows ++ own :+ ("index" -> Json.text(options.index))
      PythonApi.answers(function, Json.fields(arguments), (objects :+ ("edges" -> edges)).toMap.asJava)
    }
    query match {
      case Pairs | PairsEarly | PairsSince =>
        val asked = pairs(options, files, edges.sparkSession)
        val own = Seq("early" -> (query == PairsEarly), "since" -> (query == PairsSince))
        val flags = own.map { case (name, flag) => name -> flag.toString }
        inWindows("bic_connectivity", flags, "queries" -> asked)
      case Connected | ConnectedEarly =>
        val own = Seq("early" -> (query == ConnectedEarly).toString)
        inWindows("bic_connected_to", own, "marked" -> marked(options, files, edges.sparkSession))
      case ConnectedJoin =>
        new JoinedComponents(inWindows(
          "bic_components",
          Nil
        )).connected(marked(options, files, edges.sparkSession))
      case ConnectedPairs =>
        val known = marked(options, files, edges.sparkSession).withColumnRenamed("vertex", "target")
        val vertices = edges.select(explode(array("src", "dst")).as("source")).distinct()
        val pairs = inWindows("bic_connectivity", Nil, "queries" -> vertices.crossJoin(known))
        pairs.where("connected").select("window", "source", "target")
      case AsOf | AsOfNow | AsOfSelf =>
        val own = Seq("source" -> "src", "target" -> "dst").map { case (name, of) =>
          name -> Json.text(of)
        } :+
          ("wait" -> (query != AsOfNow).toString)
        val known = marked(options, files, edges.sparkSession)
        inWindows("bic_as_of", own, "events" -> events(files, edges, query), "marked" -> known)
      case AsOfJoin =>
        require(
          options.windowMillis % options.slideMillis == 0,
          s"the query $AsOfJoin needs a --window that is a multiple of --slide"
        )
        val known = marked(options, files, edges.sparkSession)
        new JoinedComponents(inWindows("bic_components", Nil)).asOf(
          events(files, edges, query),
          known,
          options.slideMillis
        )
      case Paths => paths(options, files, edges)
      case Table =>
        val ends = edges.select("src", "dst")
        val arguments = Json.fields(Seq("index" -> Json.text(options.index)))
        PythonApi.answers("bic_components", arguments, Collections.singletonMap("edges", ends))
      case other =>
        val (function, own) = Functions.getOrElse(
          other,
          throw new IllegalArgumentException(s"the query $other is not about groups, or is a rival")
        )
        inWindows(function, own)
    }
  }

  private def events(files: EdgeFiles, edges: DataFrame, query: String): DataFrame = query match {
    case AsOfSelf                => edges
    case AsOfNow                 => edges.where("xxhash64(src, dst, time) % 10 = 0")
    case _ if !edges.isStreaming => files.events(edges)
    case _                       => edges.where(EdgeFiles.AreEvents)
  }

  private def pairs(options: Options, files: EdgeFiles, spark: SparkSession): DataFrame =
    spark.createDataFrame(files.pairs.toSeq).toDF("source", "target")
      .selectExpr(Seq("source", "target").map(VertexKind.id(options.ids, _)): _*)

  private def marked(options: Options, files: EdgeFiles, spark: SparkSession): DataFrame = {
    val marks = spark.createDataFrame(files.marks.toSeq).toDF("vertex", "graph")
      .selectExpr(VertexKind.id(options.ids, "vertex"), "graph")
    if (options.keyed) marks else marks.drop("graph")
  }

  private def paths(options: Options, files: EdgeFiles, edges: DataFrame): DataFrame = {
    val windows = new EdgeWindows(options)
    val start = windows.starts.filter(windows.edges(_).size == options.windowEdges).last
    val bounds = Seq(start, start + options.windowMillis).map(millis => s"timestamp_millis(${millis}L)")
    val asked = pairs(options, files, edges.sparkSession)
      .selectExpr(s"struct(${bounds(0)} AS start, ${bounds(1)} AS end) AS window", "source", "target")
    PythonApi.answers("bic_paths", "{}", Map[String, AnyRef]("edges" -> edges, "answers" -> asked).asJava)
  }

  /** One row a window of these answers: its start in milliseconds, the hashes of its rows, exclusive-ored, and their number. */
  def hashed(answers: DataFrame): DataFrame = {
    val start = if (answers.columns.contains("window")) unix_millis(col("window.start")) else lit(TableStart)
    val hash = xxhash64(answers.columns.toSeq.filter(_ != "window").map(number): _*)
    answers.select(
      start.as("start"),
      hash.as("hash")
    ).groupBy("start").agg(bit_xor(col("hash")), count("hash"))
  }

  private def number(column: String): Column =
    if (column == "change") array_position(typedLit(Kinds), col(column))
    else if (column == "since") unix_millis(col(column))
    else col(column)
}
