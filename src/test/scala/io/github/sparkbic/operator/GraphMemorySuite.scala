package io.github.sparkbic.operator

import org.apache.spark.SparkConf
import org.apache.spark.sql.bic.PatientStreamTest
import org.apache.spark.sql.bic.TestShims.MemoryStream

import io.github.sparkbic._
import io.github.sparkbic.operator.EdgeFrames._

/** Graphs that stay alive between micro-batches, in an executor whose memory manager has 60 MiB. */
class GraphMemorySuite extends PatientStreamTest {
  import testImplicits._

  override protected def sparkConf: SparkConf =
    super.sparkConf.set("spark.testing.memory", (100 << 20).toString).set("spark.testing.reservedMemory", "0")

  test("graphs make room for a cached table: they are restored, with the same answers, until it is gone") {
    val input = MemoryStream[EdgeRow]
    val result = input.toDF().withWatermark("time", "0 seconds")
      .bicConnectivity("10 seconds", "5 seconds", pairs(spark, Seq((1L, 3L))))
      .select($"window.end", $"connected")
    def add(second: Long) = come(input, EdgeRow(0, second, second + 1, timestamp(second)))
    var soFar = 0L
    def restoredSince(wanted: Long => Boolean) = AssertOnQuery { query =>
      val now = restored(query).sum
      assert(wanted(now - soFar), s"$now graphs restored, and $soFar before")
      soFar = now
      true
    }
    lazy val table = spark.sparkContext.range(0, 57, 1, 57).map(_ => new Array[Byte](1 << 20)).persist()
    val fill = Execute(_ => table.count(): Unit)
    val (none, some) = (restoredSince(_ == 0), restoredSince(_ > 0))
    val free = Execute(_ => table.unpersist(blocking = true): Unit)
    val actions = add(1) ++ add(2) ++ add(6) ++ Seq(none, fill) ++
      add(7) ++ Seq(some) ++ add(11) ++ Seq(some) ++ add(12) ++ Seq(some, free) ++
      add(16) ++ Seq(some) ++ add(17) ++ add(21) ++ Seq(none)
    val wanted = Seq(5L -> true, 10L -> true, 15L -> false, 20L -> false)
    val answers = CheckAnswer(wanted.map { case (end, connected) => (timestamp(end), connected) }: _*)
    testStream(result)(actions :+ answers: _*)
  }
}
