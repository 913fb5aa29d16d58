package io.github.sparkbic.operator

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.bic.PatientStreamTest
import org.apache.spark.sql.bic.TestShims.MemoryStream
import org.scalacheck.{Gen, Shrink}
import org.scalactic.anyvals.PosInt
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.{Stream, Streams, TimedEdge}
import io.github.sparkbic.index.Streams.{indexName, nameAsDrawn}
import io.github.sparkbic.operator.EdgeFrames._

/** Streams: whatever the micro-batches, the order of arrival within the watermark and the restarts, the rows that come
  * out are the oracle's, each once. In which micro-batch each row comes, what is late, and that no state is left is for
  * `ConformanceSuite`.
  */
abstract class StreamingSuite(streams: PosInt) extends PatientStreamTest with ScalaCheckPropertyChecks {
  import testImplicits._

  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = streams, sizeRange = 40)

  /** A streaming query takes seconds, so a failing stream is only cut down roughly. */
  implicit private val shrinkRoughly: Shrink[Stream] =
    Shrink(stream => Streams.shrinkStream.shrink(stream).take(4))

  /** How a stream arrives: shuffled within `disorder` positions, cut into micro-batches, restarted before some. */
  private case class Arrival(disorder: Int, cuts: Seq[Double], restarts: Seq[Boolean], seed: Long)

  private val arrival: Gen[Arrival] = for {
    disorder <- Gen.oneOf(Gen.const(0), Gen.choose(1, 40))
    batches <- Gen.choose(1, 5)
    cuts <- Gen.listOfN(batches - 1, Gen.choose(0.0, 1.0))
    restarts <- Gen.listOfN(batches, Gen.prob(0.4))
    seed <- Gen.choose(0L, Long.MaxValue)
  } yield Arrival(disorder, cuts.sorted, restarts, seed)

  private def batchesOf(edges: Seq[TimedEdge], arrival: Arrival): Seq[Seq[TimedEdge]] = {
    val random = new scala.util.Random(arrival.seed)
    // Drawn before sorting: an order must not change while it is used.
    val places = edges.indices.map(_ + random.nextDouble() * arrival.disorder)
    val arrived = edges.zip(places).sortBy(_._2).map(_._1)
    val borders = (0.0 +: arrival.cuts :+ 1.0).map(c => (c * arrived.size).toInt)
    borders.zip(borders.drop(1)).map { case (from, until) => arrived.slice(from, until) }
  }

  /** The shortest delay for which no edge is late. */
  private def delayOf(arrived: Seq[TimedEdge]): Long =
    arrived.scanLeft((Long.MinValue, 0L)) { case ((newest, delay), e) =>
      (math.max(newest, e.time), math.max(delay, math.max(newest, e.time) - e.time))
    }.last._2

  for ((ids, vertex) <- Seq("numbers" -> "bigint", "text" -> "string"))
    test(s"vertices are $ids: any stream, arrival and restarts give exactly the oracle's rows") {
      forAll(Streams.stream, Streams.stream, indexName, arrival) { (one, other, index, arrival) =>
        val graphs = Seq(0 -> one.fromZero, 1 -> other.copy(panes = one.panes).fromZero)
        val edges = graphs.flatMap { case (g, s) => s.edges.map(g -> _) }.sortBy(_._2.time)
        val graphOf = new java.util.IdentityHashMap[TimedEdge, Int]
        edges.foreach { case (g, e) => graphOf.put(e, g) }
        val batches = batchesOf(edges.map(_._2), arrival)

        val input = MemoryStream[EdgeRow]
        val result = input.toDF()
          .selectExpr("graph", s"cast(src AS $vertex) AS src", s"cast(dst AS $vertex) AS dst", "time")
          .withWatermark("time", seconds(delayOf(batches.flatten)))
          .transform(connectivity(_, one, index))
          .selectExpr("graph", "window", "bigint(source) AS source", "bigint(target) AS target", "connected")

        // An edge of a third graph, later than any window of the others, moves the watermark past their ends. Its own
        // windows are never due.
        val flush = EdgeRow(2, 0, 0, timestamp(100000000L))
        val wanted = graphs.flatMap { case (g, s) => expected(g, s, askedPairs(one)) }
        val actions = ArrayBuffer[StreamAction](StartStream())
        batches.zip(arrival.restarts).foreach { case (batch, restart) =>
          if (restart) actions ++= Seq(StopStream, StartStream())
          actions ++= Seq(AddData(input, batch.map(e => row(graphOf.get(e), e)): _*), ProcessAllAvailable())
        }
        actions ++= Seq(
          AddData(input, flush),
          ProcessAllAvailable(),
          StopStream,
          StartStream(),
          ProcessAllAvailable(),
          CheckAnswerRowsByFunc(rows => assert(answers(rows).sorted == wanted.sorted), lastOnly = false)
        )
        testStream(result)(actions.toSeq: _*)
      }
    }
}

class ValueStreamingSuite extends StreamingSuite(2)
