package io.github.sparkbic.operator

import scala.collection.compat._

import org.apache.spark.sql.{AnalysisException, DataFrame, Observation, QueryTest, Row}
import org.apache.spark.sql.bic.TestShims.MemoryStream
import org.apache.spark.sql.functions.{lit, timestamp_seconds}
import org.apache.spark.sql.test.SharedSparkSession
import org.scalacheck.Gen
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic._
import io.github.sparkbic.index.{Oracle, Streams, TimedEdge}
import io.github.sparkbic.index.Streams.{asDrawn, indexName, nameAsDrawn, shrinkStream}
import io.github.sparkbic.operator.question.Asked

/** The components of a whole table, which has no times: those of all its edges at once. */
class WholeTableSuite extends QueryTest with SharedSparkSession with ScalaCheckPropertyChecks {
  import testImplicits._

  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 8, sizeRange = 60)

  private def table(edges: Seq[TimedEdge]): DataFrame = edges.map(e => (e.src, e.dst)).toDF("src", "dst")

  private def counters(answers: Option[Observation] => DataFrame): Map[String, Any] = {
    val observation = Observation()
    answers(Some(observation)).collect(): Unit
    observation.get
  }

  test("each question has the rows of a window that holds all edges, whose times are not read") {
    forAll(Streams.stream, indexName, Gen.choose(1, 3), minSuccessful(1)) { (stream, index, partitions) =>
      val edges = table(stream.edges).repartition(partitions)
      val timed = edges.withColumn("time", timestamp_seconds(lit(7)))
      val pairs = edges.union(Seq((0L, 1L)).toDF()).toDF("source", "target")
      Asked.ofTables.foreach { asked =>
        val found = asked.ask(edges, pairs)("index" -> index)
        val inWindow = asked.ask(timed, pairs)("index" -> index, "window" -> "1 hour").drop("window")
        assert(found.columns.toSeq == inWindow.columns.toSeq)
        checkAnswer(found, inWindow.collect().toSeq)
      }
      val components = edges.bicComponents(index = index).as[(Long, Long)].collect().toSeq
      assert(components.sorted == Oracle.components(stream.edges).toSeq.sorted)
    }
  }

  test("rows with a null endpoint are dropped and counted, and no edge is late") {
    val edges = Seq[(Option[Long], Option[Long])](
      (Some(1), Some(2)),
      (None, Some(2)),
      (Some(7), None),
      (None, None),
      (Some(2), Some(1)),
      (Some(-5), Some(-5))
    ).toDF("src", "dst")
    checkAnswer(edges.bicComponents(), Seq(Row(1, 1), Row(2, 1), Row(-5, -5)))
    val wanted = Map("edges" -> 3L, "late_edges" -> 0L, "null_rows" -> 3L, "windows" -> 1L)
    assert(counters(observation => edges.bicComponents(observation = observation)) == wanted)
    assert(counters(observation => edges.bicComponentStats(observation = observation)) == wanted)
    withTempPath { folder =>
      edges.coalesce(1).write.parquet(folder.toString)
      val stored = spark.read.parquet(folder.toString)
      checkAnswer(stored.bicComponents(), Seq(Row(1, 1), Row(2, 1), Row(-5, -5)))
      assert(counters(observation => stored.bicComponents(observation = observation)) == wanted)
    }
    assert(counters(observation => edges.where("src > 100").bicComponents(observation = observation)) ==
      wanted.map { case (name, _) => name -> 0L })
  }

  test("a table that is cut into no segments, and whose edges are read as column batches") {
    withTempPath { folder =>
      spark.range(0, 60000, 1, 3).selectExpr("id % 5000 AS src", "id % 5000 + 5000 * (id % 2) AS dst")
        .write.parquet(folder.toString)
      val edges = spark.read.parquet(folder.toString)
      withSQLConf(Parallelism.SegmentWindowsConf -> "1") {
        val stats = edges.bicComponentStats()
        checkAnswer(stats, Seq(Row(7500, 60000, 5000, 2)))
        val plan = stats.queryExecution.explainString(org.apache.spark.sql.execution.SimpleMode)
        assert(plan.contains("bicComponentStats, union–find, whole table, whole graphs"))
        assert(plan.contains("BicPaneForests whole table, from column batches"))
      }
      withSQLConf("spark.sql.codegen.wholeStage" -> "false") {
        checkAnswer(edges.bicComponentStats(), Seq(Row(7500, 60000, 5000, 2)))
      }
    }
  }

  test("a table of more vertices than a task holds in open forests") {
    // Ids far apart, so that no forest is an array over a range of ids.
    val edges = 2200000L
    val path = spark.range(0, edges, 1, 1).selectExpr("id * 1000003 AS src", "(id + 1) * 1000003 AS dst")
    checkAnswer(path.bicComponentStats(), Seq(Row(edges + 1, edges, 1, edges + 1)))
  }

  test("by columns, which may be called as a column of windows is called") {
    val edges = Seq((1, 2, "x", 1), (2, 3, "x", 2), (1, 3, "y", 1)).toDF("src", "dst", "window", "time")
    checkAnswer(
      edges.bicComponents(by = Seq("window")),
      Seq(Row("x", 1, 1), Row("x", 2, 1), Row("x", 3, 1), Row("y", 1, 1), Row("y", 3, 1))
    )
    checkAnswer(
      edges.bicLargestComponents(by = Seq("time", "window"), members = true),
      Seq(Row(1, "x", 1, 2, Seq(1, 2)), Row(2, "x", 2, 2, Seq(2, 3)), Row(1, "y", 1, 2, Seq(1, 3)))
    )
    checkAnswer(edges.bicComponentStats(by = Seq("window")), Seq(Row("x", 3, 2, 1, 3), Row("y", 2, 1, 1, 2)))
  }

  test("ids keep their type, and a column of times of any type is not read") {
    Seq("tinyint", "smallint", "int", "bigint", "string").foreach { idType =>
      val edges = Seq((9, 10), (10, 2), (3, 3)).toDF("u", "v")
        .selectExpr(s"CAST(u AS $idType) AS src", s"CAST(v AS $idType) AS dst", "CAST(NULL AS DATE) AS time")
      val found = edges.bicComponents()
      assert(found.schema.catalogString == s"struct<vertex:$idType,component:$idType>")
      val smallest = if (idType == "string") "10" else "2"
      checkAnswer(
        found.selectExpr("string(vertex)", "string(component)"),
        Seq(Row("9", smallest), Row("10", smallest), Row("2", smallest), Row("3", "3"))
      )
    }
  }

  test("what is refused") {
    val edges = Seq((1L, 2L)).toDF("src", "dst")
    def refusal(call: => Any) = intercept[AnalysisException](call).getMessage
    assert(refusal(edges.bicComponents(slide = "1 hour")) ==
      "slide '1 hour' is given without a window; give a window too, or no slide")
    assert(refusal(edges.bicLargestComponents(startTime = "5 minutes")) ==
      "start_time '5 minutes' is given without a window; give a window too, or no start_time")
    assert(refusal(edges.bicComponentStats(startTime =
      "soon"
    )).startsWith("start_time 'soon' is not a duration"))
    assert(refusal(MemoryStream[(Long, Long)].toDF().toDF("src", "dst").bicComponents()) ==
      "window is not given, which asks for the components of a whole table, but the edges are a streaming DataFrame, " +
      "which has no end; give a window, such as '1 hour'")
    assert(refusal(edges.bicComponents(index = "magic")).startsWith("unknown index 'magic'"))
    def compared(call: => Any) = assert(
      refusal(call) ==
        "bic_components compares each window with the window before, but window is not given; give one, such as '1 hour'"
    )
    compared(edges.bicComponents(stable = true))
    compared(edges.bicComponents(updatesOnly = true))
    assert(refusal(edges.bicComponents("1 hour")).startsWith("edges have no column 'time'"))
    val timed = edges.withColumn("time", lit(null).cast("timestamp"))
    assert(refusal(timed.bicComponents(Seq.empty[String])).startsWith("window is an empty list"))
    val pairs = edges.toDF("source", "target")
    assert(refusal(timed.bicConnectivity(io.github.sparkbic.Windows.WholeTable, queries = pairs))
      .startsWith("bic_connectivity needs a value for 'window', not NULL"))
  }
}
