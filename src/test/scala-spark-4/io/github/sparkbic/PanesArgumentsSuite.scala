package io.github.sparkbic

import org.apache.spark.sql.{AnalysisException, DataFrame, QueryTest}
import org.apache.spark.sql.bic.TestShims.MemoryStream
import org.apache.spark.sql.streaming._
import org.apache.spark.sql.test.SharedSparkSession

import io.github.sparkbic.faults.FaultRun

/** Streams with a state by `transformWithState`, which the layout by panes is kept by, too. */
class PanesArgumentsSuite extends QueryTest with SharedSparkSession {
  import testImplicits._

  private val byPanes = FaultRun.settingsOfLayout("panes")

  private def asked: DataFrame = Seq((1L, 2L)).toDF("source", "target")

  private def refusal(call: => Any): String = intercept[AnalysisException](call).getMessage

  test("keys that the layout by panes cannot have") {
    val edges = MemoryStream[(Long, Long, Long)].toDF().toDF("src", "dst", "at")
      .selectExpr("src", "dst", "timestamp_seconds(at) AS time").withWatermark("time", "1 minute")
    withSQLConf(byPanes: _*) {
      Seq("array(src)", "named_struct('a', array(src))", "INTERVAL 1 HOUR", "INTERVAL 1 YEAR").foreach {
        key =>
          val text = refusal(edges.selectExpr("*", s"$key AS k").bicComponentStats("1 hour", by = Seq("k")))
          assert(
            text.contains("column 'k' (") && text.endsWith("or set spark.bic.stateLayout to 'value'"),
            key
          )
      }
      assert(
        edges.selectExpr(
          "*",
          "named_struct('a', src) AS k"
        ).bicComponentStats("1 hour", by = Seq("k")).isStreaming
      )
    }
  }

  test("the layout by panes in other modes: Spark refuses complete, and update gives the rows of append") {
    def start(mode: String) = {
      val stream = MemoryStream[(Long, Long, Long)]
      stream.addData((1L, 2L, 0L), (3L, 4L, 10000L))
      stream.toDF().toDF("src", "dst", "at").selectExpr("src", "dst", "timestamp_seconds(at) AS time")
        .withWatermark("time", "1 minute").bicConnectivity("1 hour", "1 hour", asked)
        .writeStream.format("memory").queryName(mode).outputMode(mode).start()
    }
    withSQLConf(byPanes: _*) {
      assert(refusal(start("complete")).contains("Invalid streaming output mode: complete"))
      val rows = Seq("append", "update").map { mode =>
        val query = start(mode)
        try query.processAllAvailable()
        finally query.stop()
        spark.table(mode).collect().toSeq
      }
      assert(rows.head.nonEmpty && rows.head == rows.last)
    }
  }

  test("a stream that comes from transformWithState") {
    val grouped = MemoryStream[(Long, Long, Long)].toDS().groupByKey(_._1)
    withSQLConf(byPanes: _*) {
      val processed = grouped.transformWithState(new PassOn, TimeMode.EventTime(), OutputMode.Append)
      val edges = processed.toDF("src", "dst", "at").selectExpr("src", "dst", "timestamp_seconds(at) AS time")
      val text = refusal(edges.withWatermark("time", "1 minute").bicConnectivity("1 hour", "1 hour", asked))
      assert(text.startsWith("edges come from transformWithState, whose rows come out once"))
    }
  }
}

private final class PassOn extends StatefulProcessor[Long, (Long, Long, Long), (Long, Long, Long)] {
  override def init(outputMode: OutputMode, timeMode: TimeMode): Unit = ()

  override def handleInputRows(
      key: Long,
      rows: Iterator[(Long, Long, Long)],
      timers: TimerValues
  ): Iterator[(Long, Long, Long)] = rows
}
