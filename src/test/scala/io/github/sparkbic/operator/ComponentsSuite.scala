package io.github.sparkbic.operator

import org.apache.spark.sql.{AnalysisException, QueryTest, Row}
import org.apache.spark.sql.test.SharedSparkSession
import org.scalacheck.Gen
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic._
import io.github.sparkbic.index.{Oracle, Stream, Streams}
import io.github.sparkbic.index.Streams.{asDrawn, indexName, nameAsDrawn, shrinkStream}
import io.github.sparkbic.operator.EdgeFrames._

/** Components and their statistics of static DataFrames: the oracle's, whatever the index. */
class ComponentsSuite extends QueryTest with SharedSparkSession with ScalaCheckPropertyChecks {
  import testImplicits._

  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 8, sizeRange = 60)

  /** Start of the window, vertex, smallest vertex of its component. */
  private type Member = (Long, Long, Long)

  private def members(stream: Stream, minSize: Int): Seq[Member] =
    Oracle.windows(stream).flatMap { case (start, _, components) =>
      val sizes = components.values.groupBy(identity).map { case (c, all) => c -> all.size }
      components.collect { case (vertex, c) if sizes(c) >= minSize => (start, vertex, c) }
    }

  /** Start of the window, vertices, edges, components, largest. */
  private def stats(stream: Stream): Seq[(Long, Long, Long, Long, Long)] =
    Oracle.windows(stream).map { case (start, end, components) =>
      val sizes = components.values.groupBy(identity).values.map(_.size.toLong)
      val edges = stream.edges.count(e => e.time >= start && e.time < end)
      (start, components.size.toLong, edges.toLong, sizes.size.toLong, sizes.max)
    }

  private def startOf(row: Row): Long = row.getStruct(0).getTimestamp(0).toInstant.getEpochSecond

  private def membersOf(rows: Seq[Row]): Seq[Member] =
    rows.map(r => (startOf(r), r.getAs[Long]("vertex"), r.getAs[Long]("component")))

  private def statsOf(rows: Seq[Row]): Seq[(Long, Long, Long, Long, Long)] =
    rows.map(r => (startOf(r), r.getLong(1), r.getLong(2), r.getLong(3), r.getLong(4)))

  test("static: every vertex of every window with the smallest vertex of its component") {
    forAll(Streams.stream, indexName, Gen.choose(1, 3), Gen.choose(1, 3)) {
      (stream, index, minSize, partitions) =>
        val (window, slide, startTime) = panesInSeconds(stream)
        val edges = stream.edges.map(row(0, _)).toDF().repartition(partitions)
        val got =
          edges.bicComponents(window, slide, minSize = minSize.toLong, startTime = startTime, index = index)
        assert(membersOf(got.collect().toSeq).sorted == members(stream, minSize).sorted)
        val counted = edges.bicComponentStats(window, slide, startTime = startTime, index = index)
        assert(statsOf(counted.collect().toSeq).sorted == stats(stream).sorted)
    }
  }

  test("ids keep their type, and a component of strings is named by the smallest string") {
    Seq("tinyint", "smallint", "int", "bigint", "string").foreach { idType =>
      val edges = Seq((9, 10, 0), (10, 2, 1), (3, 3, 2)).toDF("u", "v", "at")
        .selectExpr(
          s"CAST(u AS $idType) AS src",
          s"CAST(v AS $idType) AS dst",
          "timestamp_seconds(at) AS time"
        )
      val got = edges.bicComponents("10 seconds", "10 seconds")
      assert(got.schema.fields.drop(1).map(_.dataType.catalogString).toSeq == Seq(idType, idType))
      val smallest = if (idType == "string") "10" else "2"
      // Arrays become rows in generated code, or without it.
      Seq("true", "false").foreach { wholeStage =>
        withSQLConf("spark.sql.codegen.wholeStage" -> wholeStage) {
          checkAnswer(
            got.selectExpr("string(vertex)", "string(component)"),
            Seq(Row("9", smallest), Row("10", smallest), Row("2", smallest), Row("3", "3"))
          )
        }
      }
    }
  }

  test("the number of components of each size, if asked for") {
    val edges = Seq((1, 2, 0), (3, 4, 0), (5, 5, 1), (5, 6, 1), (6, 7, 1)).toDF("src", "dst", "at")
      .selectExpr("src", "dst", "timestamp_seconds(at) AS time")
    val got =
      edges.bicComponentStats("1 second", sizes = true).selectExpr("unix_seconds(window.start)", "sizes")
    checkAnswer(got, Seq(Row(0, Seq(Row(2, 2))), Row(1, Seq(Row(3, 1)))))
  }

  test("by columns, and bad arguments") {
    val edges = Seq((1L, 2L, "x"), (1L, 3L, "y")).toDF("src", "dst", "k")
      .selectExpr("*", "timestamp_seconds(0) AS time", "1 AS largest")
    val got = edges.bicComponents("1 hour", "1 hour", by = Seq("k")).drop("window")
    checkAnswer(got, Seq(Row("x", 1, 1), Row("x", 2, 1), Row("y", 1, 1), Row("y", 3, 1)))
    checkAnswer(
      edges.bicComponentStats("1 hour", "1 hour", by = Seq("k")).drop("window"),
      Seq(Row("x", 2, 1, 1, 2), Row("y", 2, 1, 1, 2))
    )
    def refusal(call: => Any) = intercept[AnalysisException](call).getMessage
    assert(refusal(edges.bicComponents(
      "1 hour",
      "1 hour",
      minSize = 0
    )) == "min_size must be at least 1, but it is 0")
    assert(
      refusal(edges.bicComponentStats(
        "1 hour",
        "1 hour",
        by = Seq("largest")
      )) == "column 'largest' of by has the name " +
        "of a column of the answers (window, vertices, edges, components, largest); rename it"
    )
  }
}
