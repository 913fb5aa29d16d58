package io.github.sparkbic.operator

import java.io.File

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.bic.PatientStreamTest
import org.apache.spark.sql.bic.TestShims.MemoryStream

import io.github.sparkbic._
import io.github.sparkbic.faults.FaultRun
import io.github.sparkbic.operator.EdgeFrames._

/** What the simulator and `ConformanceSuite` do not show of answers for events of a stream. */
class AsOfStreamSuite extends PatientStreamTest with Refusals {
  import testImplicits._

  // As in a new process, no graph is alive.
  private val fresh = Seq(Settings.CacheBytes -> "0", "spark.sql.shuffle.partitions" -> "2")

  private def streams(test: (MemoryStream[EdgeRow], MemoryStream[TestEvent], File) => Unit): Unit =
    withTempDir(checkpoint => test(MemoryStream[EdgeRow], MemoryStream[TestEvent], checkpoint))

  private def asked(edges: MemoryStream[EdgeRow], events: DataFrame): DataFrame =
    edges.toDF().withWatermark("time", "0 seconds")
      .bicAsOf(AsOfSuite.columns(events), "10 seconds", "5 seconds", "source")

  private def sizes(rows: Seq[Row]) = rows.map { row =>
    row.getLong(0) -> Option(row.getAs[Row]("graph")).map(_.getAs[Long]("size"))
  }.sortBy(_._1)

  test("events wait for the watermark of the edges alone") {
    streams { (edges, events, checkpoint) =>
      edges.addData(EdgeRow(0, 1, 2, timestamp(3)), EdgeRow(0, 2, 3, timestamp(6)))
      // Far ahead of the edges: it moves no watermark.
      events.addData(TestEvent(1, Some(11), Some(1), None), TestEvent(2, Some(500), Some(1), None))
      assert(runToEnd(asked(edges, events.toDF()), checkpoint).isEmpty)
      edges.addData(EdgeRow(0, 8, 9, timestamp(12)))
      assert(sizes(runToEnd(asked(edges, events.toDF()), checkpoint)) == Seq(1L -> Some(3L)))
      edges.addData(EdgeRow(0, 8, 9, timestamp(600)))
      events.addData(TestEvent(3, Some(9), Some(1), None))
      assert(sizes(runToEnd(asked(edges, events.toDF()), checkpoint)) == Seq(2L -> Some(0L), 3L -> None))
    }
  }

  for (layout <- FaultRun.layouts)
    test(s"$layout: columns of any types wait, and come back as they were") {
      def asked(rows: DataFrame): DataFrame = {
        val payments = rows.selectExpr("src AS id", "src", "dst", "time")
          .selectExpr("src" +: "dst" +: "time" +: "id" +: AsOfSuite.OfEveryType: _*)
        val answers = payments.bicAsOf(payments, "10 seconds", "5 seconds", "src", "dst")
        AsOfSuite.texts(answers, answers.columns.toSeq)
      }
      val rows = (0 until 50).map(i => EdgeRow(0, i.toLong, i + 1L, timestamp(i.toLong)))
      val flush = Seq(EdgeRow(0, 0, 0, timestamp(900)))
      withSQLConf(FaultRun.settingsOfLayout(layout) ++ fresh: _*)(streams { (edges, _, checkpoint) =>
        val found = Seq(rows.take(25), rows.drop(25), flush).flatMap { come =>
          edges.addData(come)
          runToEnd(asked(edges.toDF().withWatermark("time", "7 seconds")), checkpoint)
        }
        val all = asked((rows ++ flush).toDF()).collect().toSeq
        // The last event waits for its own pane.
        assert(found.size == 50 && all.map(_.toString).diff(found.map(_.toString)).size == 1)
      })
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

  test("a static frame beside a stream is refused, and a stream behind an operator with a state") {
    streams { (edges, events, _) =>
      val payments = edges.toDF().drop("graph").withWatermark("time", "0 seconds")
      val static = Seq(TestEvent(1, None, None, None)).toDF()
      "events must be a streaming DataFrame where the edges are one…" refuses
        payments.bicAsOf(AsOfSuite.columns(static), "10 seconds", null, "source")
      "events must be a static DataFrame where the edges are one…" refuses
        this.edges.bicAsOf(AsOfSuite.columns(events.toDF()), "10 seconds", null, "source")
      val once =
        AsOfSuite.columns(events.toDF()).withWatermark("time", "1 second").dropDuplicates("id", "time")
      "events come from an operator that reads their watermark (Deduplicate…" refuses
        payments.bicAsOf(once, "10 seconds", null, "source")
    }
  }
}
