package io.github.sparkbic.operator

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.{DataFrame, QueryTest, Row}
import org.apache.spark.sql.execution.SimpleMode
import org.apache.spark.sql.functions.{collect_list, countDistinct, lit, max, struct}
import org.apache.spark.sql.test.SharedSparkSession

import io.github.sparkbic._
import io.github.sparkbic.index.Indexes
import io.github.sparkbic.operator.EdgeFrames._

/** Static DataFrames of odd forms, whole tables, and rows of answers in the operators of Spark; `BatchLawSuite` has the law. */
class BatchSuite extends QueryTest with SharedSparkSession with Refusals {
  import testImplicits._

  test("constant columns, which Spark folds into literals, and an empty input") {
    val constant =
      spark.range(3).select(lit(1L).as("src"), lit(2L).as("dst"), lit(0L).cast("timestamp").as("time"))
    def ask(edges: DataFrame) = edges.bicConnectivity("1 second", "1 second", Seq((1L, 2L)))
    checkAnswer(ask(constant).select("source", "target", "connected"), Row(1, 2, true))
    checkAnswer(ask(constant.limit(0)), Nil)
    // A Dataset of objects is asked as its DataFrame is.
    checkAnswer(Seq(EdgeRow(7, 1, 2, timestamp(0))).toDS().bicComponentStats(), Row(2, 1, 1, 2))
  }

  test("names that no window to come has are forgotten, and those of edges that are read ahead are not") {
    val edges = spark.range(0, 120000, 1, 1).selectExpr(
      "concat('name-', 2 * id) AS src",
      "concat('name-', 2 * id + 1) AS dst",
      "timestamp_seconds(id div 20000) AS time"
    )
    val counts = edges.bicComponents("1 second", "1 second").groupBy("window")
      .agg(countDistinct("vertex"), countDistinct("component")).drop("window")
    checkAnswer(counts, Seq.fill(6)(Row(40000, 20000)))
  }

  test("panes of one microsecond: an edge at an end of time is refused, and never taken for a null") {
    val asked = pairs(spark, Seq((1L, 2L)))
    def edges(micros: Long) = Seq((1L, 2L, micros), (1L, 2L, 0L)).toDF("src", "dst", "t")
      .selectExpr("src", "dst", "timestamp_micros(t) AS time")
    val ends = Seq(Long.MinValue, Long.MinValue + 2, Long.MaxValue - 2, Long.MaxValue)
    ends.foreach { micros =>
      val answers = edges(micros).bicConnectivity("2 microseconds", "1 microsecond", asked)
      val message = reasons(intercept[Exception](answers.collect()))
      assert(message.contains(s"($micros µs) is too close to the end of time"))
      assert(message.contains("whole numbers of 2 µs"))
    }
    for ((micros, index) <- Seq(ends.head, ends.last).zip(Indexes.names)) {
      val wider = edges(micros).bicConnectivity("4 microseconds", "2 microseconds", asked, index = index)
      checkAnswer(wider.selectExpr("count_if(connected)"), Row(4))
    }
  }

  test("a table that is cut into no segments, and whose edges are read as column batches") {
    withTempPath { folder =>
      spark.range(0, 60000, 1, 3).selectExpr("id % 5000 AS src", "id % 5000 + 5000 * (id % 2) AS dst")
        .write.parquet(folder.toString)
      val edges = spark.read.parquet(folder.toString)
      withSQLConf(Settings.SegmentWindows -> "1") {
        val stats = edges.bicComponentStats()
        checkAnswer(stats, Seq(Row(7500, 60000, 5000, 2)))
        val plan = stats.queryExecution.explainString(SimpleMode)
        assert(plan.contains("bicComponentStats, union–find, whole table, whole graphs"))
        assert(plan.contains("BicPaneForests whole table, from column batches"))
      }
      withSQLConf("spark.sql.codegen.wholeStage" -> "false") {
        checkAnswer(edges.bicComponentStats(), Seq(Row(7500, 60000, 5000, 2)))
      }
    }
  }

  test("by columns, which may be called as a column of windows is called") {
    val edges = Seq((1, 2, "x", 1), (2, 3, "x", 2), (1, 3, "y", 1)).toDF("src", "dst", "window", "time")
    val all = Seq(Row("x", 1, 1), Row("x", 2, 1), Row("x", 3, 1), Row("y", 1, 1), Row("y", 3, 1))
    checkAnswer(edges.bicComponents(by = Seq("window")), all)
    val sets = Seq(Row(1, "x", 1, 2, Seq(1, 2)), Row(2, "x", 2, 2, Seq(2, 3)), Row(1, "y", 1, 2, Seq(1, 3)))
    checkAnswer(edges.bicLargestComponents(by = Seq("time", "window"), members = true), sets)
    checkAnswer(edges.bicComponentStats(by = Seq("window")), Seq(Row("x", 3, 2, 1, 3), Row("y", 2, 1, 1, 2)))
  }

  test("rows of strings of any length stay as they are in operators that keep rows") {
    val names = Seq("", "a", "b" * 100, "c" * 8, "0123abcd-0123-4567-89ab-0123456789ab", "d" * 5000, "e")
    val edges = names.flatMap(name => Seq((name, name, 0), (name, name, 10))).toDF("src", "dst", "at")
      .selectExpr("src", "dst", "timestamp_seconds(at) AS time")
    val answers =
      edges.bicComponents("10 seconds").selectExpr("unix_seconds(window.end) AS end", "vertex", "component")
    val wanted = Seq(10L, 20L).flatMap(end => names.map(name => Row(end, name, name))).toSet
    val kept = Seq(
      answers.orderBy("component"),
      answers.orderBy("vertex").limit(100),
      answers.repartition(3),
      answers.groupBy("end", "vertex").agg(max("component")),
      answers.selectExpr("end", "vertex", "max(component) OVER (PARTITION BY vertex ORDER BY end DESC)"),
      answers.groupBy("end").agg(collect_list(struct("vertex", "component")).as("all"))
        .selectExpr("end", "inline(all)")
    ) ++ Seq("broadcast", "merge", "shuffle_hash", "shuffle_replicate_nl").map { hint =>
      answers.join(answers.withColumnRenamed("component", "other").hint(hint), Seq("end", "vertex"))
        .select("end", "vertex", "other")
    }
    def check(rows: DataFrame): Unit = {
      val found = rows.collect()
      assert(found.length == wanted.size && found.toSet == wanted, rows.queryExecution)
    }
    kept.foreach(check)
    assert(answers.toLocalIterator().asScala.toSet == wanted)
    val cached = answers.cache()
    try check(cached)
    finally cached.unpersist(blocking = true): Unit
  }
}
