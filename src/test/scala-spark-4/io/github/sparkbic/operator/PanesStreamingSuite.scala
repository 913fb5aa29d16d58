package io.github.sparkbic.operator

import org.apache.logging.log4j.Level
import org.apache.spark.SparkConf
import org.apache.spark.sql.bic.PatientStreamTest
import org.apache.spark.sql.bic.TestShims.{MemoryStream, TimerStateImpl}

import io.github.sparkbic._
import io.github.sparkbic.faults.FaultRun
import io.github.sparkbic.operator.EdgeFrames._

/** What streams with the layout by panes have of their own. */
class PanesStreamingSuite extends PatientStreamTest {
  import testImplicits._

  override protected def sparkConf: SparkConf = super.sparkConf.setAll(FaultRun.settingsOfLayout("panes"))

  test("a graph has one timer: Spark calls once, deletes that by itself, and has nothing to warn of") {
    val input = MemoryStream[EdgeRow]
    val result = input.toDF().withWatermark("time", "0 seconds")
      .bicConnectivity("10 seconds", "5 seconds", pairs(spark, Seq((1L, 2L))), by = Seq("graph"))
    val appender = new LogAppender("timers")
    withSQLConf("spark.sql.streaming.noDataMicroBatches.enabled" -> "false") {
      withLogAppender(
        appender,
        loggerNames = Seq(classOf[TimerStateImpl].getName),
        level = Some(Level.WARN)
      ) {
        // When Spark calls for both graphs, one of them has got edges as well.
        val later = Seq(7L, 27L, 28L).flatMap(second => come(input, EdgeRow(1, 1, 2, timestamp(second))))
        val first = AddData(input, EdgeRow(0, 1, 2, timestamp(3)), EdgeRow(1, 1, 2, timestamp(3)))
        val all = CheckAnswerRowsByFunc(rows => assert(answers(rows).size == 2 + 3), lastOnly = false)
        val once = AssertOnQuery { query =>
          Observed.of(query).map(_.getAs[Long]("graphs")) == Seq(2, 1, 2, 2)
        }
        testStream(result)(first +: ProcessAllAvailable() +: later :+ all :+ once: _*)
      }
    }
    assert(appender.loggingEvents.map(_.getMessage.getFormattedMessage).isEmpty)
  }
}
