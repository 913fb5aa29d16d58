package io.github.sparkbic.operator.forests

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.bic.PatientStreamTest
import org.apache.spark.sql.bic.TestShims.MemoryStream

import io.github.sparkbic.index.Stream
import io.github.sparkbic.operator.EdgeFrames._
import io.github.sparkbic.operator.EdgeRow

/** Runs a test stream in two halves, with a restart between them if asked, and to the end of all its windows. */
trait Flushed extends PatientStreamTest {
  import testImplicits._

  def flushed(
      stream: Stream,
      restart: Boolean
  )(ask: DataFrame => DataFrame)(check: Seq[Row] => Unit): Unit = {
    val input = MemoryStream[EdgeRow]
    val result = ask(input.toDF().withWatermark("time", "0 seconds"))
    val (first, second) = stream.fromZero.edges.map(row(0, _)).splitAt(stream.edges.size / 2)
    testStream(result)(
      Seq(AddData(input, first: _*), ProcessAllAvailable()) ++
        (if (restart) Seq(StopStream, StartStream()) else Nil) ++
        Seq(
          AddData(input, second: _*),
          ProcessAllAvailable(),
          AddData(input, EdgeRow(0, 0, 0, timestamp(Flushed.End))),
          ProcessAllAvailable(),
          CheckAnswerRowsByFunc(check, lastOnly = false)
        ): _*
    )
  }
}

object Flushed {

  /** The time, in seconds, of the one edge that moves the watermark past all others. */
  val End: Long = 100000000L
}
