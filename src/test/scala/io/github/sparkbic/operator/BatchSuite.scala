package io.github.sparkbic.operator

import org.apache.spark.sql.{QueryTest, Row}
import org.apache.spark.sql.functions.lit
import org.apache.spark.sql.test.SharedSparkSession

import io.github.sparkbic._
import io.github.sparkbic.index.{Indexes, TimedEdge}
import io.github.sparkbic.operator.EdgeFrames._

/** Static DataFrames of odd forms; `BatchLawSuite` has the law. */
class BatchSuite extends QueryTest with SharedSparkSession with Refusals {
  import testImplicits._

  test("a Dataset of objects is asked as its DataFrame is") {
    val edges = Seq(TimedEdge(0, 1, 2), TimedEdge(1, 2, 3)).map(row(7, _)).toDS()
    val asked = Seq((1L, 3L), (1L, 4L))
    val got = edges.bicConnectivity("10 seconds", null, pairs(spark, asked), by = Seq("graph"))
    assert(answers(got.collect().toSeq).sorted == Seq(
      (7, 0L, 10L, 1L, 3L, true),
      (7, 0L, 10L, 1L, 4L, false)
    ))
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

  test(
    "panes of one microsecond: an edge at an end of time is refused with its time, and never taken for a null"
  ) {
    val asked = pairs(spark, Seq((1L, 2L)))
    def edges(micros: Long) = Seq((1L, 2L, micros), (1L, 2L, 0L)).toDF("src", "dst", "t")
      .selectExpr("src", "dst", "timestamp_micros(t) AS time")
    val ends = Seq(Long.MinValue, Long.MinValue + 2, Long.MaxValue - 2, Long.MaxValue)
    ends.foreach { micros =>
      val answers = edges(micros).bicConnectivity("2 microseconds", "1 microsecond", asked)
      val message = reasons(intercept[Exception](answers.collect()))
      assert(message.contains(s"($micros µs) is too close to the end of time") && message.contains(
        "whole numbers of 2 µs"
      ))
    }
    for ((micros, index) <- Seq(ends.head, ends.last).zip(Indexes.names)) {
      val wider = edges(micros).bicConnectivity("4 microseconds", "2 microseconds", asked, index = index)
      checkAnswer(wider.selectExpr("count_if(connected)"), Row(4))
    }
  }
}
