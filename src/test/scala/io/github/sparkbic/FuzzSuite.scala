package io.github.sparkbic

import scala.collection.compat._

import org.apache.spark.sql.{AnalysisException, DataFrame, QueryTest}
import org.apache.spark.sql.test.SharedSparkSession
import org.scalacheck.Gen
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

/** Arguments of any value: a call gives answers, or the error that its documentation names. */
class FuzzSuite extends QueryTest with SharedSparkSession with ScalaCheckPropertyChecks {
  import testImplicits._

  private def edges: DataFrame = Seq((1L, 2L, 0L)).toDF("src", "dst", "at").selectExpr(
    "src",
    "dst",
    "timestamp_seconds(at) AS time",
    "'eu' AS name",
    "array(1) AS tags",
    "map(1, 2) AS pairs",
    "7 AS `dotted.name`",
    "struct(src) AS nested",
    "at"
  )

  private val column = Gen.oneOf(
    Gen.oneOf(
      "src",
      "dst",
      "time",
      "name",
      "tags",
      "pairs",
      "dotted.name",
      "nested.src",
      "nested",
      "at",
      "SRC"
    ),
    Gen.oneOf("", "*", "`src`", "`", "a.b", "src ", "window", "\u0000", "source"),
    Gen.asciiPrintableStr.map(_.take(6))
  )

  private val duration = Gen.oneOf(
    Gen.oneOf(
      "1 hour",
      "90 seconds",
      "0 hours",
      "-1 day",
      "1 month",
      "1.5 seconds",
      "P1D",
      "1 hour 1",
      "hour"
    ),
    Gen.oneOf(
      "9223372036854775807 microseconds",
      "300000 years",
      "99999999999999 days",
      "1 nanosecond",
      "1 microsecond"
    ),
    Gen.asciiPrintableStr.map(_.take(8))
  )

  private lazy val queries: Gen[DataFrame] = Gen.oneOf(
    Seq((1L, 2L)).toDF("source", "target"),
    Seq(("1", "2")).toDF("source", "target"),
    Seq((1, 2L)).toDF("source", "target"),
    Seq((1L, 2L)).toDF("source", "source"),
    Seq((1L, 2L, "eu")).toDF("source", "target", "name"),
    Seq.empty[(Long, Long)].toDF("source", "target"),
    Seq((Option(1L), Option.empty[Long])).toDF("source", "target"),
    Seq(1.5).toDF("source"),
    spark.emptyDataFrame
  )

  private def usually[A](good: A, any: Gen[A]): Gen[A] = Gen.frequency(2 -> Gen.const(good), 1 -> any)

  private case class Call(
      window: String,
      slide: String,
      startTime: String,
      src: String,
      dst: String,
      time: String,
      by: List[String],
      index: String
  )

  private val call: Gen[Call] = for {
    window <- usually("1 hour", duration)
    slide <- usually("30 minutes", duration)
    startTime <- usually("0 seconds", duration)
    src <- usually("src", column)
    dst <- usually("dst", column)
    time <- usually("time", column)
    by <- usually(Nil, Gen.listOf(column).map(_.take(3)))
    index <- usually("bic", Gen.oneOf("auto", "recency", "BIC", "", "b tree"))
  } yield Call(window, slide, startTime, src, dst, time, by, index)

  /** The columns of the answers, or the text of the one error that is documented. */
  private def outcome(answers: => DataFrame): Either[String, Seq[String]] =
    try Right(answers.columns.toSeq)
    catch { case e: AnalysisException => Left(e.getMessage) }

  test("any arguments give answers or an AnalysisException with a text") {
    forAll(call, queries, Gen.prob(0.2), Gen.prob(0.2), minSuccessful(150)) { (call, queries, early, since) =>
      val found = outcome(edges.bicConnectivity(
        call.window,
        call.slide,
        queries,
        early = early,
        since = since,
        src = call.src,
        dst = call.dst,
        time = call.time,
        by = call.by,
        startTime = call.startTime,
        index = call.index
      ))
      val answers = Seq("source", "target", "connected") ++ Option.when(since)("since")
      assert(found.fold(_.nonEmpty, _.endsWith(answers)))
    }
  }

  test("any arguments give components and stats or an AnalysisException with a text") {
    forAll(call, Gen.chooseNum(Long.MinValue, Long.MaxValue), minSuccessful(100)) { (call, minSize) =>
      val components = outcome(edges.bicComponents(
        call.window,
        call.slide,
        minSize,
        updatesOnly = minSize % 2 == 0,
        stable = minSize % 3 == 0,
        call.src,
        call.dst,
        call.time,
        call.by,
        call.startTime,
        call.index
      ))
      val stats = outcome(
        edges.bicComponentStats(
          call.window,
          call.slide,
          by = call.by,
          startTime = call.startTime,
          index = call.index
        )
      )
      assert(components.fold(_.nonEmpty, _.contains("component")) && stats.fold(
        _.nonEmpty,
        _.contains("largest")
      ))
    }
  }
}
