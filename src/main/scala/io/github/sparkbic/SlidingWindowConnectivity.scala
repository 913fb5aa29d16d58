package io.github.sparkbic

import org.apache.spark.sql.{DataFrame, Observation}

import io.github.sparkbic.index.ConnectivityIndex
import io.github.sparkbic.operator.{ConnectivityPlan, StateShape}

/** What the package adds to a DataFrame of edges. */
class SlidingWindowConnectivity(edges: DataFrame) {

  /** For each sliding window of these edges, tells which pairs of vertices it connects.
    *
    * Two vertices are connected in a window when a path made only of edges of that window joins them. Edges are
    * undirected; a repeated edge changes nothing; a self-loop makes its vertex occur. A vertex that does not occur in the
    * window is connected to nothing, not even to itself. The windows are those of
    * `org.apache.spark.sql.functions.window(time, window, slide, startTime)`. A window with at least one edge gives one
    * row per query; a window with none gives no row.
    *
    * A streaming DataFrame needs a watermark on `time` and output mode append; the rows of a window come once the
    * watermark has passed its end.
    *
    * @param window    length of a window, such as `"1 hour"`
    * @param slide     time from the start of one window to the start of the next, at most `window`
    * @param queries   a static DataFrame of pairs `source`, `target`; with the `by` columns too where each graph has its
    *                  own pairs. It is collected when this is called
    * @param src       column with one endpoint of an edge: of any integral type, or STRING
    * @param dst       column with the other endpoint, of the same type
    * @param time      column with the time of an edge: TIMESTAMP or TIMESTAMP_NTZ
    * @param by        columns that split the edges into separate graphs
    * @param startTime shift of the windows' starts against 1970-01-01 00:00:00 UTC, shorter than the slide
    * @param index     the index that answers, see `ConnectivityIndex.names`
    * @param observation what receives the counters of a static DataFrame, once an action has run
    * @return the `by` columns, `window` (struct of `start` and `end`), `source`, `target`, `connected`. Rows with a null
    *         endpoint or time, and late edges of a stream, are dropped and counted: in the observation, or else in the
    *         observed metrics whose name begins with `SlidingWindowConnectivity.MetricsPrefix`. The counters are
    *         `edges`, `late_edges`, `null_rows` and `windows`
    * @throws org.apache.spark.sql.AnalysisException if an argument is not as told here; the message says what to do
    * @see Zhang, Bonifati, Özsu: Incremental Sliding Window Connectivity over Streaming Graphs, VLDB 2024
    */
  def bicConnectivity(
      window: String,
      slide: String,
      queries: DataFrame,
      src: String = "src",
      dst: String = "dst",
      time: String = "time",
      by: Seq[String] = Nil,
      startTime: String = "0 seconds",
      index: String = ConnectivityIndex.Default,
      observation: Option[Observation] = None
  ): DataFrame = {
    val panes = Arguments.panes(window, Some(slide), Some(startTime))
    val indexName = Arguments.index(index)
    val columns = Arguments.edges(edges, src, dst, time, by)
    val pairs = Arguments.queries(queries, columns)
    val plan = new ConnectivityPlan(columns, StateShape(indexName, panes, columns.strings), pairs)
    if (edges.isStreaming && observation.isDefined)
      throw Arguments.invalid(
        "an Observation serves static DataFrames only; in a stream the counters are in the observedMetrics of the query's " +
          "progress"
      )
    observation match {
      case Some(own) =>
        plan.answers((output, counters) => output.observe(own, counters.head, counters.tail: _*))
      case None =>
        val name = SlidingWindowConnectivity.newMetricsName()
        plan.answers((output, counters) => output.observe(name, counters.head, counters.tail: _*))
    }
  }

  /** The same for a list of pairs of integral ids. */
  def bicConnectivity(window: String, slide: String, queries: Seq[(Long, Long)]): DataFrame =
    bicConnectivity(window, slide, edges.sparkSession.createDataFrame(queries).toDF("source", "target"))
}

object SlidingWindowConnectivity {

  /** What the names of the observed metrics begin with; Spark wants a name of its own for each operator of a query. */
  val MetricsPrefix: String = "bicConnectivity"

  private def newMetricsName(): String = s"$MetricsPrefix-${java.util.UUID.randomUUID().toString.take(8)}"
}
