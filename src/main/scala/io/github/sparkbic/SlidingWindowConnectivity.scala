package io.github.sparkbic

import org.apache.spark.sql.{DataFrame, Observation}

import io.github.sparkbic.call.{Ask, Call, Options}
import io.github.sparkbic.index.Indexes

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
    * @param window    length of a window, such as `"1 hour"`; or several lengths, such as `Seq("5 minutes", "1 day")`: then
    *                  each is answered, over one pass and one index, and `window` in the answers tells which it is
    * @param slide     time from the start of one window to the start of the next, at most `window`; null, the
    *                  default, is as long as the window
    * @param queries   a static DataFrame of pairs `source`, `target`; with the `by` columns too where each graph has its
    *                  own pairs. The pairs are read once, when the first action asks for answers
    * @param src       column with one endpoint of an edge: of any integral type, or STRING
    * @param dst       column with the other endpoint, of the same type
    * @param time      column with the time of an edge: TIMESTAMP or TIMESTAMP_NTZ
    * @param by        columns that split the edges into separate graphs
    * @param startTime shift of the windows' starts against 1970-01-01 00:00:00 UTC, shorter than the slide
    * @param index     the index that answers, see `Indexes.names`; several windows need `"recency"`
    * @param observation what receives the counters of a static DataFrame, once an action has run; one that sorts the
    *                  answers reads them twice, and counts twice, as with `Dataset.observe`, unless they are cached
    * @return the `by` columns, `window` (struct of `start` and `end`), `source`, `target`, `connected`. Rows with a null
    *         endpoint or time, and late edges of a stream, are dropped and counted: in the observation, or else in the
    *         observed metrics whose name begins with `SlidingWindowConnectivity.MetricsPrefix`. The counters are
    *         `edges`, `late_edges`, `null_rows` and `windows`
    * @throws org.apache.spark.sql.AnalysisException if an argument is not as told here; the message says what to do
    * @see Zhang, Bonifati, Özsu: Incremental Sliding Window Connectivity over Streaming Graphs, VLDB 2024
    */
  def bicConnectivity(
      window: Windows,
      slide: String = null,
      queries: DataFrame,
      src: String = "src",
      dst: String = "dst",
      time: String = "time",
      by: Seq[String] = Nil,
      startTime: String = "0 seconds",
      index: String = Indexes.Default,
      observation: Option[Observation] = None
  ): DataFrame = {
    val all = options(window.lengths, slide, src, dst, time, by, startTime, index, observation)
    Call.answers(new Options(Ask.Connectivity, all + ("queries" -> queries)))
  }

  /** The same for a list of pairs of integral ids. */
  def bicConnectivity(window: Windows, slide: String, queries: Seq[(Long, Long)]): DataFrame =
    bicConnectivity(window, slide, edges.sparkSession.createDataFrame(queries).toDF("source", "target"))

  /** For each sliding window of these edges, tells which vertices occur and in which connected component.
    *
    * Windows, streams, counters and errors are as for `bicConnectivity`, and so are the parameters that both have.
    *
    * @param minSize components of fewer vertices are left out
    * @return the `by` columns, `window`, and for each vertex `vertex` and `component`, which is the smallest vertex of its
    *         component (strings in the order of their UTF-8 bytes), whatever the order of the edges
    */
  def bicComponents(
      window: Windows,
      slide: String = null,
      minSize: Long = 1,
      src: String = "src",
      dst: String = "dst",
      time: String = "time",
      by: Seq[String] = Nil,
      startTime: String = "0 seconds",
      index: String = Indexes.Default,
      observation: Option[Observation] = None
  ): DataFrame = {
    val all = options(window.lengths, slide, src, dst, time, by, startTime, index, observation)
    Call.answers(new Options(Ask.Components, all + ("min_size" -> minSize)))
  }

  /** For each sliding window of these edges, tells how much there is of what.
    *
    * Windows, streams, counters and errors are as for `bicConnectivity`, and so are the parameters.
    *
    * @param sizes whether to add the column `sizes`
    * @return the `by` columns, `window`, and, all BIGINT: `vertices` that occur, `edges` that came (a repeated one each
    *         time), connected `components`, and the vertices of the `largest` of them; with `sizes`, also an array of
    *         structs (`size`, `components`), by rising `size`, of how many components there are of each size
    */
  def bicComponentStats(
      window: Windows,
      slide: String = null,
      sizes: Boolean = false,
      src: String = "src",
      dst: String = "dst",
      time: String = "time",
      by: Seq[String] = Nil,
      startTime: String = "0 seconds",
      index: String = Indexes.Default,
      observation: Option[Observation] = None
  ): DataFrame = {
    val all = options(window.lengths, slide, src, dst, time, by, startTime, index, observation)
    Call.answers(new Options(Ask.ComponentStats, all + ("sizes" -> sizes)))
  }

  /** For each sliding window of these edges, tells which connected components appeared, merged, split or vanished since
    * the window before, which is the one that starts one slide earlier.
    *
    * The definition, naively: take the components of both windows as sets of vertices, a window without edges having
    * none. A component of this window has *appeared* if it shares a vertex with no component of the window before, and
    * *merged* if it shares vertices with several. A component of the window before has *vanished* if it shares a vertex
    * with no component of this window, and *split* if it shares vertices with several. Each gives one row; others give
    * none, even where they have grown or shrunk.
    *
    * So a window without edges gives rows where the one before it had some: everything vanished. Windows, streams,
    * counters and errors are as for `bicConnectivity`, and so are the parameters that both have, but that `window` is one
    * length.
    *
    * @param minSize changes whose `size` is smaller are left out
    * @return the `by` columns, `window` (this one), `change` (`appeared`, `merged`, `split` or `vanished`), `before` and
    *         `after` (arrays of components of the window before and of this window, each component named by its smallest
    *         vertex in its window, by rising name), and `size`: the number of vertices of the one component that appeared
    *         or merged, in this window, or that split or vanished, in the window before. `before` is empty for what
    *         appeared, `after` for what vanished
    */
  def bicChanges(
      window: String,
      slide: String = null,
      minSize: Long = 1,
      src: String = "src",
      dst: String = "dst",
      time: String = "time",
      by: Seq[String] = Nil,
      startTime: String = "0 seconds",
      index: String = Indexes.Default,
      observation: Option[Observation] = None
  ): DataFrame = {
    val all = options(window, slide, src, dst, time, by, startTime, index, observation)
    Call.answers(new Options(Ask.Changes, all + ("min_size" -> minSize)))
  }

  private def options(
      window: Any,
      slide: String,
      src: String,
      dst: String,
      time: String,
      by: Seq[String],
      startTime: String,
      index: String,
      observation: Option[Observation]
  ): Map[String, Any] = {
    val names =
      Seq("edges", "window", "slide", "src", "dst", "time", "by", "start_time", "index", "observation")
    val values = Seq[Any](edges, window, slide, src, dst, time, by, startTime, index, observation.orNull)
    names.zip(values).toMap
  }
}

object SlidingWindowConnectivity {

  /** What the names of the observed metrics begin with; Spark wants a name of its own for each operator of a query. */
  val MetricsPrefix: String = Call.MetricsPrefix
}
