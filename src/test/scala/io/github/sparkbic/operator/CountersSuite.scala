package io.github.sparkbic.operator

import org.apache.logging.log4j.Level
import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.bic.PatientStreamTest
import org.apache.spark.sql.bic.TestShims.MemoryStream
import org.apache.spark.sql.streaming.StreamingQuery

import io.github.sparkbic._
import io.github.sparkbic.faults.FaultRun
import io.github.sparkbic.index.Indexes
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.operator.state.{Counters, StateShape}

/** What a user sees of a stream: the observed metrics, and the log. */
class CountersSuite extends PatientStreamTest {
  import testImplicits._

  private def edgesOf(input: DataFrame): DataFrame = input.toDF("src", "dst", "at")
    .selectExpr("src", "dst", "timestamp_seconds(at) AS time").withWatermark("time", "0 seconds")

  private def answersOf(input: DataFrame, index: String = Indexes.Auto): DataFrame =
    edgesOf(input)
      .bicConnectivity("10 seconds", "5 seconds", Seq((1L, 2L)).toDF("source", "target"), index = index)

  /** The counters of each micro-batch. */
  private def counted(
      query: StreamingQuery,
      fields: Seq[String] = Counters.OfStream
  ): Seq[Map[String, Long]] =
    Observed.of(query).map(row => fields.map(field => field -> row.getAs[Long](field)).toMap)

  test("events that came, that came too late, and that wait") {
    withSQLConf(FaultRun.settingsOfLayout(FaultRun.layouts.last): _*) {
      val (edges, events) = (MemoryStream[(Long, Long, Long)], MemoryStream[(Long, Long)])
      val happened =
        events.toDF().toDF("vertex", "at").selectExpr("vertex", "timestamp_seconds(at) AS time")
      def last(came: Long, late: Long, waiting: Long) = AssertOnQuery { query =>
        val wanted = Counters.OfEvents.zip(Seq(came, late, waiting)).toMap
        counted(query, Counters.OfEvents).last == wanted
      }
      testStream(edgesOf(edges.toDF()).bicAsOf(happened, "10 seconds", "5 seconds", "vertex"))(
        AddData(edges, (1L, 2L, 20L)),
        ProcessAllAvailable(),
        AddData(events, (1L, 19L), (1L, 22L), (1L, 31L), (1L, 32L)),
        ProcessAllAvailable(),
        last(came = 4, late = 1, waiting = 2),
        AddData(edges, (1L, 2L, 29L)),
        ProcessAllAvailable(),
        last(came = 0, late = 0, waiting = 2),
        AddData(edges, (1L, 2L, 30L)),
        ProcessAllAvailable(),
        // Spark 3.5 tells nothing of the micro-batch without data, which has answered them.
        AddData(edges, (1L, 2L, 31L)),
        ProcessAllAvailable(),
        last(came = 0, late = 0, waiting = 0)
      )
    }
  }

  Indexes.names.zipWithIndex.foreach { case (name, i) =>
    val layout = FaultRun.layouts(i % FaultRun.layouts.size)
    test(s"$name, $layout: the counters of a micro-batch tell what came, what is held and what it takes") {
      val input = MemoryStream[(Long, Long, Long)]
      withSQLConf(FaultRun.settingsOfLayout(layout): _*)(testStream(answersOf(input.toDF(), name))(
        AddData(input, (1L, 2L, 1L), (2L, 3L, 1L), (1L, 3L, 1L), (7L, 7L, 2L)),
        ProcessAllAvailable(),
        AssertOnQuery { query =>
          val first = counted(query).head
          assert(first -- Seq("state_bytes", "index_ns", "state_ns") ==
            Counters.OfStream.map(_ -> 0L).toMap -- Seq("state_bytes", "index_ns", "state_ns") ++
            Map("edges" -> 4L, "graphs" -> 1L, "pending_links" -> 2L))
          assert(first("index_ns") == 0 && first("state_ns") > 0 && first("state_bytes") > 16)
          true
        },
        // The watermark becomes 7: pane [0, 5) closes and the window from -5 is answered.
        AddData(input, (5L, 6L, 7L)),
        ProcessAllAvailable(),
        AssertOnQuery { query =>
          val last = counted(query).last
          assert(last("windows") == 1 && last("index_ns") > 0 && last("state_ns") > 0)
          assert(last("live_vertices") == 4 && last("live_links") == 2 && last("pending_links") == 1)
          true
        },
        // Another edge of the open pane: the index is carried over as it is, and still counted.
        AddData(input, (6L, 8L, 7L)),
        ProcessAllAvailable(),
        AssertOnQuery { query =>
          val last = counted(query).last
          assert(last("edges") == 1 && last("index_ns") == 0)
          assert(last("live_vertices") == 4 && last("live_links") == 2 && last("pending_links") == 2)
          true
        }
      ))
    }
  }

  /** What the operator logs while `run` does. */
  private def logged(level: Level)(run: => Unit): Seq[String] = {
    val appender = new LogAppender("the log of the operator", maxEvents = 10000)
    withLogAppender(appender, loggerNames = Seq(classOf[TaskReport].getName), level = Some(Level.INFO))(run)
    appender.loggingEvents.filter(_.getLevel == level).map(_.getMessage.getFormattedMessage).toSeq
  }

  test("a restart logs once a partition how many graphs were restored") {
    val input = MemoryStream[(Long, Long, Long)]
    val lines = logged(Level.INFO) {
      testStream(answersOf(input.toDF()))(
        AddData(input, (1L, 2L, 1L)),
        ProcessAllAvailable(),
        StopStream,
        StartStream(),
        AddData(input, (1L, 2L, 2L)),
        ProcessAllAvailable(),
        AddData(input, (1L, 2L, 3L)),
        ProcessAllAvailable()
      )
    }
    assert(lines.size == 1, lines)
    assert(lines.head.matches(
      "bicConnectivity, query [-0-9a-f]{36}, partition \\d+: 1 graph restored from \\d+ bytes of state, read and written " +
        s"in \\d+ ms \\(format version 1, index 'bic'\\)"
    ))
  }

  test("a source far ahead is logged, and so is a stream that is all late because of it") {
    val input = MemoryStream[(Long, Long, Long)]
    val now = System.currentTimeMillis() / 1000
    val year9999 = 253370764800L
    val lines = logged(Level.WARN) {
      testStream(answersOf(input.toDF()))(
        AddData(input, (1L, 2L, now)),
        ProcessAllAvailable(),
        AddData(input, (1L, 2L, year9999)),
        ProcessAllAvailable(),
        AddData(input, (1L, 2L, now + 1), (1L, 2L, now + 2)),
        ProcessAllAvailable(),
        AssertOnQuery { query =>
          counted(query).last("late_edges") == 2 &&
          query.lastProgress.eventTime.get("watermark") == "9999-01-01T00:00:00.000Z"
        }
      )
    }
    assert(lines.size == 2, lines)
    assert(lines.head.contains(": edges up to 9999-01-01T00:00:00Z are ") &&
      lines.head.contains("ahead of this machine's clock. The watermark follows the newest edge"))
    assert(lines(1).contains(": all 2 edges were late, the watermark being 9999-01-01T00:00:00Z."))
  }

  /** What the report of one task says, of graphs that each had so many edges, so many of them late, up to a time. */
  private def reported(graphs: (Int, Int, java.time.Duration)*): Seq[String] = {
    val panes = Panes(10000000L, 5000000L)
    logged(Level.WARN) {
      val report = new TaskReport(StateShape("bic", panes, strings = false), "partition", "run")
      graphs.foreach { case (edges, late, ahead) =>
        val counters = new Counters
        counters.edges = edges.toLong
        counters.lateEdges = late.toLong
        val micros = java.time.Instant.now().plus(ahead).toEpochMilli * 1000
        report.add(counters, None, panes.paneOf(micros), 0)
      }
      report.log()
    }
  }

  test(
    "one graph that is late does not make all edges of a task late, and one far ahead is told whichever comes last"
  ) {
    val (now, hours, day) =
      (java.time.Duration.ZERO, java.time.Duration.ofHours(10), java.time.Duration.ofDays(1))
    assert(reported((5, 0, now), (0, 5, now)).isEmpty)
    assert(reported((0, 5, now), (5, 0, now)).isEmpty)
    assert(reported((0, 5, now), (0, 2, now)).map(_.contains("all 7 edges were late")) == Seq(true))
    for (graphs <- Seq((5, 0, day), (5, 0, now)).permutations)
      assert(reported(graphs: _*).map(_.contains("ahead of this machine's clock")) == Seq(true))
    // A time without a zone may be that far ahead.
    assert(reported((5, 0, hours)).isEmpty)
  }
}
