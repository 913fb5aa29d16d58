package io.github.sparkbic.operator

import org.apache.spark.sql.{AnalysisException, DataFrame, QueryTest, Row}
import org.apache.spark.sql.test.SharedSparkSession
import org.scalacheck.Gen
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic._
import io.github.sparkbic.index.{Stream, Streams}
import io.github.sparkbic.index.Streams.{asDrawn, shrinkStream}
import io.github.sparkbic.operator.EdgeFrames._

/** Windows of several lengths over one index: the rows of each length asked alone, together. */
class SeveralWindowsSuite extends QueryTest with SharedSparkSession with ScalaCheckPropertyChecks {
  import testImplicits._

  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 6, sizeRange = 60)

  /** How much longer than the slide the other windows are, no multiples of it as a rule. */
  private val extras = Gen.zip(Gen.choose(0, 30), Gen.choose(31, 50))

  private def lengths(stream: Stream, extras: (Int, Int)): Seq[Long] =
    Seq(stream.panes.window, stream.panes.slide + extras._1, stream.panes.slide + extras._2).distinct

  private def each(stream: Stream, lengths: Seq[Long], pairs: Seq[(Long, Long)]): Seq[Answer] =
    lengths.flatMap(length => expected(0, stream.copy(panes = stream.panes.copy(window = length)), pairs))

  private def ask(edges: DataFrame, stream: Stream, lengths: Seq[Long], pairs: DataFrame): DataFrame = {
    val (_, slide, startTime) = panesInSeconds(stream)
    edges.bicConnectivity(lengths.map(seconds), slide, pairs, startTime = startTime, index = "recency")
  }

  test("static: every window of every length") {
    forAll(Streams.stream, extras) { (stream, extras) =>
      val pairs = askedPairs(stream)
      val edges = stream.edges.map(row(0, _)).toDF().repartition(2)
      val got = ask(edges, stream, lengths(stream, extras), EdgeFrames.pairs(spark, pairs)).collect().toSeq
      assert(answers(got).sorted == each(stream, lengths(stream, extras), pairs).sorted)
    }
  }

  test("statistics of each length count its own edges, once each") {
    val edges = (0 until 10).map(i => (i, i + 1, i)).toDF("src", "dst", "at")
      .selectExpr("src", "dst", "timestamp_seconds(at) AS time")
    val got = edges.bicComponentStats(Seq("2 seconds", "5 seconds"), "1 second", index = "recency")
      .selectExpr(
        "unix_seconds(window.start) AS s",
        "unix_seconds(window.end) - unix_seconds(window.start)",
        "edges"
      )
    def held(start: Int, length: Int) = (start until start + length).count(t => t >= 0 && t < 10)
    checkAnswer(
      got,
      for (length <- Seq(2, 5); start <- 1 - length until 10) yield Row(start, length, held(start, length))
    )
  }

  test("what several windows need is asked for") {
    val edges = Seq((1, 2)).toDF("src", "dst").selectExpr("src", "dst", "timestamp_seconds(0) AS time")
    def refusal(windows: Seq[String], slide: String, index: String = "recency") =
      intercept[AnalysisException](edges.bicComponents(windows, slide, index = index)).getMessage
    assert(refusal(Nil, "1 hour") == "window is an empty list; give at least one duration, such as '1 hour'")
    assert(
      refusal(Seq("1 hour", "1 day"), null) ==
        "windows of several lengths (1 hour, 1 day) share one slide; give it, such as slide '1 hour'"
    )
    assert(
      refusal(Seq("1 day", "24 hours"), "1 hour") ==
        "window '24 hours' is given twice; each length of window is answered once"
    )
    assert(refusal(
      Seq("1 day", "1 hour"),
      "2 hours"
    ).startsWith("slide '2 hours' is longer than window '1 hour'"))
    assert(
      refusal(
        Seq("1 day", "1 hour"),
        "1 hour",
        "bic"
      ) == "windows of several lengths need the index 'recency', but index is 'bic'; " +
        "give index 'auto' or 'recency'"
    )
  }
}
