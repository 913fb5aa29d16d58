package io.github.sparkbic.operator

import java.io.File

import scala.util.Random

import org.apache.spark.sql.{AnalysisException, DataFrame, Row}
import org.apache.spark.sql.bic.PatientStreamTest
import org.apache.spark.sql.bic.TestShims.MemoryStream
import org.apache.spark.sql.streaming.StreamingQueryException
import org.scalacheck.Gen
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic._
import io.github.sparkbic.faults.FaultRun
import io.github.sparkbic.index.Streams
import io.github.sparkbic.index.Streams.{nameAsDrawn, shrinkStream}
import io.github.sparkbic.operator.EdgeFrames._
import io.github.sparkbic.operator.state.CacheLimit

/** Answers for events of a stream, with a restart after every micro-batch. */
class AsOfStreamSuite extends PatientStreamTest with ScalaCheckPropertyChecks {
  import testImplicits._

  private val Delay = 7L

  // As in a new process, no graph is alive.
  private val fresh = Seq(CacheLimit.Conf -> "0", "spark.sql.shuffle.partitions" -> "2")

  for (layout <- FaultRun.layouts; waits <- Seq(true, false))
    test(
      s"$layout, wait = $waits: each event gives exactly one row, in any order, split and with any restart"
    ) {
      forAll(Streams.stream, Gen.choose(0L, Long.MaxValue), minSuccessful(3)) { (any, seed) =>
        val random = new Random(seed)
        val stream = any.fromZero
        val oracle =
          AsOfOracle(
            Seq(stream.panes.window),
            stream.panes.slide,
            stream.panes.startTime,
            Some(Set(0L, 1L, 2L))
          )
        val happened = AsOfSuite.events(stream, random).filter(_.time.forall(_ >= 0))
        val parts = 3
        // Edges and events nearly in order, and each kind ahead of the other or behind.
        def split[A](all: Seq[A])(time: A => Long): Seq[Seq[A]] = {
          val sorted =
            all.map(item => (time(item) + random.nextInt(2 * Delay.toInt), item)).sortBy(_._1).map(_._2)
          val cuts = (0 +: Seq.fill(parts - 1)(random.nextInt(sorted.size + 1)).sorted) :+ sorted.size
          cuts.zip(cuts.tail).map { case (from, until) => sorted.slice(from, until) }
        }
        val edges = split(stream.edges)(_.time) :+ Seq(index.TimedEdge(100000, 0, 0)) :+ Nil
        val events = split(happened)(_.time.getOrElse(0L)) :+ Nil :+ Nil
        // The watermark of a micro-batch follows the edges before.
        val watermarks = edges.scanLeft(0L)((mark, come) => (mark +: come.map(_.time - Delay)).max)
        def inTime(time: Long, batch: Int) = oracle.paneStart(time) >= oracle.paneStart(watermarks(batch))
        val taken = edges.zipWithIndex.flatMap { case (come, i) =>
          come.filter(edge => inTime(edge.time, i)).map(i -> _)
        }
        val wanted = events.zipWithIndex.flatMap { case (come, i) =>
          come.map { event =>
            val isLate = event.time.exists(!inTime(_, i))
            val known = if (waits) taken else taken.filter(_._1 <= i)
            val graph = if (isLate) "null" else oracle.answer(event, known.map(_._2))
            val isFinal = event.time.exists(oracle.paneStart(_) <= watermarks(i))
            val last = if (waits || graph == "null") graph else graph.dropRight(1) + s",$isFinal]"
            (event.id, last)
          }
        }
        withSQLConf(FaultRun.settingsOfLayout(layout) ++ fresh: _*) {
          withTempDir { checkpoint =>
            val (ofEdges, ofEvents) = (MemoryStream[EdgeRow], MemoryStream[TestEvent])
            val (window, slide, startTime) = panesInSeconds(stream)
            val found = edges.zip(events).flatMap { case (newEdges, newEvents) =>
              ofEdges.addData(newEdges.map(row(0, _)))
              ofEvents.addData(newEvents)
              val answers = ofEdges.toDF().withWatermark("time", s"$Delay seconds").bicAsOf(
                AsOfSuite.columns(ofEvents.toDF()).withWatermark("time", "1 second"),
                window,
                slide,
                "source",
                "target",
                marked = Seq(0L, 1L, 2L).toDF("vertex"),
                wait = waits,
                startTime = startTime
              )
              runToEnd(answers, checkpoint)
            }
            val rows = found.map(row => (row.getLong(0), AsOfOracle.shown(row.getAs[Any]("graph"))))
            assert(rows.sorted == wanted.sorted)
          }
        }
      }
    }

  private def streams(test: (MemoryStream[EdgeRow], MemoryStream[TestEvent], File) => Unit): Unit =
    withTempDir(checkpoint => test(MemoryStream[EdgeRow], MemoryStream[TestEvent], checkpoint))

  private def asked(edges: MemoryStream[EdgeRow], events: DataFrame): DataFrame =
    edges.toDF().withWatermark("time", "0 seconds")
      .bicAsOf(AsOfSuite.columns(events), "10 seconds", "5 seconds", "source")

  private def sizes(rows: Seq[Row]) = rows.map { row =>
    row.getLong(0) -> Option(row.getAs[Row]("graph")).map(_.getAs[Long]("size"))
  }.sortBy(_._1)

  test("events wait for the watermark of the edges alone, and a restart with other columns is refused") {
    streams { (edges, events, checkpoint) =>
      edges.addData(EdgeRow(0, 1, 2, timestamp(3)), EdgeRow(0, 2, 3, timestamp(6)))
      // Far ahead of the edges: it moves no watermark.
      events.addData(TestEvent(1, Some(11), Some(1), None), TestEvent(2, Some(500), Some(1), None))
      assert(runToEnd(asked(edges, events.toDF()), checkpoint).isEmpty)
      edges.addData(EdgeRow(0, 8, 9, timestamp(12)))
      val other = AsOfSuite.columns(events.toDF()).withColumn("more", $"id")
      val changed =
        edges.toDF().withWatermark("time", "0 seconds").bicAsOf(other, "10 seconds", "5 seconds", "source")
      val refused = intercept[StreamingQueryException](runToEnd(changed, checkpoint))
      val reasons =
        Iterator.iterate[Throwable](refused)(_.getCause).takeWhile(_ != null).map(_.getMessage).mkString
      assert(reasons.contains("wait in it, but the events of the query have struct<id:bigint,"))
      assert(sizes(runToEnd(asked(edges, events.toDF()), checkpoint)) == Seq(1L -> Some(3L)))
      edges.addData(EdgeRow(0, 8, 9, timestamp(600)))
      events.addData(TestEvent(3, Some(9), Some(1), None))
      assert(sizes(runToEnd(asked(edges, events.toDF()), checkpoint)) == Seq(2L -> Some(0L), 3L -> None))
    }
  }

  for (layout <- FaultRun.layouts)
    test(s"$layout: columns of any types wait, and come back as they were") {
      def asked(columns: Seq[String])(rows: DataFrame): DataFrame = {
        val payments = rows.selectExpr("src AS id", "src", "dst", "time")
          .selectExpr("src" +: "dst" +: "time" +: columns: _*)
        val answers = payments.bicAsOf(payments, "10 seconds", "5 seconds", "src", "dst")
        AsOfSuite.texts(answers, answers.columns.toSeq)
      }
      val rows = (0 until 50).map(i => EdgeRow(0, i.toLong, i + 1L, timestamp(i.toLong)))
      val flush = Seq(EdgeRow(0, 0, 0, timestamp(900)))
      def check(columns: Seq[String]): Unit = streams { (edges, _, checkpoint) =>
        val found = Seq(rows.take(25), rows.drop(25), flush).flatMap { come =>
          edges.addData(come)
          runToEnd(asked(columns)(edges.toDF().withWatermark("time", "7 seconds")), checkpoint)
        }
        val all = asked(columns)((rows ++ flush).toDF()).collect().toSeq
        // The last event waits for its own pane.
        assert(found.size == 50 && all.map(_.toString).diff(found.map(_.toString)).size == 1)
      }
      withSQLConf(FaultRun.settingsOfLayout(layout) ++ fresh: _*) {
        check("id" +: AsOfSuite.OfEveryType)
        forAll(AsOfSuite.columnsOfAnyTypes, minSuccessful(2))(check)
      }
    }

  test("events with a column of CHAR keep it padded") {
    withTable("payments") {
      spark.sql("CREATE TABLE payments (src BIGINT, dst BIGINT, time TIMESTAMP, code CHAR(4)) USING parquet")
      val values = Seq((1, 3, "a"), (2, 6, "ab"), (3, 90, "abcd")).map { case (src, time, code) =>
        s"($src, ${src + 1}, timestamp_seconds($time), '$code')"
      }
      spark.sql(s"INSERT INTO payments VALUES ${values.mkString(", ")}")
      def codes(payments: DataFrame): DataFrame =
        payments.bicAsOf(payments, "10 seconds", "5 seconds", "src").selectExpr("src", "code")
      val all = Seq(Row(1L, "a   "), Row(2L, "ab  "), Row(3L, "abcd"))
      assert(codes(spark.table("payments")).collect().sortBy(_.getLong(0)).toSeq == all)
      withTempDir { checkpoint =>
        val stream = spark.readStream.table("payments").withWatermark("time", "0 seconds")
        assert(runToEnd(codes(stream), checkpoint).sortBy(_.getLong(0)) == all)
      }
    }
  }

  test("the edges as events, and a static frame beside a stream is refused") {
    streams { (edges, events, checkpoint) =>
      val payments = edges.toDF().drop("graph").withWatermark("time", "0 seconds")
      edges.addData(
        EdgeRow(0, 1, 2, timestamp(3)),
        EdgeRow(0, 2, 3, timestamp(6)),
        EdgeRow(0, 3, 3, timestamp(90))
      )
      val rows = runToEnd(payments.bicAsOf(payments, "10 seconds", "5 seconds", "src"), checkpoint)
      assert(rows.map(row => (row.getLong(0), row.getAs[Row]("graph").getAs[Long]("size"))).sorted ==
        Seq((1L, 0L), (2L, 2L), (3L, 0L)))
      val static = AsOfSuite.frame(spark, Nil)
      def refused(text: String)(call: => DataFrame) =
        assert(intercept[AnalysisException](call).getMessage.contains(text))
      refused("events must be a streaming DataFrame where the edges are one") {
        payments.bicAsOf(static, "10 seconds", null, "source")
      }
      refused("events must be a static DataFrame where the edges are one") {
        Seq(EdgeRow(0, 1, 2, timestamp(0))).toDF()
          .bicAsOf(AsOfSuite.columns(events.toDF()), "10 seconds", null, "source")
      }
      refused("events come from an operator that reads their watermark (Deduplicate") {
        val once =
          AsOfSuite.columns(events.toDF()).withWatermark("time", "1 second").dropDuplicates("id", "time")
        payments.bicAsOf(once, "10 seconds", null, "source")
      }
    }
  }
}
