package io.github.sparkbic.operator

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.bic.PatientStreamTest
import org.apache.spark.sql.bic.TestShims.MemoryStream
import org.scalacheck.{Gen, Shrink}
import org.scalactic.anyvals.PosInt
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic._
import io.github.sparkbic.index.{Stream, Streams, TimedEdge}
import io.github.sparkbic.index.Streams.{indexName, nameAsDrawn}
import io.github.sparkbic.operator.EdgeFrames._
import io.github.sparkbic.operator.state.Counters

/** Streams: whatever the micro-batches, the order of arrival within the watermark and the restarts, the rows that come
  * out are the oracle's, each once.
  */
abstract class StreamingSuite(streams: PosInt) extends PatientStreamTest with ScalaCheckPropertyChecks {
  import testImplicits._

  /** Rows of the state that hold one graph with edges of one pane. */
  protected def rowsOfGraph: Long

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

  test("any stream, arrival and restarts give exactly the oracle's rows") {
    forAll(Streams.stream, Streams.stream, indexName, arrival) { (one, other, index, arrival) =>
      val graphs = Seq(0 -> one.fromZero, 1 -> other.copy(panes = one.panes).fromZero)
      val edges = graphs.flatMap { case (g, s) => s.edges.map(g -> _) }.sortBy(_._2.time)
      val graphOf = new java.util.IdentityHashMap[TimedEdge, Int]
      edges.foreach { case (g, e) => graphOf.put(e, g) }
      val batches = batchesOf(edges.map(_._2), arrival)
      val asked = askedPairs(one)

      val input = MemoryStream[EdgeRow]
      val result = input.toDF()
        .withWatermark("time", seconds(delayOf(batches.flatten)))
        .transform(connectivity(_, one, index))

      // An edge of a third graph, later than any window of the others, moves the watermark past their ends. Its own
      // windows are never due.
      val flush = EdgeRow(2, 0, 0, timestamp(100000000L))
      val wanted = graphs.flatMap { case (g, s) => expected(g, s, asked) }
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

  test(
    "a window is answered once the watermark passes it, even for a graph that gets no more data, and only once"
  ) {
    val input = MemoryStream[EdgeRow]
    val result = input.toDF()
      .withWatermark("time", "2 seconds")
      .bicConnectivity("10 seconds", "5 seconds", pairs(spark, Seq((1L, 2L))), by = Seq("graph"))
    def check(wanted: Answer*) =
      CheckAnswerRowsByFunc(rows => assert(answers(rows).sorted == wanted.sorted), lastOnly = false)
    testStream(result)(
      AddData(input, EdgeRow(0, 1, 2, timestamp(3)), EdgeRow(1, 1, 3, timestamp(11))),
      ProcessAllAvailable(), // watermark 9
      check((0, -5L, 5L, 1L, 2L, true)),
      AddData(input, EdgeRow(1, 1, 2, timestamp(12))),
      ProcessAllAvailable(), // watermark 10: exactly the end of [0, 10)
      check((0, -5L, 5L, 1L, 2L, true), (0, 0L, 10L, 1L, 2L, true)),
      AddData(input, EdgeRow(1, 1, 2, timestamp(17))),
      ProcessAllAvailable(), // watermark 15
      check((0, -5L, 5L, 1L, 2L, true), (0, 0L, 10L, 1L, 2L, true), (1, 5L, 15L, 1L, 2L, true)),
      // No state is left for graph 0.
      AssertOnQuery { query =>
        query.processAllAvailable()
        query.recentProgress.last.stateOperators.head.numRowsTotal == rowsOfGraph
      }
    )
  }

  test("late edges are dropped by their pane and the watermark, and counted, as are null rows") {
    val input = MemoryStream[(Option[Long], Long, Long)]
    val result = input.toDF().toDF("src", "dst", "at")
      .selectExpr("src", "dst", "timestamp_seconds(at) AS time")
      .withWatermark("time", "0 seconds")
      .bicConnectivity("10 seconds", "5 seconds", pairs(spark, Seq((1L, 2L), (1L, 3L))))
    val counted = ArrayBuffer.empty[Seq[Long]]
    def count = Execute { query =>
      val rows = query.recentProgress.toSeq.flatMap { progress =>
        progress.observedMetrics.values.toArray.collect { case row: org.apache.spark.sql.Row => row }
      }
      counted += Counters.OfBatch.map(name =>
        rows.filterNot(_.isNullAt(0)).map(_.getAs[Long](name)).sum
      )
    }
    testStream(result)(
      AddData(input, (Some(1L), 2L, 3L), (None, 2L, 3L), (Some(7L), 7L, -1L)),
      ProcessAllAvailable(),
      count,
      AddData(input, (Some(9L), 9L, 17L)),
      ProcessAllAvailable(),
      // Watermark 17: panes end at 5, 10, 15 and 20. The edges at 4 and 14 are late, those at 15 and 16 are not, though
      // the watermark is beyond them, since their pane is open.
      AddData(input, (Some(1L), 3L, 4L), (Some(1L), 3L, 14L), (Some(1L), 3L, 15L), (Some(1L), 2L, 16L)),
      ProcessAllAvailable(),
      count,
      AddData(input, (Some(9L), 9L, 1000L)),
      ProcessAllAvailable(),
      CheckAnswerRowsByFunc(
        rows =>
          assert(
            answers(rows).sorted == Seq(
              (0, -5L, 5L, 1L, 2L, true),
              (0, -5L, 5L, 1L, 3L, false),
              (0, 0L, 10L, 1L, 2L, true),
              (0, 0L, 10L, 1L, 3L, false),
              (0, 10L, 20L, 1L, 2L, true),
              (0, 10L, 20L, 1L, 3L, true),
              (0, 15L, 25L, 1L, 2L, true),
              (0, 15L, 25L, 1L, 3L, true)
            )
          ),
        lastOnly = false
      )
    )
    // The edge before 1970 is late from the start.
    assert(counted.head.take(3) == Seq(1L, 1L, 1L))
    assert(counted(1).take(3) == Seq(1L + 1L + 2L, 1L + 2L, 1L))
  }

  test("late edges alone, and rows with a null alone, do not keep a graph from being called again") {
    val input = MemoryStream[(Option[Long], Long, Long, Int)]
    val result = input.toDF().toDF("src", "dst", "at", "graph")
      .selectExpr("src", "dst", "timestamp_seconds(at) AS time", "graph")
      .withWatermark("time", "0 seconds")
      .bicConnectivity("10 seconds", "5 seconds", pairs(spark, Seq((1L, 2L))), by = Seq("graph"))
    testStream(result)(
      AddData(input, (Some(1L), 2L, 11L, 0), (Some(1L), 2L, 11L, 2), (Some(1L), 3L, 12L, 1)),
      ProcessAllAvailable(),
      AddData(input, (Some(1L), 2L, 3L, 0), (None, 2L, 12L, 2)),
      ProcessAllAvailable(),
      AddData(input, (Some(1L), 3L, 30L, 1)),
      ProcessAllAvailable(),
      CheckAnswerRowsByFunc(
        rows =>
          assert(
            answers(rows).filter(_._1 != 1).sorted == Seq(0, 2).flatMap { graph =>
              Seq((graph, 5L, 15L, 1L, 2L, true), (graph, 10L, 20L, 1L, 2L, true))
            }
          ),
        lastOnly = false
      )
    )
  }

  test("vertices named by strings keep their identity over restarts") {
    val input = MemoryStream[(String, String, Long)]
    val asked = Seq(("a", "c"), ("a", "nobody")).toDF("source", "target")
    val result = input.toDF().toDF("src", "dst", "at")
      .selectExpr("src", "dst", "timestamp_seconds(at) AS time")
      .withWatermark("time", "0 seconds")
      .bicConnectivity("10 seconds", "5 seconds", asked)
    testStream(result)(
      AddData(input, ("a", "b", 1L), ("p", "q", 1L)),
      ProcessAllAvailable(),
      StopStream,
      StartStream(),
      AddData(input, ("b", "c", 6L)),
      ProcessAllAvailable(),
      StopStream,
      StartStream(),
      AddData(input, ("x", "y", 15L)),
      ProcessAllAvailable(),
      CheckAnswerRowsByFunc(
        rows =>
          assert(
            rows.map(r =>
              (r.getStruct(0).getTimestamp(0).toInstant.getEpochSecond, r.getString(2), r.getBoolean(3))
            ).sorted ==
              Seq(
                (-5L, "c", false),
                (-5L, "nobody", false),
                (0L, "c", true),
                (0L, "nobody", false),
                (5L, "c", false),
                (5L, "nobody", false)
              )
          ),
        lastOnly = false
      )
    )
  }
}

class ValueStreamingSuite extends StreamingSuite(6) {
  override protected def rowsOfGraph: Long = 1
}
