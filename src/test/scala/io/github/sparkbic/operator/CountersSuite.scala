package io.github.sparkbic.operator

import java.time.{Duration, Instant}

import org.apache.logging.log4j.Level
import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.bic.PatientStreamTest
import org.apache.spark.sql.bic.TestShims.MemoryStream
import org.apache.spark.sql.functions.spark_partition_id
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streaming.StreamingQuery

import io.github.sparkbic._
import io.github.sparkbic.faults.FaultRun
import io.github.sparkbic.index.Indexes
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.operator.state.Counters

/** What a user sees of a stream: the observed metrics, and the log. */
class CountersSuite extends PatientStreamTest {
  import testImplicits._

  private def edgesOf(input: DataFrame): DataFrame = input.toDF("src", "dst", "at")
    .selectExpr("src", "dst", "timestamp_seconds(at) AS time").withWatermark("time", "0 seconds")

  private def answersOf(input: DataFrame, index: String = Indexes.Auto): DataFrame = edgesOf(input)
    .bicConnectivity("10 seconds", "5 seconds", Seq((1L, 2L)).toDF("source", "target"), index = index)

  private val names = Counters.names(isStreaming = true, ofEvents = false)

  private def counted(query: StreamingQuery, fields: Seq[String] = names): Seq[Map[String, Long]] =
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
      def edge(second: Long) = come(edges, (1L, 2L, second))
      val eventsCome = come(events, (1L, 19L), (1L, 22L), (1L, 31L), (1L, 32L))
      // Spark 3.5 tells nothing of the micro-batch without data, which answers the last events.
      testStream(edgesOf(edges.toDF()).bicAsOf(happened, "10 seconds", "5 seconds", "vertex"))(
        edge(20) ++ eventsCome ++ Seq(last(came = 4, late = 1, waiting = 2)) ++
          edge(29) ++ Seq(last(came = 0, late = 0, waiting = 2)) ++
          edge(30) ++ edge(31) ++ Seq(last(came = 0, late = 0, waiting = 0)): _*
      )
    }
  }

  Indexes.names.zipWithIndex.foreach { case (name, i) =>
    val layout = FaultRun.layouts(i % FaultRun.layouts.size)
    test(s"$name, $layout: the counters of a micro-batch tell what came, what is held and what it takes") {
      val input = MemoryStream[(Long, Long, Long)]
      def told(check: Seq[Map[String, Long]] => Any) = AssertOnQuery { query => check(counted(query)); true }
      val first = told { batches =>
        val come = Map("edges" -> 4L, "graphs" -> 1L, "pending_links" -> 2L, "index_ns" -> 0L)
        assert(batches.head -- Seq("state_bytes", "state_ns") ==
          names.map(_ -> 0L).toMap -- Seq("state_bytes", "state_ns") ++ come)
        assert(batches.head("state_ns") > 0 && batches.head("state_bytes") > 16)
      }
      def held(counts: Map[String, Long], pending: Long): Unit =
        assert(Seq("live_vertices", "live_links", "pending_links").map(counts) == Seq(4L, 2L, pending))
      val closed = told { batches =>
        held(batches.last, pending = 1)
        assert(batches.last("windows") == 1 && batches.last("index_ns") > 0 && batches.last("state_ns") > 0)
      }
      val carried = told { batches =>
        held(batches.last, pending = 2)
        assert(batches.last("edges") == 1 && batches.last("index_ns") == 0)
      }
      val actions = come(input, (1L, 2L, 1L), (2L, 3L, 1L), (1L, 3L, 1L), (7L, 7L, 2L)) ++ Seq(first) ++
        // The watermark becomes 7: pane [0, 5) closes and the window from -5 is answered.
        come(input, (5L, 6L, 7L)) ++ Seq(closed) ++
        // Another edge of the open pane: the index is carried over as it is, and still counted.
        come(input, (6L, 8L, 7L)) ++ Seq(carried)
      withSQLConf(FaultRun.settingsOfLayout(layout): _*) {
        testStream(answersOf(input.toDF(), name))(actions: _*)
      }
    }
  }

  /** What the operator warns of while `run` does. */
  private def warnings(run: => Unit, of: Class[_] = classOf[TaskReport]): Seq[String] = {
    val appender = new LogAppender("the log of the operator", maxEvents = 10000)
    withLogAppender(appender, loggerNames = Seq(of.getName), level = Some(Level.WARN))(run)
    appender.loggingEvents.map(_.getMessage.getFormattedMessage).toSeq
  }

  test("a source far ahead is logged, and so is a stream that is all late because of it") {
    val input = MemoryStream[(Long, Long, Long)]
    val now = System.currentTimeMillis() / 1000
    val year9999 = 253370764800L
    val lines = warnings {
      val late = AssertOnQuery { query =>
        counted(query).last("late_edges") == 2 &&
        query.lastProgress.eventTime.get("watermark") == "9999-01-01T00:00:00.000Z"
      }
      val actions = Seq(now, year9999).flatMap(second => come(input, (1L, 2L, second))) ++
        come(input, (1L, 2L, now + 1), (1L, 2L, now + 2))
      testStream(answersOf(input.toDF()))(actions :+ late: _*)
    }
    assert(lines.size == 2, lines)
    assert(lines.head.contains(": edges up to 9999-01-01T00:00:00Z are ") &&
      lines.head.contains("ahead of this machine's clock. The watermark follows the newest edge"))
    assert(lines(1).contains(": all 2 edges were late, the watermark being 9999-01-01T00:00:00Z."))
  }

  /** What the report of one task says, of graphs that each had so many edges, so many of them late, up to a time. */
  private def reported(graphs: (Int, Int, Duration)*): Seq[String] = {
    val panes = Panes(10000000L, 5000000L)
    warnings {
      val report = new TaskReport(panes, "partition")
      graphs.foreach { case (edges, late, ahead) =>
        val counters = new Counters
        counters.edges = edges.toLong
        counters.lateEdges = late.toLong
        val micros = Instant.now().plus(ahead).toEpochMilli * 1000
        report.add(counters, panes.paneOf(micros), 0)
      }
      report.log()
    }
  }

  test("one late graph does not make all edges of a task late, and one far ahead is told in any case") {
    val (now, hours, day) = (Duration.ZERO, Duration.ofHours(10), Duration.ofDays(1))
    assert(reported((5, 0, now), (0, 5, now)).isEmpty)
    assert(reported((0, 5, now), (5, 0, now)).isEmpty)
    assert(reported((0, 5, now), (0, 2, now)).map(_.contains("all 7 edges were late")) == Seq(true))
    for (graphs <- Seq((5, 0, day), (5, 0, now)).permutations)
      assert(reported(graphs: _*).map(_.contains("ahead of this machine's clock")) == Seq(true))
    // A time without a zone may be that far ahead.
    assert(reported((5, 0, hours)).isEmpty)
  }

  test("a stream of one graph over many partitions of state is warned of, and nothing else is") {
    def warned(partitions: Int, edges: DataFrame, by: Seq[String] = Nil) =
      withSQLConf(SQLConf.SHUFFLE_PARTITIONS.key -> partitions.toString) {
        val line =
          "a stream without `by` is one graph, which fills one of the 200 partitions of its state; each of the others " +
            "costs time in every micro-batch. Set spark.sql.shuffle.partitions to 1 before the query is first started"
        val isWarned = partitions == 200 && by.isEmpty && edges.isStreaming
        assert(warnings(edges.bicComponents("10 seconds", by = by): Unit, Parallelism.getClass) ==
          (if (isWarned) Seq(line) else Nil))
      }
    val rows = MemoryStream[(Long, Long, Long)]
    val stream = edgesOf(rows.toDF()).selectExpr("*", "src % 2 AS graph")
    warned(200, stream)
    warned(10, stream)
    warned(200, stream, by = Seq("graph"))
    warned(200, edgesOf(Seq((1L, 2L, 1L)).toDF()))
  }

  FaultRun.layouts.foreach { layout =>
    test(s"$layout: graphs of a stream are over all partitions, though adaptive execution merges some") {
      val settings = FaultRun.settingsOfLayout(layout) :+ SQLConf.SHUFFLE_PARTITIONS.key -> "3"
      withSQLConf(settings :+ SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> "true": _*) {
        val input = MemoryStream[(Long, Long, Long)]
        val answers = edgesOf(input.toDF()).withColumn("graph", $"src")
          .bicComponentStats("10 seconds", by = Seq("graph")).withColumn("task", spark_partition_id())
        val query = answers.writeStream.format("memory").queryName(layout).start()
        try {
          input.addData((0L until 100L).map(graph => (graph, graph, 1L)) :+ ((0L, 0L, 100L)))
          query.processAllAvailable()
          assert(spark.table(layout).select("task").distinct().count() == 3)
        } finally query.stop()
      }
    }
  }
}
