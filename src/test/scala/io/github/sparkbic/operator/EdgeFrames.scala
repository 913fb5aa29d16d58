package io.github.sparkbic.operator

import java.io.File
import java.sql.Timestamp
import java.time.Instant
import java.time.temporal.ChronoUnit

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.bic.TestShims.SparkSession
import org.apache.spark.sql.execution.streaming.state.StateStore
import org.apache.spark.sql.streaming.Trigger

import io.github.sparkbic.index.Stream
import io.github.sparkbic.index.contract.Panes

/** One edge as a row of a DataFrame; `graph` is the key of tests with `by`. */
final case class EdgeRow(graph: Int, src: Long, dst: Long, time: Timestamp)

/** Test streams, whose unit of time is a second, as Spark sees them, and what the oracle says of them. */
object EdgeFrames {

  /** An answer in comparable form: start and end of the window in seconds, the pair, and whether connected. */
  type Answer = (Long, Long, Long, Long, Boolean)

  def timestamp(seconds: Long): Timestamp = Timestamp.from(Instant.EPOCH.plus(seconds, ChronoUnit.SECONDS))

  def pairs(spark: SparkSession, pairs: Seq[(Long, Long)]): DataFrame =
    spark.createDataFrame(pairs).toDF("source", "target")

  def answers(rows: Seq[Row]): Seq[Answer] = rows.map { row =>
    import row.getAs
    def second(bound: Int) = getAs[Row]("window").getTimestamp(bound).toInstant.getEpochSecond
    (second(0), second(1), getAs[Long]("source"), getAs[Long]("target"), getAs[Boolean]("connected"))
  }

  def panesInSeconds(stream: Stream): (String, String, String) = {
    val Panes(window, slide, startTime, _) = stream.panes
    (s"$window seconds", s"$slide seconds", s"${startTime % slide} seconds")
  }

  /** Runs a stream to the end of what there is, and gives the rows that this has added. This JVM forgets its state stores,
    * so that the next run reads the checkpoint.
    */
  def runToEnd(answers: DataFrame, checkpoint: File): Seq[Row] = {
    val rows = ArrayBuffer.empty[Row]
    val collect = (batch: DataFrame, _: Long) => rows.synchronized(rows ++= batch.collect()): Unit
    val running = answers.writeStream.foreachBatch(collect)
      .option("checkpointLocation", checkpoint.getPath).trigger(Trigger.AvailableNow()).start()
    try running.processAllAvailable()
    finally running.stop()
    StateStore.stop()
    rows.toSeq
  }
}
