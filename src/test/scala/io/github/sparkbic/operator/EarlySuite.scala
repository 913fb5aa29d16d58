package io.github.sparkbic.operator

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.bic.PatientStreamTest
import org.apache.spark.sql.bic.TestShims.MemoryStream

import io.github.sparkbic._
import io.github.sparkbic.operator.EdgeFrames._

/** Early answers in a session. That each row comes in the micro-batch that makes it certain, and once, is shown by the
  * simulator, and by `ConformanceSuite` in Spark.
  */
abstract class EarlySuite extends PatientStreamTest {
  import testImplicits._

  test("pairs whose ids are chosen so that their hashes are equal have a row each, over a restart as well") {
    // Under XXH64 without a seed.
    val chosen = Seq((1L, 2L), (3L, -5686046541809725321L), (2L, 1L), (1L, 2L))
    val edges = chosen.distinct.zipWithIndex.map { case ((s, t), i) => EdgeRow(0, s, t, timestamp(i.toLong)) }
    val wanted = chosen.map { case (s, t) => Row(s, t, true) }
    def ask(edges: DataFrame) =
      edges.bicConnectivity("10 seconds", queries = pairs(spark, chosen), early = true)
        .select("source", "target", "connected")
    assert(ask(edges.toDF()).collect().toSet == wanted.toSet && ask(edges.toDF()).count() == wanted.size)
    val input = MemoryStream[EdgeRow]
    testStream(ask(input.toDF().withWatermark("time", "0 seconds")))(
      AddData(input, edges.take(1): _*),
      CheckAnswer(wanted.filter(row => row.getLong(0) != 3): _*),
      StopStream,
      StartStream(),
      AddData(input, edges.drop(1): _*),
      CheckAnswer(wanted: _*),
      AddData(input, EdgeRow(0, 0, 0, timestamp(100))),
      CheckAnswer(wanted: _*)
    )
  }
}

class ValueEarlySuite extends EarlySuite
