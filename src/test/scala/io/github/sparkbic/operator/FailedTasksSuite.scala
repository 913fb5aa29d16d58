package io.github.sparkbic.operator

import org.apache.spark.sql.{DataFrame, Encoders}
import org.apache.spark.sql.bic.RetryingStreamTest
import org.apache.spark.sql.bic.TestShims.MemoryStream

import io.github.sparkbic._
import io.github.sparkbic.faults.{FaultRun, PlannedFault}
import io.github.sparkbic.operator.EdgeFrames._

/** Graphs that an executor keeps alive from micro-batch to micro-batch, also where real tasks fail in the middle of their
  * answers, or after the state was saved. That the rows are right then is for `FaultSuite` and the simulator.
  */
class FailedTasksSuite extends RetryingStreamTest {
  import PlannedFault.{failed, failing}
  import testImplicits._

  private def tenSeconds(input: MemoryStream[EdgeRow]): DataFrame = {
    val answers = input.toDF().withWatermark("time", "0 seconds")
      .bicConnectivity("10 seconds", "5 seconds", pairs(spark, Seq((1L, 3L))))
    failing(answers)(Encoders.row(answers.schema))
  }

  FaultRun.layouts.foreach { layout =>
    test(s"$layout: a graph stays alive from one micro-batch to the next, but not over a failed attempt") {
      withSQLConf(FaultRun.settingsOfLayout(layout): _*)(staysAlive())
    }
  }

  private def staysAlive(): Unit = {
    val input = MemoryStream[EdgeRow]
    def add(second: Long, fault: Option[Int] = None) = Execute(_ => PlannedFault.plan = fault.map(_ -> 1)) +:
      come(input, EdgeRow(0, 1, 2, timestamp(second)), EdgeRow(0, 2, 3, timestamp(second)))
    def restoredSoFar(wanted: Long) =
      AssertOnQuery(query => { assert(restored(query).sum == wanted); true }, s"$wanted restored")
    val failedBefore = failed.get
    val actions = add(1) ++ add(6) ++ add(11) ++ Seq(restoredSoFar(0)) ++
      // The first attempt fails after its first row, and the one of the next micro-batch when all is saved.
      add(26, Some(0)) ++ add(31, Some(1000)) ++ Seq(restoredSoFar(4)) ++
      add(36) ++ Seq(restoredSoFar(4)) ++
      Seq(StopStream, StartStream()) ++ add(41) ++ add(46) ++ Seq(restoredSoFar(1))
    testStream(tenSeconds(input))(actions: _*)
    assert(failed.get - failedBefore == 4)
  }

  test("a graph with less state than the least that is kept is read in every micro-batch") {
    val input = MemoryStream[EdgeRow]
    withSQLConf(Settings.CacheMinBytes -> "4k") {
      PlannedFault.plan = None
      val actions = Seq(1L, 6L, 11L).flatMap(second => come(input, EdgeRow(0, 1, 2, timestamp(second))))
      val isRead = AssertOnQuery { query =>
        val read = restored(query)
        read.head == 0 && read.tail.nonEmpty && read.tail.forall(_ == 1)
      }
      testStream(tenSeconds(input))(actions :+ isRead: _*)
    }
  }

  test("two queries made of one DataFrame do not see each other's graphs") {
    withTempDir { directory =>
      def write(name: String, edges: EdgeRow*): Unit =
        edges.toDF().coalesce(1).write.parquet(s"$directory/$name")
      write("1", EdgeRow(0, 1, 2, timestamp(1)))
      PlannedFault.plan = None
      val result = spark.readStream.schema(Encoders.product[EdgeRow].schema).parquet(s"$directory/*")
        .withWatermark("time", "0 seconds")
        .bicConnectivity("10 seconds", "5 seconds", pairs(spark, Seq((1L, 3L))))
      def start(name: String) = result.writeStream.format("memory").queryName(name).start()
      val first = start("first")
      try {
        first.processAllAvailable()
        write("2", EdgeRow(0, 2, 3, timestamp(6)), EdgeRow(0, 1, 2, timestamp(7)))
        // It gets both at once.
        val second = start("second")
        try {
          Seq(first, second).foreach(_.processAllAvailable())
          write("3", EdgeRow(0, 4, 5, timestamp(30)))
          Seq(first, second).foreach(_.processAllAvailable())
          val wanted = Seq(-5L, 0L, 5L).map(start => (0, start, start + 10, 1L, 3L, start >= 0))
          Seq("first", "second").foreach { name =>
            assert(answers(spark.table(name).collect().toSeq).sorted == wanted)
          }
          Seq(first, second).foreach(query => assert(restored(query).sum == 0))
        } finally second.stop()
      } finally first.stop()
    }
  }
}
