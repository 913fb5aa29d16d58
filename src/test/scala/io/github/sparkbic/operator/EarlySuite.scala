package io.github.sparkbic.operator

import scala.collection.compat._
import scala.collection.mutable

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.bic.PatientStreamTest
import org.apache.spark.sql.bic.TestShims.MemoryStream
import org.scalacheck.{Gen, Shrink}
import org.scalactic.anyvals.PosInt
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic._
import io.github.sparkbic.index.{Oracle, Stream, Streams, TimedEdge}
import io.github.sparkbic.operator.EdgeFrames._

/** Early answers: after every micro-batch exactly the rows with `true` have come that a recomputation from the edges
  * accepted so far finds, in open and closed windows, each once; and with them the rows with `false` of closed windows.
  */
abstract class EarlySuite(streams: PosInt) extends PatientStreamTest with ScalaCheckPropertyChecks {
  import testImplicits._

  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = streams, sizeRange = 40)

  implicit private val shrinkRoughly: Shrink[Stream] =
    Shrink(stream => Streams.shrinkStream.shrink(stream).take(4))

  /** A row: start and end of the window, the pair, and the latest pane from which on edges connect it, if any do. */
  private type Told = (Long, Long, Long, Long, Option[Long])

  /** How a stream arrives.
    *
    * @param tolerated the share of the disorder that the watermark waits for
    */
  private case class Arrival(batches: Seq[Seq[TimedEdge]], delay: Long, restarts: Seq[Boolean])

  private def arrival(stream: Stream): Gen[Arrival] = for {
    disorder <- Gen.oneOf(Gen.const(0.0), Gen.choose(1.0, 30.0))
    places <- Gen.listOfN(stream.edges.size, Gen.choose(0.0, disorder))
    cuts <- Gen.choose(0, 5).flatMap(Gen.listOfN(_, Gen.choose(0, stream.edges.size)))
    tolerated <- Gen.oneOf(1.0, 1.0, 0.5)
    restart <- Gen.oneOf(0.0, 0.3, 1.0)
    restarts <- Gen.listOfN(6, Gen.prob(restart))
  } yield {
    val arrived = stream.edges.zip(places).zipWithIndex.sortBy { case ((_, p), i) => i + p }.map(_._1._1)
    val borders = (0 +: cuts.sorted :+ arrived.size).distinct
    val batches = borders.zip(borders.drop(1)).map { case (from, until) => arrived.slice(from, until) }
    Arrival(batches, (delayOf(arrived) * tolerated).toLong, restarts)
  }

  /** The shortest delay for which no edge is late. */
  private def delayOf(arrived: Seq[TimedEdge]): Long =
    arrived.scanLeft((Long.MinValue, 0L)) { case ((newest, delay), e) =>
      (math.max(newest, e.time), math.max(delay, math.max(newest, e.time) - e.time))
    }.last._2

  /** The edges that are in time in each micro-batch, and the watermark after it. */
  private def accepted(stream: Stream, lengths: Seq[Long], arrival: Arrival): Seq[(Seq[TimedEdge], Long)] = {
    val pane = (stream.panes.slide +: lengths).reduce((a, b) => BigInt(a).gcd(b).toLong)
    var watermark = 0L
    arrival.batches.map { batch =>
      val inTime = batch.filter { e =>
        e.time - Math.floorMod(e.time - stream.panes.startTime, pane) + pane > watermark
      }
      watermark = math.max(watermark, batch.map(_.time).maxOption.getOrElse(0L) - arrival.delay)
      (inTime, watermark)
    }
  }

  /** All rows of these edges, from scratch. */
  private def expected(edges: Seq[TimedEdge], stream: Stream, lengths: Seq[Long]): Seq[Told] = {
    val pane = (stream.panes.slide +: lengths).reduce((a, b) => BigInt(a).gcd(b).toLong)
    for {
      length <- lengths
      (start, end, components) <- Oracle.windows(stream.copy(edges = edges), length)
      suffixes = Iterator.iterate(end - pane)(_ - pane).takeWhile(_ >= start)
        .map(from => from -> Oracle.components(Oracle.between(edges, from, end))).toSeq
      (source, target) <- askedPairs(stream)
    } yield {
      val since = suffixes.find(found => Oracle.connected(found._2, source, target)).map(_._1)
      assert(since.nonEmpty == Oracle.connected(components, source, target))
      (start, end, source, target, since)
    }
  }

  private def toldBy(rows: Seq[Row]): Seq[Told] = rows.filter(_.getAs[Int]("graph") == 0).map { row =>
    val since = Option(row.getAs[java.sql.Timestamp]("since")).map(_.toInstant.getEpochSecond)
    assert(since.nonEmpty == row.getAs[Boolean]("connected"))
    val window = row.getAs[Row]("window")
    def time(i: Int) = window.getTimestamp(i).toInstant.getEpochSecond
    (time(0), time(1), row.getAs[Long]("source"), row.getAs[Long]("target"), since)
  }

  private def ask(edges: DataFrame, stream: Stream, lengths: Seq[Long]): DataFrame = {
    val (_, slide, startTime) = panesInSeconds(stream)
    val asked = pairs(spark, askedPairs(stream))
    edges.bicConnectivity(
      lengths.map(seconds),
      slide,
      asked,
      early = true,
      since = true,
      by = Seq("graph"),
      startTime = startTime
    )
  }

  private val cases: Gen[(Stream, Seq[Long], Arrival)] = for {
    drawn <- Streams.stream
    stream = drawn.fromZero
    other <- Gen.option(Gen.choose(1L, 20L))
    arrival <- arrival(stream)
  } yield (stream, (Seq(stream.panes.window) ++ other.map(_ + stream.panes.window)), arrival)

  test("every true comes with its micro-batch, every false when its window closes, each row once") {
    forAll(cases) { case (stream, lengths, arrival) =>
      whenever(stream.edges.nonEmpty) {
        val input = MemoryStream[EdgeRow]
        val result = ask(input.toDF().withWatermark("time", seconds(arrival.delay)), stream, lengths)
        val inTime = accepted(stream, lengths, arrival)
        val since = mutable.Map.empty[(Long, Long, Long, Long), Option[Long]]
        val actions = mutable.ArrayBuffer[StreamAction](StartStream())
        arrival.batches.indices.foreach { i =>
          if (arrival.restarts(i)) actions ++= Seq(StopStream, StartStream())
          actions ++= Seq(AddData(input, arrival.batches(i).map(row(0, _)): _*), ProcessAllAvailable())
          actions += CheckAnswerRowsByFunc(
            rows => {
              // `since` is that of the micro-batch that tells.
              expected(inTime.take(i + 1).flatMap(_._1), stream, lengths).foreach { case (s, e, u, v, from) =>
                if (from.nonEmpty || e <= inTime(i)._2) since.getOrElseUpdate((s, e, u, v), from)
              }
              val wanted = since.toSeq.map { case ((s, e, u, v), from) => (s, e, u, v, from) }
              assert(toldBy(rows).sorted == wanted.sorted)
            },
            lastOnly = false
          )
        }
        // An edge of another graph moves the watermark past all windows.
        actions ++= Seq(
          AddData(input, EdgeRow(2, 0, 0, timestamp(100000000L))),
          ProcessAllAvailable(),
          CheckAnswerRowsByFunc(
            rows => {
              val wanted = expected(inTime.flatMap(_._1), stream, lengths)
              assert(toldBy(rows).map(t => (t._1, t._2, t._3, t._4, t._5.nonEmpty)).sorted ==
                wanted.map(t => (t._1, t._2, t._3, t._4, t._5.nonEmpty)).sorted)
            },
            lastOnly = false
          )
        )
        testStream(result)(actions.toSeq: _*)
      }
    }
  }

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

class ValueEarlySuite extends EarlySuite(4)
