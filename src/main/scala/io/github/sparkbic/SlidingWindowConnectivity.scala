package io.github.sparkbic

import org.apache.spark.sql.{DataFrame, Observation}

import io.github.sparkbic.call.{TableFunction, TableFunctions}
import io.github.sparkbic.index.Indexes

/** The methods that the package adds to a DataFrame of edges. */
class SlidingWindowConnectivity(edges: DataFrame) {

  /** For each sliding window of these edges, which pairs of vertices are connected.
    *
    * Two vertices are connected in a window when a path made only of edges of that window joins them. Edges are
    * undirected; a repeated edge changes nothing; a self-loop makes its vertex occur. A vertex that does not occur in the
    * window is connected to nothing, not even to itself. The windows are the same as of
    * `org.apache.spark.sql.functions.window(time, window, slide, startTime)`. A window with at least one edge gives one
    * row per query; a window with none gives no row.
    *
    * A streaming DataFrame needs a watermark on `time` and output mode append. The rows of a window come once the
    * watermark has passed the end of the window.
    *
    * @param window    length of a window, such as `"1 hour"`, or several lengths, such as `Seq("5 minutes", "1 day")`. One
    *                  index answers all lengths in one pass; `window` in the answers shows the length
    * @param slide     time from the start of one window to the start of the next, at most `window`; null, the
    *                  default, is as long as the window
    * @param queries   a static DataFrame of pairs `source`, `target`; with the `by` columns too where each graph has its
    *                  own pairs. The pairs are read once, when the first action asks for answers; by a stream, each
    *                  time it is started
    * @param early     whether a row with `true` comes in the micro-batch with the edge that joins the pair, for each window
    *                  with that edge. Rows with `false` come when the window closes. The rows are the same, and each comes
    *                  once. A static DataFrame ignores it
    * @param since     whether to add the column `since`: the start of the latest pane from which on edges of the window
    *                  connect the pair; null where the pair is not connected. A pane is as long as the greatest common
    *                  divisor of windows and slide. With `early`, `since` is that of the micro-batch with the row
    * @param refresh   has a stream read `queries` anew, such as `"10 minutes"`: at the start of the first micro-batch after
    *                  so long since the last reading. `queries` then reads a table, which may be empty for a while. A new
    *                  pair counts from the next window to close. With `early` it counts in all open windows, whose rows
    *                  come with the next edge of the graph. A reading that fails ends the query
    * @param src       column with one endpoint of an edge: of any integral type, or STRING
    * @param dst       column with the other endpoint, of an integral type too, or STRING too
    * @param time      column with the time of an edge: TIMESTAMP or TIMESTAMP_NTZ
    * @param by        columns that split the edges into separate graphs
    * @param startTime shift of the windows' starts against 1970-01-01 00:00:00 UTC, shorter than the slide
    * @param index     the index that answers, see `Indexes.names`. The default, `"auto"`, is `"bic"` for pairs in windows
    *                  of one length, and `"recency"` for every other question. Several windows, `early` and `since` need
    *                  `"recency"`
    * @param observation receives the counters of a static DataFrame, once an action has run. An action that sorts the
    *                  answers reads them twice, and counts twice, unless they are cached, as with `Dataset.observe`
    * @return the `by` columns, `window` (struct of `start` and `end`), `source`, `target`, `connected`. Rows with a null
    *         endpoint or time, and late edges of a stream, are dropped and counted. The counters are `edges`,
    *         `late_edges`, `null_rows` and `windows`. They are metrics of the plan, and in a stream observed metrics, whose
    *         names begin with [[SlidingWindowConnectivity.MetricsPrefix]]
    * @throws org.apache.spark.sql.AnalysisException if an argument is invalid; the message names the value and the fix
    * @see Zhang, Bonifati, Özsu: Incremental Sliding Window Connectivity over Streaming Graphs, VLDB 2024
    */
  def bicConnectivity(
      window: Windows,
      slide: String = null,
      queries: DataFrame,
      early: Boolean = false,
      since: Boolean = false,
      refresh: String = null,
      src: String = "src",
      dst: String = "dst",
      time: String = "time",
      by: Seq[String] = Nil,
      startTime: String = "0 seconds",
      index: String = Indexes.Auto,
      observation: Option[Observation] = None
  ): DataFrame = {
    val own = Seq[Any](window.lengths, slide, queries, early, since, refresh)
    call(TableFunctions.Connectivity, own, src, dst, time, by, startTime, index, observation.orNull)
  }

  /** The same for a list of pairs of integral ids. */
  def bicConnectivity(window: Windows, slide: String, queries: Seq[(Long, Long)]): DataFrame =
    bicConnectivity(window, slide, edges.sparkSession.createDataFrame(queries).toDF("source", "target"))

  /** For each sliding window of these edges, which vertices are connected to a marked vertex: the accounts in touch with a
    * known mule, say, without a list of accounts.
    *
    * Windows, streams, counters and errors are as for `bicConnectivity`, and so are the parameters that both have.
    *
    * @param marked a static DataFrame with the column `vertex`, and with the `by` columns too where each graph has its own
    *               marked vertices. It is read as `queries` are. A marked vertex may be there twice, or occur in no window
    * @param early  whether a row comes in the micro-batch with the edge that connects the vertex, for each window with that
    *               edge. Each row comes once, with `since` and `marked` as of then. A static DataFrame ignores it
    * @param updatesOnly whether only vertices that had no row in the window before give a row, and vertices that had one there
    *                    and have none now, with nulls as `marked` and `since`. Applied in the order of the windows, as upserts
    *                    and deletes keyed by `by` and `vertex`, these rows give exactly the vertices of every window. `window`
    *                    is a single length then; not with `early`
    * @return the `by` columns, `window`, `vertex`, `marked`, `since`: a row for every vertex of every component that holds a
    *         marked vertex, the marked ones included. `since` is the start of the latest pane from which on edges of the window
    *         connect the vertex to a marked vertex; for a marked vertex itself, the latest pane in which it occurs. `marked` is
    *         the smallest marked vertex that the edges from `since` on connect the vertex to, with strings in the order of
    *         their UTF-8 bytes. A pane is as long as the greatest common divisor of windows and slide
    */
  def bicConnectedTo(
      window: Windows,
      slide: String = null,
      marked: DataFrame,
      early: Boolean = false,
      updatesOnly: Boolean = false,
      refresh: String = null,
      src: String = "src",
      dst: String = "dst",
      time: String = "time",
      by: Seq[String] = Nil,
      startTime: String = "0 seconds",
      index: String = Indexes.Auto,
      observation: Option[Observation] = None
  ): DataFrame = {
    val own = Seq[Any](window.lengths, slide, marked, early, updatesOnly, refresh)
    call(TableFunctions.ConnectedTo, own, src, dst, time, by, startTime, index, observation.orNull)
  }

  /** The same for a list of integral ids. */
  def bicConnectedTo(window: Windows, slide: String, marked: Seq[Long]): DataFrame =
    bicConnectedTo(window, slide, edges.sparkSession.createDataFrame(marked.map(Tuple1(_))).toDF("vertex"))

  /** For each sliding window of these edges, which vertices occur and in which connected component.
    *
    * Windows, streams, counters and errors are as for `bicConnectivity`, and so are the parameters that both have.
    *
    * With `stable` a component keeps its name while it lives. The heir of a component is the component of the next window
    * that shares most vertices with it; of several, the one with the smaller smallest vertex. The heir of several components
    * takes over the name of the component with which it shares most vertices; of several, of the one born earlier, then of
    * the one with the smaller name. A component that is heir of none is born in its window.
    *
    * @param window  as for `bicConnectivity`. By default the answer is about a whole static table: `time`, `slide` and
    *                `startTime` are not asked for, no column of times is needed, and the answers have no column `window`
    * @param minSize components of fewer vertices are left out
    * @param updatesOnly whether only the rows that differ from the rows of the window before are given, with a null as the
    *                    `component` of a vertex that has left. Applied in the order of the windows, as upserts and deletes
    *                    keyed by `by` and `vertex`, these rows give exactly the full rows of every window. `window` is a
    *                    single length then
    * @param stable      whether a component keeps its name while it lives. `window` is a single length then
    * @return the `by` columns, `window`, and for each vertex `vertex` and `component`. A component is named by its smallest
    *         vertex, with strings in the order of their UTF-8 bytes. So the name does not depend on the order of the edges.
    *         With `stable`, `component` is the smallest vertex of the component when it was born, which need not be in the
    *         window any more, and `born` is the end of the window in which the component was born. Two components may then
    *         have one `component`, but not one `born` as well
    */
  def bicComponents(
      window: Windows = Windows.WholeTable,
      slide: String = null,
      minSize: Long = 1,
      updatesOnly: Boolean = false,
      stable: Boolean = false,
      src: String = "src",
      dst: String = "dst",
      time: String = "time",
      by: Seq[String] = Nil,
      startTime: String = "0 seconds",
      index: String = Indexes.Auto,
      observation: Option[Observation] = None
  ): DataFrame = {
    val own = Seq[Any](window.lengths, slide, minSize, updatesOnly, stable)
    call(TableFunctions.Components, own, src, dst, time, by, startTime, index, observation.orNull)
  }

  /** For each sliding window of these edges, the largest connected components.
    *
    * Windows, streams, counters and errors are as for `bicConnectivity`, and so are the parameters that both have. Without
    * `window` the answer is about a whole static table, as for `bicComponents`.
    *
    * @param top     the most components that a window gives. Larger components come before smaller components; of one size,
    *                the component with the smaller smallest vertex comes first
    * @param minSize components of fewer vertices are left out, even where fewer than `top` components are left
    * @param members whether to add the column `members`
    * @param marked  as for `bicConnectedTo`: where given, only components that hold a marked vertex compete for `top`, and
    *                the column `marked` is added
    * @return the `by` columns, `window`, and for each component `component`, its smallest vertex as in `bicComponents`, and
    *         `size`, the number of its vertices (BIGINT). With `marked`, also the number of marked vertices among them
    *         (BIGINT). With `members`, also an array of its vertices in rising order
    */
  def bicLargestComponents(
      window: Windows = Windows.WholeTable,
      slide: String = null,
      top: Long = 10,
      minSize: Long = 1,
      members: Boolean = false,
      marked: DataFrame = null,
      refresh: String = null,
      src: String = "src",
      dst: String = "dst",
      time: String = "time",
      by: Seq[String] = Nil,
      startTime: String = "0 seconds",
      index: String = Indexes.Auto,
      observation: Option[Observation] = None
  ): DataFrame = {
    val own = Seq[Any](window.lengths, slide, top, minSize, members, marked, refresh)
    call(TableFunctions.LargestComponents, own, src, dst, time, by, startTime, index, observation.orNull)
  }

  /** For each sliding window of these edges, the numbers of vertices, edges and connected components.
    *
    * Windows, streams, counters and errors are as for `bicConnectivity`, and so are the parameters. Without `window` the
    * answer is about a whole static table, as for `bicComponents`.
    *
    * @param sizes whether to add the column `sizes`
    * @return the `by` columns, `window`, and, all BIGINT: `vertices` that occur, `edges` that came (a repeated edge each
    *         time), connected `components`, and the vertices of the `largest` component. With `sizes`, also an array of
    *         structs (`size`, `components`), by rising `size`: the number of components of each size
    */
  def bicComponentStats(
      window: Windows = Windows.WholeTable,
      slide: String = null,
      sizes: Boolean = false,
      src: String = "src",
      dst: String = "dst",
      time: String = "time",
      by: Seq[String] = Nil,
      startTime: String = "0 seconds",
      index: String = Indexes.Auto,
      observation: Option[Observation] = None
  ): DataFrame = {
    val own = Seq[Any](window.lengths, slide, sizes)
    call(TableFunctions.ComponentStats, own, src, dst, time, by, startTime, index, observation.orNull)
  }

  /** For each sliding window of these edges, which connected components appeared, merged, split or vanished since the
    * window before, which starts one slide earlier.
    *
    * Two components, one of each window, are related if they share a vertex. A component of this window has *appeared* if it
    * has no related component, and *merged* if it has several. A component of the window before has *vanished* if it has no
    * related component, and *split* if it has several. With `growth`, two components that are related to each other alone
    * have *grown* or *shrunk* if this window's has more or fewer vertices. Each change gives one row. In a window without
    * edges, all components of the window before have vanished.
    *
    * Windows, streams, counters and errors are as for `bicConnectivity`, and so are the parameters that both have, but
    * `window` is a single length.
    *
    * @param minSize changes whose `size` is smaller are left out
    * @param stable  whether a component keeps its name while it lives, as in `bicComponents`. A name is then a struct of
    *                `component` and `born`
    * @param growth  whether to give the changes `grew` and `shrank` too, and the column `size_before`
    * @return the `by` columns, `window` (this window), `change` (`appeared`, `merged`, `split` or `vanished`; with `growth`
    *         also `grew` or `shrank`), `before`, `after`, and `size`. `before` and `after` are arrays of the components
    *         concerned, in the window before and in this window, named by their smallest vertices there; names rise. `before`
    *         is empty for a component that appeared, `after` for one that vanished. `size` (BIGINT) is the number of vertices
    *         of the component that split or vanished, in the window before; for each other change, of its component in this
    *         window. With `growth`, `size_before` (BIGINT) is the number of vertices of all components in `before`
    */
  def bicChanges(
      window: String,
      slide: String = null,
      minSize: Long = 1,
      stable: Boolean = false,
      growth: Boolean = false,
      src: String = "src",
      dst: String = "dst",
      time: String = "time",
      by: Seq[String] = Nil,
      startTime: String = "0 seconds",
      index: String = Indexes.Auto,
      observation: Option[Observation] = None
  ): DataFrame = {
    val own = Seq[Any](window, slide, minSize, stable, growth)
    call(TableFunctions.Changes, own, src, dst, time, by, startTime, index, observation.orNull)
  }

  /** For each answer, a path that joins its two vertices: the evidence, as edges of this static table.
    *
    * The path has the fewest edges; of several such paths, the lexicographically smallest sequence of vertices; of repeated
    * edges the earliest, then that with the smaller source, then that with the smaller values of `keep`. Each window of
    * each graph is searched by a single task, which holds the window's edges: 24 bytes an edge, 50 bytes a vertex, and with
    * `keep` 50 more an edge, and its values.
    *
    * @param answers a static DataFrame with the columns `window`, `source`, `target` and the columns of `by`, such as
    *                answers of `bicConnectivity`; or with `vertex` and `marked`, as of `bicConnectedTo`. It is read twice:
    *                cache it where that costs much, above all in `foreachBatch`
    * @param keep    columns of the edges that come back in the structs of `path`, such as the id of a payment: of any type,
    *                but not those of `src`, `dst`, `time` and `by`, nor of these names. Values are compared in the order
    *                of `keep` as Spark sorts them, with nulls first; those that Spark does not sort, such as maps, after
    *                the others, by their bytes
    * @param observation receives the counters `edges`, the edges of the windows, and `null_rows`, such edges with a null
    *                endpoint, which are dropped. An edge of two windows counts twice
    * @return the rows of `answers`, each with `path`: an array of structs `src`, `dst`, `time` and those of `keep`, the edges
    *         from source to target, or from vertex to marked, each in the direction in which the table has it. Null where the
    *         two are not connected in the window, or one is null; empty where they are one vertex, which occurs
    */
  def bicPaths(
      answers: DataFrame,
      keep: Seq[String] = Nil,
      src: String = "src",
      dst: String = "dst",
      time: String = "time",
      by: Seq[String] = Nil,
      observation: Option[Observation] = None
  ): DataFrame = call(TableFunctions.Paths, Seq(answers, keep), src, dst, time, by, observation.orNull)

  /** For each event, what the graph of these edges looked like just before it: the component of a payer, its size, and how
    * many known mules it holds. The event is answered by the window that ends where its pane starts: no later edge counts.
    *
    * @param events a row per event, with the `by` columns, if there are any; may be the edges themselves
    * @param source the column of events with a vertex; `target`, where given, that with a second one; `at` that with the time
    * @param marked as for `bicConnectedTo`, and so is `refresh`: the marked vertices of a component are counted
    * @param wait   whether an event of a stream waits for the watermark; if not, the edges that have come answer it at once
    * @return one row for each event: the columns of `events`, and the struct `graph`, null where `at` is null or the
    *         event came after its pane had ended by the watermark of the edges, the only one that counts. It has `window`
    *         (struct of `start` and `end`), with one vertex `component`, `size` and, with `marked`, `marked`, the number of
    *         marked vertices; with two vertices `connected`, `since`, and these three in a struct `source` and a struct
    *         `target`; with `wait = false` also `final`. For several lengths it is an array, in the order of `window`
    */
  def bicAsOf(
      events: DataFrame,
      window: Windows,
      slide: String = null,
      source: String,
      target: String = null,
      at: String = "time",
      marked: DataFrame = null,
      wait: Boolean = true,
      refresh: String = null,
      src: String = "src",
      dst: String = "dst",
      time: String = "time",
      by: Seq[String] = Nil,
      startTime: String = "0 seconds",
      index: String = Indexes.Auto,
      observation: Option[Observation] = None
  ): DataFrame = {
    val own = Seq[Any](events, window.lengths, slide, source, target, at, marked, wait, refresh)
    call(TableFunctions.AsOf, own, src, dst, time, by, startTime, index, observation.orNull)
  }

  /** @param own the values of the parameters after the edges, and `rest` the values after these */
  private def call(function: TableFunction, own: Seq[Any], rest: Any*): DataFrame =
    function.answers(function.parameters.map(_.name).zip(edges +: (own ++ rest)).toMap)
}

object SlidingWindowConnectivity {

  /** The start of the names of observed metrics. */
  val MetricsPrefix: String = TableFunctions.MetricsPrefix
}
