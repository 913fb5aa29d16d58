package io.github.sparkbic.operator.state

import org.apache.spark.sql.Column
import org.apache.spark.sql.functions.{coalesce, col, lit, max, sum}
import org.apache.spark.sql.types.{ArrayType, DataType, LongType}

/** The counters of one call of the operator, for one graph.
  * Every call ends with one row of counters, and their sums are the observed metrics of a micro-batch. An answer has a
  * single null instead. Clocks are read a few times a call and twice a window; nothing is counted per edge.
  */
private[operator] final class Counters {

  /** Edges taken in, edges dropped because their pane is closed, and rows dropped for a null. */
  var edges, lateEdges, nullRows = 0L
  var windows, stateBytes, stateNanos = 0L

  /** Events that arrived, those of them that came too late for an answer, and events that wait for the watermark. */
  var events, lateEvents, waitingEvents = 0L

  /** 1 if the graph was restored from its state, since it was not alive in memory. */
  var restoredGraphs = 0L
  // Vertices and links in the index, and links of panes that the watermark has not closed.
  private var liveVertices, liveLinks, pendingLinks, indexNanos = 0L

  /** Counts the graph as it was saved. */
  def holds(graph: StreamedGraph, bytes: Long): Unit = {
    liveVertices = graph.indexSize.vertices.toLong
    liveLinks = graph.indexSize.links.toLong
    pendingLinks = graph.pendingLinks
    waitingEvents = graph.waitingEvents
    stateBytes = bytes
  }

  def inIndex[A](work: => A): A = timed(work)(indexNanos += _)
  def inState[A](work: => A): A = timed(work)(stateNanos += _)

  private def timed[A](work: => A)(add: Long => Unit): A = {
    val start = System.nanoTime()
    try work
    finally add(System.nanoTime() - start)
  }

  /** In the order of [[Counters.All]].
    * @param asked  pairs or marked vertices of the question, in all graphs
    * @param readAt when they were read, in milliseconds since 1970
    */
  def values(asked: Long, readAt: Long): Array[Long] =
    Array(edges, lateEdges, nullRows, windows, events, lateEvents, waitingEvents) ++
      Array(1L, restoredGraphs, liveVertices, liveLinks, pendingLinks, stateBytes, indexNanos, stateNanos) ++
      Array(asked, readAt)
}

private[operator] object Counters {

  /** The column of the operator's output that holds the counters; null in an answer. */
  val Column: String = "operator_counters"

  /** An array and not a struct: Spark repeats the whole type for each field of a struct, which triples the plan's text. */
  val Type: DataType = ArrayType(LongType, containsNull = false)

  private def words(all: String): Seq[String] = all.split(' ').toSeq

  /** The counters of a batch query, by the names that users see. */
  val OfBatch: Seq[String] = words("edges late_edges null_rows windows")

  /** The further counters of a question about events, none of which waits in a batch. */
  val OfEvents: Seq[String] = words("events late_events waiting_events")

  // `graphs` are the graphs that the operator was called for.
  private val OfGraphs =
    words("graphs restored_graphs live_vertices live_links pending_links state_bytes index_ns state_ns")

  /** The pairs or marked vertices of a micro-batch, and when they were read. Each graph tells the same; 0 where the question
    * takes none.
    */
  val OfList: Seq[String] = words("asked read_at")

  /** In the order in which they are counted. */
  val All: Seq[String] = OfBatch ++ OfEvents ++ OfGraphs ++ OfList

  /** The counters that are sums. */
  def names(isStreaming: Boolean, ofEvents: Boolean): Seq[String] =
    OfBatch ++ (if (ofEvents) OfEvents.take(if (isStreaming) 3 else 2) else Nil) ++
      (if (isStreaming) OfGraphs else Nil)

  def aggregates(isStreaming: Boolean, ofEvents: Boolean): Seq[Column] = {
    def counter(name: String) = col(Column)(All.indexOf(name))
    // A batch over a table without edges counts zero; a micro-batch without graphs reports nulls.
    def total(name: String) =
      if (isStreaming) sum(counter(name)) else coalesce(sum(counter(name)), lit(0L))
    names(isStreaming, ofEvents).map(name => total(name).as(name)) ++
      (if (isStreaming) OfList.map(name => max(counter(name)).as(name)) else Nil)
  }
}
