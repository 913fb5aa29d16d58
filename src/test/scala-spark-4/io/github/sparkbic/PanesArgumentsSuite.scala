package io.github.sparkbic

import org.apache.spark.sql.QueryTest
import org.apache.spark.sql.bic.TestShims.MemoryStream
import org.apache.spark.sql.streaming._
import org.apache.spark.sql.test.SharedSparkSession

import io.github.sparkbic.faults.FaultRun

/** Streams with a state by `transformWithState`, which the layout by panes is kept by, too. */
class PanesArgumentsSuite extends QueryTest with SharedSparkSession with Refusals {
  import testImplicits._

  private val byPanes = FaultRun.settingsOfLayout("panes")

  test("keys that the layout by panes cannot have, and no RocksDB") {
    withSQLConf(byPanes: _*) {
      def by(key: String) = inTime.selectExpr("*", s"$key AS k").bicComponentStats("1 hour", by = Seq("k"))
      Seq("array(src)", "named_struct('a', array(src))", "INTERVAL 1 HOUR", "INTERVAL 1 YEAR").foreach { key =>
        "column 'k' (… or set spark.bic.stateLayout to 'value'" refuses by(key)
      }
      assert(by("named_struct('a', src)").isStreaming)
    }
    val (conf, hdfs) = FaultRun.settingsOf("hdfs").find(_._1.endsWith("providerClass")).get
    withSQLConf(byPanes :+ conf -> hdfs: _*) {
      s"spark.bic.stateLayout 'panes' needs RocksDB, but $conf is $hdfs; set it to …RocksDBStateStoreProvider" refuses
        inTime.bicComponents("1 hour")
    }
  }

  test("the layout by panes in other modes: Spark refuses complete, and update gives the rows of append") {
    def start(mode: String) = {
      val input = MemoryStream[(Long, Long, Long)]
      input.addData((1L, 2L, 0L), (3L, 4L, 10000L))
      timed(input.toDF()).withWatermark("time", "1 minute").bicConnectivity("1 hour", "1 hour", pair)
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
      "edges come from transformWithState, whose rows come out once…" refuses
        timed(processed.toDF()).withWatermark("time", "1 minute").bicComponents("1 hour")
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
