package org.apache.spark.sql.bic

import org.apache.spark.sql.QueryTest
import org.apache.spark.sql.execution.streaming.sources.LowLatencyMemoryStream
import org.apache.spark.sql.streaming.{StreamingQueryException, Trigger}
import org.apache.spark.sql.test.SharedSparkSession

import io.github.sparkbic._
import io.github.sparkbic.faults.FaultRun

/** Real-time mode, which Spark has from 4.1 on. */
class RealTimeSuite extends QueryTest with SharedSparkSession {
  import testImplicits._

  test("real-time mode is refused by name") {
    withSQLConf(FaultRun.settingsOfLayout("panes"): _*) {
      val input = LowLatencyMemoryStream.singlePartition[(Long, Long, Long)]
      val edges =
        input.toDF().toDF("src", "dst", "at").selectExpr("src", "dst", "timestamp_seconds(at) AS time")
          .withWatermark("time", "1 minute")
      val answers =
        edges.bicConnectivity("1 hour", "1 hour", Seq((1L, 2L)).toDF("source", "target"), early = true)
      withTempDir { checkpoint =>
        val query = answers.writeStream.format("console").outputMode("update")
          .option("checkpointLocation", checkpoint.getPath).trigger(Trigger.RealTime("5 minutes")).start()
        try {
          val failure = intercept[StreamingQueryException](query.processAllAvailable())
          assert(failure.getCause.getMessage ==
            "windows of a stream cannot be answered in real-time mode; use Trigger.ProcessingTime(0), " +
            "with early where alerts are urgent")
        } finally query.stop()
      }
    }
  }
}
