package io.github.sparkbic.operator

import org.apache.spark.sql.{DataFrame, QueryTest, Row}
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec
import org.apache.spark.sql.functions.{col, lit, spark_partition_id, timestamp_micros, timestamp_seconds}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.test.SharedSparkSession

import io.github.sparkbic._
import io.github.sparkbic.index.Indexes

/** Graphs of a batch query cut into segments: the rows and the counters are those of whole graphs. */
class SegmentsSuite extends QueryTest with SharedSparkSession with ConfResults with AdaptiveSparkPlanHelper {
  import testImplicits._

  private val Conf = Settings.SegmentWindows

  /** Rows, as texts in one order, and counters. */
  private def outcome(windows: Int, edges: DataFrame, index: String): (Seq[String], Seq[Map[String, Long]]) =
    withConf(Conf -> windows.toString) {
      val changes = edges.bicChanges("7 microseconds", "3 microseconds", index = index)
      val components = edges.bicComponents("4 microseconds", "1 microsecond", index = index)
      val start = "unix_micros(window.start)"
      val both = changes.selectExpr(start, "concat(change, string(before), string(after))", "size")
        .union(components.selectExpr(start, "string(vertex)", "component"))
      val rows = both.collect().map(_.toString).sorted.toSeq
      (rows, Observed.of(both))
    }

  test("panes of a microsecond at the ends of time, and a gap as long as time") {
    val times =
      Seq(Long.MinValue + 100, Long.MinValue + 103, -2L, 0L, 1L, 2L, Long.MaxValue - 100, Long.MaxValue - 98)
    val edges =
      times.zipWithIndex.map { case (t, i) => (i.toLong % 4, i.toLong % 3, t) }.toDF("src", "dst", "t")
        .select(col("src"), col("dst"), timestamp_micros(col("t")).as("time"))
    Indexes.names.foreach { index =>
      val whole = outcome(0, edges, index)
      Seq(1, 2, Int.MaxValue).foreach(windows => assert(outcome(windows, edges, index) == whole))
    }
  }

  // A path that grows by an edge a second, in windows of ten seconds.
  private def path: DataFrame = spark.range(0, 400, 1, 4)
    .select(col("id").as("src"), (col("id") + 1).as("dst"), timestamp_seconds(col("id")).as("time"))

  /** Windows that each task of stage 2 answers, in the order of the tasks. */
  private def perTask(answers: DataFrame): Seq[Long] =
    answers.groupBy(spark_partition_id().as("task")).count().orderBy("task").collect().map(_.getLong(1)).toSeq

  test("one graph is answered by several tasks, which get segments in turn, with one shuffle") {
    Seq("true", "false").foreach { adaptive =>
      withConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> adaptive, SQLConf.SHUFFLE_PARTITIONS.key -> "2") {
        val stats = path.bicComponentStats("10 seconds", "2 seconds")
        stats.collect()
        assert(collect(stats.queryExecution.executedPlan) { case e: ShuffleExchangeExec => e }.size == 1)
        // Eleven segments: ten of twenty windows, and one of the four at the end.
        assert(perTask(stats) == Seq(104, 100))
      }
    }
    withConf(SQLConf.SHUFFLE_PARTITIONS.key -> "200") {
      val stats = path.bicComponentStats("10 seconds", "2 seconds")
      assert(perTask(stats).size == 3 * sparkContext.defaultParallelism)
    }
  }

  private def manyGraphs: DataFrame = spark.range(0, 4000, 1, 4)
    .select((col("id") % 200).as("graph"), col("id").as("src"), (col("id") + 200).as("dst"))
    .withColumn("time", timestamp_seconds(col("src") / 10))

  test("many small graphs are answered by several tasks, though adaptive execution merges partitions") {
    val partitions = SQLConf.SHUFFLE_PARTITIONS.key -> "6"
    for (adaptive <- Seq("true", "false"); windows <- Seq("0", "4"))
      withConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> adaptive, partitions, Conf -> windows) {
        val stats = manyGraphs.bicComponentStats("100 seconds", "50 seconds", by = Seq("graph"))
        stats.collect()
        assert(collect(stats.queryExecution.executedPlan) { case e: ShuffleExchangeExec => e }.size == 1)
        assert(perTask(stats).size == 6)
      }
  }

  test("a graph is one task when segments are off, and with `by` unless they are asked for") {
    def graph =
      path.withColumn("graph", lit(1)).bicComponentStats("10 seconds", "2 seconds", by = Seq("graph"))
    assert(perTask(graph).size == 1)
    withConf(Conf -> "0")(assert(perTask(path.bicComponentStats("10 seconds", "2 seconds")).size == 1))
    withConf(Conf -> "4", SQLConf.COALESCE_PARTITIONS_ENABLED.key -> "false") {
      assert(perTask(graph).size > 1)
    }
  }

  test("segments of all windows, and of no edge") {
    withConf(Conf -> Int.MaxValue.toString) {
      assert(path.bicComponentStats("10 seconds").select("edges").as[Long].collect().sum == 400)
    }
    checkAnswer(path.limit(0).bicComponentStats("10 seconds"), Seq.empty[Row])
  }
}
