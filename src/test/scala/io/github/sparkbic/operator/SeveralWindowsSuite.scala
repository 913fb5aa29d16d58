package io.github.sparkbic.operator

import org.apache.spark.sql.{AnalysisException, QueryTest, Row}
import org.apache.spark.sql.test.SharedSparkSession

import io.github.sparkbic._

/** Windows of several lengths over one index. */
class SeveralWindowsSuite extends QueryTest with SharedSparkSession {
  import testImplicits._

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
