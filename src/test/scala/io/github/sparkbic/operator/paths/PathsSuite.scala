package io.github.sparkbic.operator.paths

import org.apache.spark.sql.{DataFrame, Observation, QueryTest, Row}
import org.apache.spark.sql.bic.TestShims
import org.apache.spark.sql.execution.FileSourceScanExec
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
import org.apache.spark.sql.functions.{col, lit, udf}
import org.apache.spark.sql.test.SharedSparkSession
import org.apache.spark.sql.types.DataType
import org.scalacheck.Gen
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic._
import io.github.sparkbic.index.{Oracle, PathOracle, Streams}
import io.github.sparkbic.index.Streams.shrinkStream
import io.github.sparkbic.operator.EdgeFrames._
import io.github.sparkbic.operator.block.Names
import io.github.sparkbic.operator.block.Names.nameOf

/** Paths of static tables are those of a search from scratch, and nothing else of the answers changes. */
class PathsSuite extends QueryTest with SharedSparkSession with Refusals with AdaptiveSparkPlanHelper
    with ScalaCheckPropertyChecks {
  import testImplicits._

  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 3, sizeRange = 60)

  /** A path as the ends of its edges and their seconds; None where there is no path. */
  private def pathOf(row: Row): Option[List[(Any, Any, Long)]] = stepsOf(row).map(_.map { edge =>
    (edge.get(0), edge.get(1), edge.getTimestamp(2).toInstant.getEpochSecond)
  })

  private def stepsOf(row: Row): Option[List[Row]] =
    Option(row.getAs[scala.collection.Seq[Row]]("path")).map(_.toList)

  // Of pairs, tests/test_paths.py shows the same.
  test("any stream: the vertices of answers have paths to their marks, and those that have left have none") {
    forAll(Streams.stream, Gen.choose(1, 3), Gen.prob(0.4)) { (stream, partitions, strings) =>
      val (window, slide, startTime) = panesInSeconds(stream)
      val shown: Long => Any = if (strings) nameOf(_) else identity
      def named(frame: DataFrame, ids: String*): DataFrame =
        if (strings) ids.foldLeft(frame)((frame, id) => frame.withColumn(id, names(col(id)))) else frame
      val numbered = stream.edges.zipWithIndex.map { case (e, id) => (e.src, e.dst, timestamp(e.time), id) }
      val edges = named(numbered.toDF("src", "dst", "time", "id"), "src", "dst")
      implicit val order: Ordering[Long] = if (strings) Names.byBytes.on(nameOf) else Ordering.Long
      // A stream without edges has a mark as well, since a list without any is refused.
      val marks = named((stream.edges.take(2).map(_.src) :+ 0L).toDF("vertex"), "vertex")
      val touched =
        edges.bicConnectedTo(window, slide, marks, updatesOnly = true, startTime = startTime).cache()
      val idOf = stream.edges.flatMap(e => Seq(e.src, e.dst)).map(v => shown(v) -> v).toMap
      val evidence = edges.repartition(partitions).bicPaths(touched, keep = Seq("id")).collect().toSeq
      assert(evidence.size == touched.count())
      touched.unpersist()
      evidence.foreach { row =>
        val (bounds, marked) = (row.getStruct(0), Option(row.get(2)))
        def second(bound: Int) = bounds.getTimestamp(bound).toInstant.getEpochSecond
        val inWindow = Oracle.between(stream.edges, second(0), second(1)).toSeq
        val path = marked.flatMap(mark => PathOracle.path(inWindow, idOf(row.get(1)), idOf(mark)))
        assert(path.nonEmpty == marked.nonEmpty)
        assert(pathOf(row) == path.map(_.toList.map(e => (shown(e.src), shown(e.dst), e.time))))
        // Of the same edge several times, the smallest id.
        assert(stepsOf(row).toSeq.flatten.map(_.getInt(3)) == path.toSeq.flatten.map(stream.edges.indexOf(_)))
      }
    }
  }

  private val names = udf(nameOf(_: Long))

  private def edgesOf(rows: (Int, Int, Long)*): DataFrame =
    rows.map { case (s, t, at) => (s, t, timestamp(at)) }.toDF("src", "dst", "time")

  private def answersOf(rows: (Long, Long, Int, Int)*): DataFrame =
    rows.map { case (start, end, s, t) => ((timestamp(start), timestamp(end)), s, t) }
      .toDF("window", "source", "target")
      .select(col("window").cast("struct<start: timestamp, end: timestamp>"), col("source"), col("target"))

  test("other columns, repeated rows, windows of any bounds and pairs that do not occur pass through") {
    val edges = edgesOf((1, 2, 5), (2, 3, 6), (3, 4, 100), (3, 1, 300))
    val paths = Seq(
      (0L, 10L, 1, 3) -> Some(Seq((1, 2, 5L), (2, 3, 6L))),
      (0L, 10L, 1, 3) -> Some(Seq((1, 2, 5L), (2, 3, 6L))),
      (5L, 6L, 1, 3) -> None,
      (-50L, 101L, 4, 1) -> Some(Seq((3, 4, 100L), (2, 3, 6L), (1, 2, 5L))),
      (10L, 0L, 1, 2) -> None,
      (0L, 10L, 9, 9) -> None,
      (0L, 10L, 2, 2) -> Some(Nil)
    )
    val asked = answersOf(paths.map(_._1): _*)
      .withColumn("note", col("window.start").cast("string")).withColumn("more", lit(Array(1, 2)))
    val rows = edges.bicPaths(asked)
    assert(rows.columns.toSeq == asked.columns.toSeq :+ "path")
    // The plan has a sort of its own, by which checkAnswer would take the rows for sorted.
    def unsorted(rows: DataFrame) = rows.collect().map(_.toString).sorted.toSeq
    assert(unsorted(rows.drop("path")) == unsorted(asked))
    assert(rows.schema("path").dataType.catalogString == "array<struct<src:int,dst:int,time:timestamp>>")
    val found = rows.collect().map { row =>
      val bounds = row.getStruct(0)
      (bounds.get(0), bounds.get(1), row.get(1), row.get(2)) -> pathOf(row)
    }
    assert(found.map(_.toString).sorted.toSeq == paths.map { case ((start, end, s, t), path) =>
      ((timestamp(start), timestamp(end), s, t) -> path).toString
    }.sorted)
  }

  test("each graph by itself: keys of null, zeros of both signs, and integral keys of another width") {
    val edges = Seq[(Option[Int], Double, Int, Int)](
      (None, 0.0, 1, 2),
      (Some(1), -0.0, 2, 3),
      (Some(1), 0.0, 1, 2),
      (None, Double.NaN, 1, 2),
      (None, Double.NaN, 2, 3)
    ).toDF("graph", "part", "src", "dst").withColumn("time", lit(timestamp(1)))
    val keys = Seq[(Option[Long], Double)]((None, -0.0), (Some(1L), 0.0), (None, Double.NaN), (Some(2L), 0.0))
    val asked = keys.toDF("graph", "part").crossJoin(answersOf((0, 10, 1, 3)))
    val rows = edges.bicPaths(asked, by = Seq("graph", "part"))
    assert(rows.selectExpr("graph", "part", "array_size(path)").collect().map(_.toString).toSet ==
      Set("[null,-0.0,null]", "[1,0.0,2]", "[null,NaN,2]", "[2,0.0,null]"))
  }

  test("kept columns of all types come back as they are; of edges that come again, the smallest values") {
    val values = Seq(
      "CAST(NULL AS STRING)" -> "'b'",
      "named_struct('a', 1, 'b', array('x', NULL))" -> "named_struct('a', 1, 'b', array('y'))",
      "array(1.5D, CAST('NaN' AS DOUBLE))" -> "array(2D)",
      "1.50BD" -> "1.51BD",
      "CAST(12345678901234567890123456789.123456789 AS DECIMAL(38, 9))" -> "CAST(2E28 AS DECIMAL(38, 9))",
      "X'00FF'" -> "X'FF'",
      "map('k', 1)" -> "map('k', 2)",
      "true" -> "true",
      "DATE'2024-05-01'" -> "DATE'2024-05-02'",
      "NULL" -> "NULL",
      "INTERVAL 1 DAY" -> "INTERVAL 2 DAYS"
    )
    def frame(of: Seq[String]): DataFrame = {
      val columns = of.zipWithIndex.map { case (value, i) => s"$value AS `c.$i`" }
      edgesOf((1, 2, 5)).selectExpr("*" +: columns: _*)
    }
    // The first column decides: null comes first.
    val (small, large) = (frame(values.map(_._1)), frame(values.map(_._2)))
    val keep = values.indices.map(i => s"`c.$i`")
    Seq(small.unionByName(large), large.unionByName(small)).foreach { edges =>
      val rows = edges.bicPaths(answersOf((0, 10, 2, 1)), keep = keep)
      val kept = rows.selectExpr("inline(path)").drop("src", "dst", "time")
      checkAnswer(kept, small.select(keep.map(col): _*))
      assert(DataType.equalsIgnoreNullability(kept.schema, edges.select(keep.map(col): _*).schema))
    }
    // Values without an order, and values that are equal but not the same, come from one edge all the same.
    Seq("map('k', 1)" -> "map('k', 2)", "0D" -> "-0D").foreach { case (one, other) =>
      val found = Seq(Seq(one, other), Seq(other, one)).map { of =>
        val edges = of.map(value => frame(Seq(value))).reduce(_ unionByName _).coalesce(1)
        edges.bicPaths(answersOf((0, 10, 2, 1)), keep = Seq("`c.0`")).collect().mkString
      }
      assert(found.distinct.size == 1)
    }
  }

  test("kept values of many bytes: a task sends them in several blocks") {
    val edges = edgesOf((0 until 200).map(i => (i, i + 1, i.toLong)): _*)
      .selectExpr("*", "repeat(chr(65 + src % 26), 50000) AS note").coalesce(1)
    val rows = edges.bicPaths(answersOf((0, 1000, 150, 10)), keep = Seq("note"))
      .selectExpr("inline(path)").where("length(note) = 50000 AND left(note, 1) = chr(65 + src % 26)")
    assert(rows.count() == 140)
  }

  test("answers are read twice, once for their windows") {
    val read = spark.sparkContext.longAccumulator
    val asked = answersOf((0, 10, 1, 2), (0, 20, 1, 3), (10, 20, 1, 2)).repartition(1)
    val counted =
      asked.mapPartitions((rows: Iterator[Row]) => rows.map { row => read.add(1); row })(asked.encoder)
    val found = edgesOf((1, 2, 5), (2, 3, 15)).bicPaths(counted).collect()
    assert(found.map(_.isNullAt(3)).sorted.toSeq == Seq(false, false, true))
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
      val rowsRead = scans.map(_.metrics("numOutputRows").value)
      assert(rowsRead == Seq(if (TestShims.filesTakeSubqueries) 1000 else 4000))
    }
  }

  test("what cannot be answered is refused with the value and the fix") {
    val edges = edgesOf((1, 2, 5))
    val asked = answersOf((0, 10, 1, 2))
    val streamed =
      stream.selectExpr("struct(time AS start, time AS end) AS window", "src AS source", "dst AS target")
    val strings = asked.withColumn("source", lit("a")).withColumn("target", lit("b"))
    val ofGraph = edges.withColumn("graph", lit(1))
    def keeping(more: DataFrame, keep: String*) = more.bicPaths(asked, keep = keep)
    "answers have no column 'window'…" refuses edges.bicPaths(asked.drop("window"))
    "answers have no column 'marked'; there are: window, vertex…" refuses
      edges.bicPaths(asked.select(col("window"), lit(1).as("vertex")))
    "answers have the columns source and target, and vertex and marked as well; drop the two…" refuses
      edges.bicPaths(asked.withColumn("vertex", lit(1)).withColumn("marked", lit(1)))
    "…but the vertices of the edges are integral…" refuses edges.bicPaths(strings)
    "…but the vertices of the edges are integral…" refuses
      edges.bicPaths(strings.toDF("window", "vertex", "marked"))
    "answers have a column 'path' already…" refuses edges.bicPaths(asked.withColumn("path", lit(1)))
    "…window must be STRUCT<start: TIMESTAMP, end: TIMESTAMP>…" refuses
      edges.bicPaths(asked.withColumn("window", lit(1)))
    "answers have no column 'graph' (given as by)…" refuses ofGraph.bicPaths(asked, by = Seq("graph"))
    "…or call in foreachBatch" refuses edges.bicPaths(streamed)
    "…edges is a streaming DataFrame…" refuses stream.bicPaths(asked)
    "edges have no column 'grape' (given as keep); there are: src, dst, time, graph; did you mean 'graph'?" refuses
      keeping(ofGraph, "grape")
    "column 'graph' is given twice in keep" refuses keeping(ofGraph, "graph", "GRAPH")
    "column 'time' is given as time and as keep, but the answers have it already; leave it out…" refuses
      keeping(edges, "time")
    "column 'SRC' of keep has the name of a field of path (src, dst, time); rename it" refuses
      edges.withColumnRenamed("src", "a").withColumn("SRC", lit(1)).bicPaths(asked, Seq("SRC"), src = "a")
    "column 'graph' is given as by and as keep…" refuses
      ofGraph.bicPaths(asked.withColumn("graph", lit(1)), Seq("graph"), by = Seq("graph"))
    "…to use more.graph, make it a column of its own first, as in withColumn(\"graph\", col(\"more.graph\"))" refuses
      keeping(ofGraph.selectExpr("*", "struct(graph) AS more"), "more.graph")
  }
}
