package io.github.sparkbic.operator.state

import org.apache.spark.sql.Column
import org.apache.spark.sql.functions.{coalesce, col, lit, sum}
import org.apache.spark.sql.types.{ArrayType, DataType, LongType}

/** What the operator counts, in one call, of one graph.
  *
  * Every call ends with one row of counters, and the sums over these are the observed metrics of a micro-batch. An
  * answer carries one null instead. Clocks are read a few times a call and twice a window, nothing is done per edge.
  */
private[operator] final class Counters {

  /** Rows that went in, rows dropped because their pane is closed, and rows dropped for a null. */
  var edges = 0L
  var lateEdges = 0L
  var nullRows = 0L

  /** Windows answered. */
  var windows = 0L

  /** One, if the graph had to be restored from its state, since it was not alive in memory. */
  var restoredGraphs = 0L

  /** What the index holds for windows to come. */
  var liveVertices = 0L
  var liveLinks = 0L

  /** Links of panes that the watermark has not closed. */
  var pendingLinks = 0L

  /** Bytes of the graph in the state store. */
  var stateBytes = 0L

  /** Time spent in the index, and in reading and writing its state. */
  var indexNanos = 0L
  var stateNanos = 0L

  def holds(graph: StreamedGraph): Unit = {
    liveVertices = graph.indexSize.vertices.toLong
    liveLinks = graph.indexSize.links.toLong
    pendingLinks = graph.pendingLinks
  }

  def inIndex[A](work: => A): A = {
    val start = System.nanoTime()
    try work
    finally indexNanos += System.nanoTime() - start
  }

  def inState[A](work: => A): A = {
    val start = System.nanoTime()
    try work
    finally stateNanos += System.nanoTime() - start
  }

  /** In the order of [[Counters.OfStream]]. */
  def values: Array[Long] = Array(
    edges,
    lateEdges,
    nullRows,
    windows,
    1L,
    restoredGraphs,
    liveVertices,
    liveLinks,
    pendingLinks,
    stateBytes,
    indexNanos,
    stateNanos
  )
}

private[operator] object Counters {

  /** The column of the operator's output that holds them: null in an answer. */
  val Column: String = "operator_counters"

  /** What a batch query counts, under the names that the user sees. */
  val OfBatch: Seq[String] = Seq("edges", "late_edges", "null_rows", "windows")

  /** What a micro-batch counts: the same, and `graphs` that the operator was called for, what these hold, and the time
    * that they took.
    */
  val OfStream: Seq[String] = OfBatch ++ ("graphs restored_graphs live_vertices live_links pending_links " +
    "state_bytes index_ns state_ns").split(' ')

  def names(isStreaming: Boolean): Seq[String] = if (isStreaming) OfStream else OfBatch

  /** An array and not a struct: Spark names the whole type once more for each field of a struct, which makes a plan three
    * times as long.
    */
  val Type: DataType = ArrayType(LongType, containsNull = false)

  def aggregates(isStreaming: Boolean): Seq[Column] =
    names(isStreaming).zipWithIndex.map { case (name, i) =>
      val total = sum(col(Column)(i))
      // A micro-batch that was for no graph tells nothing; a table without edges has none.
      (if (isStreaming) total else coalesce(total, lit(0L))).as(name)
    }
}
