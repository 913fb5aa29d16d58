package io.github.sparkbic.operator.paths

import org.apache.spark.sql.{AnalysisException, DataFrame, Observation, QueryTest, Row}
import org.apache.spark.sql.bic.TestShims
import org.apache.spark.sql.execution.FileSourceScanExec
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
import org.apache.spark.sql.functions.{col, lit}
import org.apache.spark.sql.test.SharedSparkSession
import org.scalacheck.Gen
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic._
import io.github.sparkbic.index.{Oracle, PathOracle, Streams}
import io.github.sparkbic.index.Streams.shrinkStream
import io.github.sparkbic.operator.EdgeFrames._
import io.github.sparkbic.operator.block.Names
import io.github.sparkbic.operator.block.Names.nameOf

/** Paths of static tables are those of a search from scratch, and nothing else of the answers changes. */
class PathsSuite extends QueryTest with SharedSparkSession with AdaptiveSparkPlanHelper
    with ScalaCheckPropertyChecks {
  import testImplicits._

  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 8, sizeRange = 60)

  private type Found = (Long, Long, Any, Any, Boolean, Option[Seq[(Any, Any, Long)]])

  private def found(rows: Seq[Row]): Seq[Found] = rows.map { row =>
    val window = row.getAs[Row]("window")
    def seconds(row: Row, i: Int) = row.getTimestamp(i).toInstant.getEpochSecond
    val path = Option(row.getAs[scala.collection.Seq[Row]]("path")).map(_.toSeq.map { edge =>
      (edge.get(0), edge.get(1), seconds(edge, 2))
    })
    (
      seconds(window, 0),
      seconds(window, 1),
      row.getAs[Any]("source"),
      row.getAs[Any]("target"),
      row.getAs[Boolean]("connected"),
      path
    )
  }

  test("any stream: the answers of a batch, with paths exactly where they are connected") {
    forAll(Streams.stream, Gen.choose(1, 3), Gen.prob(0.4)) { (stream, partitions, strings) =>
      val (window, slide, startTime) = panesInSeconds(stream)
      val shown: Long => Any = if (strings) nameOf(_) else identity
      val (edges, asked) =
        if (strings)
          (
            stream.edges.map(e => (nameOf(e.src), nameOf(e.dst), timestamp(e.time))).toDF(
              "src",
              "dst",
              "time"
            ),
            askedPairs(stream).map { case (s, t) => (nameOf(s), nameOf(t)) }.toDF("source", "target")
          )
        else (stream.edges.map(row(0, _)).toDF().drop("graph"), pairs(spark, askedPairs(stream)))
      val answers = edges.bicConnectivity(window, slide, asked, startTime = startTime).cache()
      val rows = edges.repartition(partitions).bicPaths(answers).collect().toSeq
      answers.unpersist()
      implicit val order: Ordering[Long] =
        if (strings) Names.byBytes.on(nameOf) else Ordering.Long
      val wanted = expected(0, stream, askedPairs(stream)).map { case (_, start, end, s, t, connected) =>
        val path = PathOracle.path(Oracle.between(stream.edges, start, end).toSeq, s, t)
        assert(path.nonEmpty == connected)
        (
          start,
          end,
          shown(s),
          shown(t),
          connected,
          path.map(_.map(e => (shown(e.src), shown(e.dst), e.time)))
        )
      }
      assert(found(rows).sortBy(_.toString) == wanted.sortBy(_.toString))
    }
  }

  private def edgesOf(rows: (Int, Int, Long)*): DataFrame =
    rows.map { case (s, t, at) => (s, t, timestamp(at)) }.toDF("src", "dst", "time")

  private def answersOf(rows: (Long, Long, Int, Int)*): DataFrame =
    rows.map { case (start, end, s, t) => ((timestamp(start), timestamp(end)), s, t) }
      .toDF("window", "source", "target")
      .select(col("window").cast("struct<start: timestamp, end: timestamp>"), col("source"), col("target"))

  private def pathOf(frame: DataFrame): Seq[Any] = frame.selectExpr(
    "to_json(transform(path, e -> array(e.src, e.dst, unix_seconds(e.time))))"
  ).as[String].collect().toSeq

  test("other columns, repeated rows, windows of any bounds and pairs that do not occur pass through") {
    val edges = edgesOf((1, 2, 5), (2, 3, 6), (3, 4, 100), (3, 1, 300))
    val asked = answersOf(
      (0, 10, 1, 3),
      (0, 10, 1, 3),
      (5, 6, 1, 3),
      (-50, 101, 4, 1),
      (10, 0, 1, 2),
      (0, 10, 9, 9),
      (0, 10, 2, 2)
    )
      .withColumn("note", col("window.start").cast("string")).withColumn("more", lit(Array(1, 2)))
    val rows = edges.bicPaths(asked)
    assert(rows.columns.toSeq == asked.columns.toSeq :+ "path")
    assert(
      rows.drop("path").collect().map(_.toString).sorted.toSeq == asked.collect().map(_.toString).sorted.toSeq
    )
    assert(rows.schema("path").dataType.catalogString == "array<struct<src:int,dst:int,time:timestamp>>")
    val wanted =
      Seq(
        "[[3,4,100],[2,3,6],[1,2,5]]",
        "[[1,2,5],[2,3,6]]",
        "[[1,2,5],[2,3,6]]",
        "[]",
        "null",
        "null",
        "null"
      )
    assert(pathOf(rows).map(String.valueOf).sorted == wanted.sorted)
    checkAnswer(rows.where("source = 4").selectExpr("size(path)"), Row(3))
    checkAnswer(
      rows.where("source = 9 or unix_seconds(window.start) in (5, 10)").selectExpr("path"),
      Seq.fill(3)(Row(null))
    )
    checkAnswer(rows.where("source = 2").selectExpr("size(path)"), Row(0))
  }

  test("each graph by itself: keys of null, zeros of both signs, and integral keys of another width") {
    val edges = Seq[(Option[Int], Double, Int, Int)](
      (None, 0.0, 1, 2),
      (Some(1), -0.0, 2, 3),
      (Some(1), 0.0, 1, 2),
      (None, Double.NaN, 1, 2),
      (None, Double.NaN, 2, 3)
    ).toDF("graph", "part", "src", "dst").withColumn("time", lit(timestamp(1)))
    val asked = Seq[(Option[Long], Double)](
      (None, -0.0),
      (Some(1L), 0.0),
      (None, Double.NaN),
      (Some(2L), 0.0)
    ).toDF("graph", "part")
      .crossJoin(answersOf((0, 10, 1, 3)))
    val rows = edges.bicPaths(asked, by = Seq("graph", "part"))
    // The plan has a sort of its own, by which checkAnswer would take the rows for sorted.
    assert(rows.selectExpr("graph", "part", "array_size(path)").collect().map(_.toString).toSet ==
      Set("[null,-0.0,null]", "[1,0.0,2]", "[null,NaN,2]", "[2,0.0,null]"))
  }

  test("answers are read twice, once for their windows") {
    val read = spark.sparkContext.longAccumulator
    val asked = answersOf((0, 10, 1, 2), (0, 20, 1, 3), (10, 20, 1, 2)).repartition(1)
    val counted =
      asked.mapPartitions((rows: Iterator[Row]) => rows.map { row => read.add(1); row })(asked.encoder)
    assert(edgesOf((1, 2, 5), (2, 3, 15)).bicPaths(counted).collect().map(_.isNullAt(3)).sorted.toSeq == Seq(
      false,
      false,
      true
    ))
    assert(read.value == 2 * 3)
  }

  test("TIMESTAMP_NTZ, and edges of two windows count twice; null ends are dropped and counted") {
    val edges =
      Seq((Some(1L), Some(2L), 5L), (None, Some(2L), 5L), (Some(2L), Some(3L), 15L)).toDF("src", "dst", "t")
        .selectExpr("src", "dst", "CAST(timestamp_seconds(t) AS TIMESTAMP_NTZ) AS time")
    val asked = answersOf((0, 10, 1, 2), (0, 20, 1, 3)).selectExpr(
      "struct(CAST(window.start AS TIMESTAMP_NTZ) AS start, CAST(window.end AS TIMESTAMP_NTZ) AS end) AS window",
      "source",
      "target"
    )
    val observation = Observation()
    val rows = edges.bicPaths(asked, observation = Some(observation))
    assert(rows.selectExpr("target", "size(path)").collect().toSet == Set(Row(2, 1), Row(3, 2)))
    assert(observation.get == Map("edges" -> 5L, "null_rows" -> 2L))
  }

  test("only files and row groups with edges of the windows are read") {
    withTempDir { dir =>
      val path = dir.getCanonicalPath + "/edges"
      // Spark's default, INT96, has no order that a reader could skip rows by.
      withSQLConf("spark.sql.parquet.outputTimestampType" -> "TIMESTAMP_MICROS") {
        (0 until 4).foreach { part =>
          val edges = edgesOf((0 until 1000).map(i => (i, i + 1, part * 1000L + i)): _*)
          edges.coalesce(1).write.mode("append").parquet(path)
        }
      }
      val rows = spark.read.parquet(path).bicPaths(answersOf((1100, 1200, 100, 110))).selectExpr("size(path)")
      assert(rows.collect().toSeq == Seq(Row(10)))
      val scans =
        collectWithSubqueries(rows.queryExecution.executedPlan) { case scan: FileSourceScanExec => scan }
      assert(scans.map(_.metrics("numOutputRows").value) == Seq(if (TestShims.filesTakeSubqueries) 1000
      else 4000))
    }
  }

  test("what cannot be answered is refused with the value and the fix") {
    val edges = edgesOf((1, 2, 5))
    val asked = answersOf((0, 10, 1, 2))
    def refusal(call: => DataFrame) = intercept[AnalysisException](call).getMessage
    assert(refusal(edges.bicPaths(asked.drop("window"))).startsWith("answers have no column 'window'"))
    assert(refusal(edges.bicPaths(asked.withColumn(
      "path",
      lit(1)
    ))).contains("answers have a column 'path' already"))
    assert(refusal(edges.bicPaths(asked.withColumn("source", lit("a")).withColumn("target", lit("b"))))
      .contains("but the vertices of the edges are integral"))
    assert(refusal(edges.bicPaths(asked.withColumn(
      "window",
      lit(1)
    ))).contains("window must be STRUCT<start: TIMESTAMP, end: TIMESTAMP>"))
    assert(refusal(edges.withColumn(
      "graph",
      lit(1)
    ).bicPaths(asked, by = Seq("graph"))).contains("answers have no column 'graph' (given as by)"))
    val stream =
      spark.readStream.format("rate").load().selectExpr("value AS src", "value AS dst", "timestamp AS time")
    assert(refusal(stream.bicPaths(asked)).contains("edges is a streaming DataFrame"))
    val answers =
      stream.selectExpr("struct(time AS start, time AS end) AS window", "src AS source", "dst AS target")
    assert(refusal(edges.bicPaths(answers)).contains("or call in foreachBatch"))
  }
}
