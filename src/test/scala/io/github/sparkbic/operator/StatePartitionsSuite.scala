package io.github.sparkbic.operator

import org.apache.logging.log4j.Level
import org.apache.spark.sql.{DataFrame, QueryTest}
import org.apache.spark.sql.bic.TestShims
import org.apache.spark.sql.bic.TestShims.MemoryStream
import org.apache.spark.sql.functions.spark_partition_id
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.test.SharedSparkSession

import io.github.sparkbic._
import io.github.sparkbic.faults.FaultRun
import io.github.sparkbic.operator.EdgeFrames._

class StatePartitionsSuite extends QueryTest with SharedSparkSession {
  import testImplicits._

  /** What is logged when the query is made, with so many partitions. */
  private def logged(partitions: Int, edges: DataFrame, by: Seq[String] = Nil): Seq[String] = {
    val appender = new LogAppender("the log of a query in the making")
    withSQLConf(SQLConf.SHUFFLE_PARTITIONS.key -> partitions.toString) {
      withLogAppender(appender, loggerNames = Seq(Parallelism.LoggerName), level = Some(Level.WARN)) {
        edges.bicConnectivity("10 seconds", "5 seconds", pairs(spark, Seq((1L, 2L))), by = by)
      }
    }
    appender.loggingEvents.map(_.getMessage.getFormattedMessage).toSeq
  }

  test("a stream of one graph over many partitions of state is warned of, and nothing else is") {
    val stream = MemoryStream[EdgeRow].toDF().withWatermark("time", "0 seconds")
    assert(logged(200, stream) == Seq(
      "a stream without `by` is one graph, which fills one of the 200 partitions of its state; each of the others costs " +
        "time in every micro-batch. Set spark.sql.shuffle.partitions to 1 before the query is first started"
    ))
    assert(logged(10, stream).isEmpty)
    assert(logged(200, stream, by = Seq("graph")).isEmpty)
    assert(logged(200, Seq(EdgeRow(0, 1, 2, timestamp(1))).toDF()).isEmpty)
  }

  FaultRun.layouts.foreach { layout =>
    test(
      s"$layout: many small graphs of a stream are over all partitions, though adaptive execution merges partitions"
    ) {
      val settings = FaultRun.settingsOfLayout(layout) :+ SQLConf.SHUFFLE_PARTITIONS.key -> "3"
      withSQLConf(settings :+ SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> "true": _*) {
        val input = TestShims.memoryStream[EdgeRow](spark)
        val answers =
          input.toDF().withWatermark("time", "0 seconds").bicComponentStats("10 seconds", by = Seq("graph"))
        val query = answers.withColumn(
          "task",
          spark_partition_id()
        ).writeStream.format("memory").queryName(layout).start()
        try {
          input.addData((0 until 100).map(graph => EdgeRow(graph, 1, 2, timestamp(1))))
          input.addData(EdgeRow(0, 1, 2, timestamp(100)))
          query.processAllAvailable()
          assert(spark.table(layout).select("task").distinct().count() == 3)
        } finally query.stop()
      }
    }
  }
}
