package io.github.sparkbic.operator

import scala.collection.compat._

import org.apache.spark.SparkConf
import org.apache.spark.sql.{DataFrame, Observation, QueryTest}
import org.apache.spark.sql.bic.Registered
import org.apache.spark.sql.bic.TestShims.{MemoryStream, StreamingQueryWrapper}
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
import org.apache.spark.sql.functions.col
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.test.SharedSparkSession

import io.github.sparkbic._
import io.github.sparkbic.operator.question.{Asked, AskedPairs}
import io.github.sparkbic.sql.BicExtensions

/** What a plan shows of a query, and that a plan which is only looked at runs nothing. */
class ShownPlanSuite extends QueryTest with SharedSparkSession with ConfResults with AdaptiveSparkPlanHelper {
  import testImplicits._

  override protected def sparkConf: SparkConf =
    super.sparkConf.set("spark.sql.extensions", classOf[BicExtensions].getName)

  private def edges: DataFrame =
    spark.range(0, 600, 1, 2).selectExpr("id % 40 AS src", "id DIV 7 AS dst", "timestamp_seconds(id) AS time")

  /** Pairs that take a job to read. */
  private def pairs: DataFrame =
    spark.range(1, 20).selectExpr("id AS source", "id % 5 AS target").distinct()

  private val nothing = Registered(jobs = 0, broadcasts = 0, accumulators = 0)

  private def ask: DataFrame = edges.bicConnectivity("1 minute", "20 seconds", pairs)

  test("nothing runs, is broadcast or is registered while a plan is analysed and explained") {
    edges.createOrReplaceTempView("edges")
    pairs.createOrReplaceTempView("pairs")
    def statement(queries: String) =
      s"SELECT * FROM bic_connectivity(TABLE(edges), '1 minute', '20 seconds', queries => $queries)"
    for ((adaptive, queries) <- Seq("true" -> "TABLE(pairs)", "false" -> "array((1, 2), (3, 9))"))
      withConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> adaptive) {
        assert(Registered.by(sparkContext) {
          Seq(SimpleMode, ExtendedMode, CostMode, FormattedMode).foreach(mode =>
            spark.sql(statement(queries)).queryExecution.explainString(mode): Unit
          )
          spark.sql(statement(queries)).queryExecution.executedPlan: Unit
          edges.bicComponents("1 minute").queryExecution.executedPlan: Unit
          ask.queryExecution.executedPlan: Unit
          ask.schema: Unit
        } == nothing)
        // Spark makes the metrics of its own nodes along with the code.
        val ofCode = Registered.by(sparkContext)(ask.queryExecution.explainString(CodegenMode): Unit)
        assert(ofCode.copy(accumulators = 0) == nothing)
        def explained(query: String) =
          Registered.by(sparkContext)(spark.sql(s"EXPLAIN $query").collect(): Unit)
        // The command has a metric of its own.
        assert(explained(statement(queries)) == explained("SELECT 1"))
        // It can see what is done.
        val done = Registered.by(sparkContext)(spark.sql(statement(queries)).collect(): Unit)
        assert(done.jobs > 0 && done.broadcasts > 0 && done.accumulators > 0)
      }
  }

  test("pairs are read once, however often they are asked for") {
    Seq("true", "false").foreach { adaptive =>
      withConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> adaptive) {
        val again = ask
        val first, second = Registered.by(sparkContext)(assert(again.collect().length > 19))
        assert(second.jobs < first.jobs)
      }
    }
  }

  private def metrics(plan: SparkPlan): Map[String, Long] =
    collect(plan) { case windows: WindowsExec => windows.metrics.view.mapValues(_.value).toMap }.head

  test("the counters are metrics of the plan, of the last action alone") {
    val answers = edges.union(edges.limit(1).selectExpr("NULL", "dst", "time")).bicComponentStats("1 minute")
    Seq(1, 2).foreach { _ =>
      answers.collect()
      assert(metrics(answers.queryExecution.executedPlan) ==
        Map("edges" -> 600L, "late_edges" -> 0L, "null_rows" -> 1L, "windows" -> 10L))
    }
    val observation = Observation()
    val events = edges.bicAsOf(edges, "1 minute", source = "src", observation = Some(observation))
    events.collect()
    val counted = metrics(events.queryExecution.executedPlan)
    assert(counted -- Seq("late_edges", "null_rows") ==
      Map("edges" -> 600L, "windows" -> 10L, "events" -> 600L, "late_events" -> 0L))
    assert(Seq("events", "late_events").map(observation.get(_)) == Seq(600L, 0L))
    assert(explained(events).head.startsWith("BicWindows bicAsOf, index recency, window 1 minute, "))
  }

  test("a stream shows the counters of each micro-batch in its own plan") {
    val input = MemoryStream[(Long, Long, Long)]
    val stream = input.toDF().toDF("src", "dst", "at")
      .selectExpr("src", "dst", "timestamp_seconds(at) AS time").withWatermark("time", "0 seconds")
    // One micro-batch for what is added, and none that only closes windows.
    val query = withConf(SQLConf.STREAMING_NO_DATA_MICRO_BATCHES_ENABLED.key -> "false") {
      val answers = stream.bicConnectivity("10 seconds", "10 seconds", pairs)
      answers.writeStream.format("memory").queryName("shown").start()
    }
    def execution = query.asInstanceOf[StreamingQueryWrapper].streamingQuery.lastExecution
    try {
      input.addData((1L, 2L, 1L), (2L, 3L, 2L))
      query.processAllAvailable()
      val first = metrics(execution.executedPlan)
      assert(first("edges") == 2 && first("pending_links") == 2)
      assert(first("state_bytes") > 0 && first("windows") == 0)
      input.addData((5L, 6L, 50L))
      query.processAllAvailable()
      input.addData((5L, 6L, 3L))
      query.processAllAvailable()
      val last = metrics(execution.executedPlan)
      assert(last("edges") == 0 && last("late_edges") == 1)
    } finally query.stop()
  }

  for (asked <- Asked.oneEach)
    test(s"${asked.function} names its counters in SQL, for a QueryExecutionListener") {
      val edges =
        "SELECT col1 AS src, col2 AS dst, timestamp_seconds(col3) AS time FROM VALUES (1, 2, 0), (NULL, 3, 5)"
      val found = spark.sql(asked.sql(edges, Seq((1, 3)))("window" -> "10 seconds", "observation" -> "mine"))
      found.collect()
      val counters = found.queryExecution.observedMetrics("mine")
      assert(Seq("edges", "null_rows", "windows").map(counters.getAs[Long](_)) == Seq(1, 1, 1))
    }

  private def explained(frame: DataFrame): Seq[String] =
    frame.queryExecution.explainString(SimpleMode).linesIterator.filter(_.contains("Bic"))
      .map(line => line.substring(line.indexOf("Bic")).trim).toSeq

  test("where no index is named, bic answers pairs in windows of one length, and recency everything else") {
    def index(answers: DataFrame): String =
      "BicWindows .*, index (\\w+)".r.findFirstMatchIn(explained(answers).mkString("\n")).get.group(1)
    Asked.all.foreach { asked =>
      val chosen = index(asked.ask(edges, pairs)("window" -> "1 minute"))
      assert(chosen == (if (asked == AskedPairs()) "bic" else "recency"), asked)
    }
    assert(index(edges.bicConnectivity(Seq("1 minute", "2 minutes"), "1 minute", pairs)) == "recency")
  }

  test("EXPLAIN shows the question, the index, the windows, the layout, and how the edges come") {
    withTempDir { folder =>
      val path = s"${folder.getPath}/edges"
      edges.write.parquet(path)
      val files = spark.read.parquet(path)
      val lengths = Seq("1 minute", "2 minutes")
      val byGraph = files.withColumnRenamed("dst", "graph").withColumn("dst", col("src"))
      Seq("true", "false").foreach { adaptive =>
        withConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> adaptive) {
          withConf(Settings.SegmentWindows -> "4") {
            assert(explained(files.bicComponents(lengths, "20 seconds", index = "recency")) == Seq(
              "BicWindows bicComponents, index recency, window 2 minutes and 1 minute, slide 20 seconds, segments of 4 windows",
              "BicPaneForests pane 20 seconds, from column batches"
            ))
          }
          val ofGraphs = AskedPairs(early = true, since = true).ask(byGraph, pairs)(
            "window" -> "1 minute",
            "slide" -> "40 seconds",
            "by" -> Seq("graph"),
            "start_time" -> "7 seconds"
          )
          assert(explained(ofGraphs) == Seq(
            "BicWindows bicConnectivity, index recency, since, window 1 minute, slide 40 seconds, start_time 7 seconds, by " +
              "graph, whole graphs",
            "BicPaneForests pane 20 seconds, from rows"
          ))
        }
      }
      withConf(SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> "false") {
        val last = explained(files.bicComponents("1 minute")).last
        assert(last.endsWith("BicPaneForests pane 1 minute, from rows"))
      }
    }
  }
}
