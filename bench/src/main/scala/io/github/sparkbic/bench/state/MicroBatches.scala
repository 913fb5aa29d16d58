package io.github.sparkbic.bench.state

import java.nio.file.Files

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.runtime.MemoryStream
import org.apache.spark.sql.execution.streaming.state.StateStore
import org.apache.spark.sql.functions._
import org.apache.spark.sql.streaming.StreamingQueryProgress

import io.github.sparkbic._
import io.github.sparkbic.bench.{Counters, Folders}

/** A stream of panes of random edges, and a window over it.
  *
  * @param query    the name of an index; empty for a query without state, which passes the edges on, and `count` for
  *                 Spark's own count of the edges of each window of one slide
  * @param vertices ids to draw from
  * @param edges    edges of a pane
  * @param panes    panes in a window
  * @param sparse   whether the ids are spread over 64 bits
  * @param confs    what to set in Spark
  */
final case class Setting(
    query: String,
    vertices: Long,
    edges: Long,
    panes: Int,
    sparse: Boolean,
    confs: Map[String, String]
)

/** Medians over the micro-batches measured, and the range of the whole; what only our operator counts is zero without it.
  *
  * @param commitMs what Spark's state store takes to commit, after our operator
  */
final case class Cost(
    wholeMs: Double,
    fastestMs: Double,
    slowestMs: Double,
    indexMs: Double,
    stateMs: Double,
    commitMs: Double,
    stateBytes: Long,
    liveVertices: Long,
    restored: Long
)

/** What a micro-batch costs once the window is full. */
final class MicroBatches(spark: SparkSession, setting: Setting) {
  import MicroBatches.PaneSeconds
  import spark.implicits._

  /** Of micro-batches in which one pane comes, one is closed, one window is answered for 100 pairs, and one pane expires.
    *
    * @param batches micro-batches to measure
    */
  def onePaneEach(batches: Int): Cost = measure(batches, empty = false)

  /** Of micro-batches without a row. */
  def empty(batches: Int): Cost = measure(batches, empty = true)

  private def measure(batches: Int, empty: Boolean): Cost = {
    val before = setting.confs.keys.map(name => name -> spark.conf.getOption(name)).toMap
    setting.confs.foreach { case (name, value) => spark.conf.set(name, value) }
    val checkpoint = Files.createTempDirectory("bic-state")
    val input = MemoryStream[Long](implicitly[org.apache.spark.sql.Encoder[Long]], spark)
    val query = answers(input.toDF()).writeStream.format("noop")
      .option("checkpointLocation", checkpoint.toString).start()
    try {
      var pane = 0L
      // The window is filled a few panes at a time, so that no task has to hold all of it in blocks.
      while (pane < setting.panes + 2) {
        val until = math.min(pane + 50, setting.panes + 2)
        input.addData(pane until until)
        query.processAllAvailable()
        pane = until
      }
      val warmUp = if (empty) MicroBatches.WarmUpEmpty else MicroBatches.WarmUp
      val measured = (0 until warmUp + batches).map { _ =>
        input.addData(if (empty) Nil else Seq(pane))
        pane += 1
        query.processAllAvailable()
        query.recentProgress.last
      }.drop(warmUp)
      cost(measured)
    } finally {
      query.stop()
      StateStore.stop()
      Folders.delete(checkpoint)
      before.foreach { case (name, value) => value.fold(spark.conf.unset(name))(spark.conf.set(name, _)) }
    }
  }

  private def answers(panes: DataFrame): DataFrame = {
    def end(which: Int) = {
      val drawn = pmod(xxhash64(col("pane"), col("n"), lit(which)), lit(setting.vertices))
      if (setting.sparse) xxhash64(drawn) else drawn
    }
    val pairs = spark.range(100).select(
      (if (setting.sparse) xxhash64(col("id")) else col("id")).as("source"),
      (if (setting.sparse) xxhash64(col("id") + 1) else col("id") + 1).as("target")
    )
    val edges = panes.toDF("pane")
      .select(col("pane"), explode(sequence(lit(0L), lit(setting.edges - 1))).as("n"))
      .select(
        end(0).as("src"),
        end(1).as("dst"),
        timestamp_seconds(col("pane") * PaneSeconds).as("time")
      )
      .withWatermark("time", "0 seconds")
    setting.query match {
      case ""      => edges
      case "count" => edges.groupBy(window(col("time"), s"$PaneSeconds seconds")).count()
      case index =>
        edges.bicConnectivity(
          s"${setting.panes * PaneSeconds} seconds",
          s"$PaneSeconds seconds",
          pairs,
          index = index
        )
    }
  }

  private def cost(progress: Seq[StreamingQueryProgress]): Cost = {
    val whole = progress.map(_.durationMs.get("triggerExecution").toDouble)
    def counted(name: String) = progress.map(Counters.of(_, name).toDouble)
    import MicroBatches.median
    Cost(
      median(whole),
      whole.min,
      whole.max,
      median(counted("index_ns")) / 1e6,
      median(counted("state_ns")) / 1e6,
      median(progress.map(_.stateOperators.map(_.commitTimeMs).sum.toDouble)),
      median(counted("state_bytes")).toLong,
      median(counted("live_vertices")).toLong,
      counted("restored_graphs").sum.toLong
    )
  }
}

object MicroBatches {
  private val PaneSeconds = 10L
  private val WarmUp = 5

  /** Of these most of the time is planning, whose code is large and run once a micro-batch: it gets faster for a minute. */
  private val WarmUpEmpty = 150

  def median(values: Seq[Double]): Double = {
    val sorted = values.sorted
    (sorted((sorted.size - 1) / 2) + sorted(sorted.size / 2)) / 2
  }
}
