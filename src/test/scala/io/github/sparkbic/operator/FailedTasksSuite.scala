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
      withSQLConf(FaultRun.settingsOfLayout(layout): _*)(staysAlive(MemoryStream[EdgeRow]))
    }
  }

  private def staysAlive(input: MemoryStream[EdgeRow]): Unit = {
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
}
