package io.github.sparkbic.operator

import scala.jdk.CollectionConverters._

import org.apache.spark.{SparkConf, SparkContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.Row
import org.apache.spark.sql.bic.PatientStreamTest
import org.apache.spark.sql.bic.TestShims.MemoryStream
import org.apache.spark.sql.streaming.StreamingQuery

import io.github.sparkbic._
import io.github.sparkbic.operator.EdgeFrames._

/** Graphs that stay alive between micro-batches, in an executor whose memory manager has 60 MiB. */
class GraphMemorySuite extends PatientStreamTest {
  import GraphMemorySuite._
  import testImplicits._

  override protected def sparkConf: SparkConf =
    super.sparkConf.set("spark.testing.memory", (100 * MiB).toString).set("spark.testing.reservedMemory", "0")

  private def restored(query: StreamingQuery): Long =
    query.recentProgress.toSeq.flatMap(_.observedMetrics.values.asScala).collect {
      case row: Row if !row.isNullAt(0) => row.getAs[Long]("restored_graphs")
    }.sum

  test(
    "graphs make room for a cached table: they are restored from the state, with the same answers, until it is gone"
  ) {
    val input = MemoryStream[EdgeRow]
    val result = input.toDF().withWatermark("time", "0 seconds")
      .bicConnectivity("10 seconds", "5 seconds", pairs(spark, Seq((1L, 3L))))
      .select($"window.end", $"connected")
    def add(second: Long) = Seq(
      AddData(input, EdgeRow(0, second, second + 1, timestamp(second))),
      ProcessAllAvailable()
    )
    def restoredSoFar(wanted: Long) =
      AssertOnQuery(query => { assert(restored(query) == wanted); true }, s"$wanted restored")
    var table: RDD[Array[Byte]] = null
    val fill = Execute { _ =>
      table = mostMemory(spark.sparkContext).persist()
      table.count(): Unit
    }
    val actions = add(1) ++ add(2) ++ add(6) ++ Seq(restoredSoFar(0), fill) ++
      // A window that ends takes a micro-batch of its own.
      add(7) ++ Seq(restoredSoFar(1)) ++ add(11) ++ add(12) ++ Seq(restoredSoFar(4)) ++
      Seq(Execute(_ => table.unpersist(blocking = true): Unit)) ++
      add(16) ++ add(17) ++ add(21) ++ Seq(restoredSoFar(5))
    testStream(result)(actions ++ Seq(CheckAnswer(
      (timestamp(5), true),
      (timestamp(10), true),
      (timestamp(15), false),
      (timestamp(20), false)
    )): _*)
  }
}

object GraphMemorySuite {
  private val MiB = 1L << 20

  private def mostMemory(spark: SparkContext): RDD[Array[Byte]] =
    spark.range(0, 57, 1, 57).map(_ => new Array[Byte](MiB.toInt))
}
