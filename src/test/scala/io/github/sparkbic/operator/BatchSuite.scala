package io.github.sparkbic.operator

import org.apache.spark.sql.{Observation, QueryTest, Row}
import org.apache.spark.sql.functions.{col, lit}
import org.apache.spark.sql.test.SharedSparkSession
import org.scalacheck.Gen
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic._
import io.github.sparkbic.index.{Indexes, Oracle, Streams, TimedEdge}
import io.github.sparkbic.index.Streams.{asDrawn, indexName, nameAsDrawn, shrinkStream}
import io.github.sparkbic.operator.EdgeFrames._
import io.github.sparkbic.operator.block.Names
import io.github.sparkbic.operator.block.Names.nameOf
import io.github.sparkbic.operator.state.Counters

/** Static DataFrames: the operator's answers are the oracle's, row by row. */
class BatchSuite extends QueryTest with SharedSparkSession with ScalaCheckPropertyChecks {
  import testImplicits._

  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 4, sizeRange = 60)

  test("string ids, many of them nearly the same: components, each named by the smallest in bytes") {
    forAll(Streams.stream, indexName, Gen.choose(1, 3), Gen.oneOf(true, false)) {
      (stream, index, partitions, shuffles) =>
        val (window, slide, startTime) = panesInSeconds(stream)
        val ordered = if (shuffles) new scala.util.Random(7).shuffle(stream.edges) else stream.edges
        val edges = ordered.map(e => (nameOf(e.src), nameOf(e.dst), timestamp(e.time)))
          .toDF("src", "dst", "time").repartition(partitions)
        val got =
          edges.bicComponents(window, slide, startTime = startTime, index = index).collect().map { row =>
            val start = row.getStruct(0).getTimestamp(0).toInstant.getEpochSecond
            (start, row.getAs[String]("vertex"), row.getAs[String]("component"))
          }
        val wanted = Oracle.windows(stream).flatMap { case (start, _, components) =>
          components.keys.groupBy(components).values.flatMap { vertices =>
            val names = vertices.map(nameOf).toSeq
            val smallest = names.min(Names.byBytes)
            names.map((start, _, smallest))
          }
        }
        assert(got.sorted.toSeq == wanted.sorted)
    }
  }

  test("a Dataset of objects is asked as its DataFrame is") {
    val edges = Seq(TimedEdge(0, 1, 2), TimedEdge(1, 2, 3)).map(row(7, _)).toDS()
    val asked = Seq((1L, 3L), (1L, 4L))
    val got = edges.bicConnectivity("10 seconds", null, pairs(spark, asked), by = Seq("graph"))
    assert(answers(got.collect().toSeq).sorted == Seq(
      (7, 0L, 10L, 1L, 3L, true),
      (7, 0L, 10L, 1L, 4L, false)
    ))
  }

  private val sample = Seq((1L, 2L, 0L), (2L, 3L, 1L), (7L, 7L, 1L), (4L, 5L, 100L))

  private def sampleEdges =
    sample.toDF("src", "dst", "at").select(col("src"), col("dst"), col("at").cast("timestamp").as("time"))

  test("each graph can have pairs of its own, and one without any gives no row") {
    val edges = sampleEdges.withColumn("graph", col("src").mod(lit(2)).cast("int"))
    val queries = Seq((1, 1L, 2L), (1, 1L, 3L)).toDF("graph", "source", "target")
    val got = edges.bicConnectivity("10 seconds", "10 seconds", queries, by = Seq("graph"))
    assert(answers(got.collect().toSeq).sorted == Seq(
      (1, 0L, 10L, 1L, 2L, true),
      (1, 0L, 10L, 1L, 3L, false)
    ))
  }

  test("a pair asked twice is answered twice, and a vertex with only a self-loop is connected to itself") {
    val got = sampleEdges.bicConnectivity("10 seconds", "10 seconds", Seq((7L, 7L), (7L, 7L), (8L, 8L)))
    checkAnswer(
      got.where("window.start = timestamp_seconds(0)").select("source", "target", "connected"),
      Seq(Row(7, 7, true), Row(7, 7, true), Row(8, 8, false))
    )
  }

  test("rows with a null endpoint or time are dropped and counted") {
    val edges = Seq[(Option[Long], Option[Long], Option[Long])](
      (Some(1), Some(2), Some(0)),
      (None, Some(2), Some(0)),
      (Some(1), None, Some(0)),
      (Some(2), Some(3), None)
    ).toDF("src", "dst", "at").select(col("src"), col("dst"), col("at").cast("timestamp").as("time"))
    val observation = Observation("counted")
    val got = edges.bicConnectivity(
      "10 seconds",
      "10 seconds",
      pairs(spark, Seq((1L, 2L), (2L, 3L))),
      observation = Some(observation)
    )
    checkAnswer(got.select("source", "target", "connected"), Seq(Row(1, 2, true), Row(2, 3, false)))
    assert(Counters.OfBatch.map(observation.get(_)) == Seq(1L, 0L, 3L, 1L))
  }

  for {
    (idType, timeType) <- Seq("tinyint", "smallint", "int", "bigint", "string")
      .zip(Seq("timestamp_ntz", "timestamp", "timestamp_ntz", "timestamp", "timestamp_ntz"))
  } test(s"vertex ids of type $idType, times of type $timeType, and columns of other names") {
    val edges = sampleEdges.selectExpr(
      s"cast(src AS $idType) AS `a b`",
      s"cast(dst AS $idType) AS to",
      s"cast(time AS $timeType) AS window",
      "1 AS k"
    )
    val queries = Seq((1, 3), (1, 4), (7, 7)).toDF("s", "t")
      .selectExpr(s"cast(s AS $idType) AS source", s"cast(t AS $idType) AS target")
    val got = edges.bicConnectivity(
      "10 seconds",
      "5 seconds",
      queries,
      src = "a b",
      dst = "to",
      time = "window",
      by = Seq("k")
    )
    assert(got.schema("window").dataType.catalogString == s"struct<start:$timeType,end:$timeType>")
    assert(got.schema("source").dataType.catalogString == idType)
    checkAnswer(
      got.where("window.start = timestamp_seconds(0)")
        .selectExpr("k", "string(source)", "string(target)", "connected"),
      Seq(Row(1, "1", "3", true), Row(1, "1", "4", false), Row(1, "7", "7", true))
    )
  }

  test("constant columns, which Spark folds into literals, and an empty input") {
    val constant =
      spark.range(3).select(lit(1L).as("src"), lit(2L).as("dst"), lit(0L).cast("timestamp").as("time"))
    checkAnswer(
      constant.bicConnectivity("1 second", "1 second", Seq((1L, 2L))).select("source", "target", "connected"),
      Row(1, 2, true)
    )
    checkAnswer(constant.limit(0).bicConnectivity("1 second", "1 second", Seq((1L, 2L))), Nil)
  }

  test("two operators in one query, with different windows") {
    val short = sampleEdges.bicConnectivity("1 second", "1 second", Seq((1L, 3L)))
    val long = sampleEdges.bicConnectivity("10 seconds", "10 seconds", Seq((1L, 3L)))
    checkAnswer(
      short.union(long).where("connected").selectExpr("window.end - window.start = INTERVAL 10 SECONDS"),
      Row(true)
    )
  }

  test(
    "panes of one microsecond: an edge at an end of time is refused with its time, and never taken for a null"
  ) {
    val asked = pairs(spark, Seq((1L, 2L)))
    val ends = Seq(Long.MinValue, Long.MinValue + 2, Long.MaxValue - 2, Long.MaxValue)
    // What refuses the edge knows of no index.
    ends.zip(Indexes.names ++ Indexes.names).foreach { case (micros, index) =>
      val edges = Seq((1L, 2L, micros), (1L, 2L, 0L)).toDF("src", "dst", "t")
        .selectExpr("src", "dst", "timestamp_micros(t) AS time")
      val answers = edges.bicConnectivity("2 microseconds", "1 microsecond", asked, index = index)
      val message = causes(intercept[Exception](answers.collect())).map(_.getMessage).mkString
      assert(message.contains(s"($micros µs) is too close to the end of time") && message.contains(
        "whole numbers of 2 µs"
      ))
      val wider = edges.bicConnectivity("4 microseconds", "2 microseconds", asked, index = index)
      checkAnswer(wider.selectExpr("count_if(connected)"), Row(4))
    }
  }

  private def causes(error: Throwable): Seq[Throwable] =
    Iterator.iterate(error)(_.getCause).takeWhile(_ != null).toSeq
}
