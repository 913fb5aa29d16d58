package io.github.sparkbic.operator

import java.io.File
import java.time.Instant

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.bic.PatientStreamTest
import org.apache.spark.sql.bic.TestShims.MemoryStream
import org.apache.spark.sql.streaming.{StreamingQuery, StreamingQueryException}

import io.github.sparkbic._
import io.github.sparkbic.faults.FaultRun
import io.github.sparkbic.operator.EdgeFrames._
import io.github.sparkbic.operator.question.{QuerySet, SentQueries}
import io.github.sparkbic.operator.state.Counters

/** Lists of marked vertices and of pairs that are tables, which another job writes while the stream runs. */
class RefreshSuite extends PatientStreamTest with Refusals {
  import testImplicits._

  private def withTable(test: (File, Seq[Long] => Unit) => Unit): Unit = withTempDir { directory =>
    val table = new File(directory, "mules")
    def mark(vertices: Seq[Long]): Unit =
      vertices.toDF("vertex").write.mode("overwrite").parquet(table.getPath)
    test(table, mark)
  }

  private def edge(source: Long, target: Long, second: Long, graph: Int = 0) =
    EdgeRow(graph, source, target, timestamp(second))

  private def edgesOf(input: DataFrame): DataFrame = input.withWatermark("time", "0 seconds")

  /** The vertices that rows of windows tell of, with the second at which the window ends. */
  private def told(name: String): Set[(Long, Long)] =
    spark.table(name).selectExpr("unix_timestamp(window.end)", "vertex").as[(Long, Long)].collect().toSet

  test("answers that are started again, in the same session, read their list again") {
    withTable { (table, mark) =>
      withTempDir { checkpoint =>
        val input = MemoryStream[EdgeRow]
        mark(Seq(1L))
        val answers =
          edgesOf(input.toDF()).bicConnectedTo("10 seconds", marked = spark.read.parquet(table.getPath))
            .select("vertex")
        input.addData(edge(1, 2, 1), edge(3, 4, 1), edge(9, 9, 11))
        assert(runToEnd(answers, checkpoint).toSet == Set(Row(1L), Row(2L)))
        mark(Seq(3L))
        input.addData(edge(1, 2, 12), edge(3, 4, 12), edge(9, 9, 21))
        assert(runToEnd(answers, checkpoint).toSet == Set(Row(3L), Row(4L)))
      }
    }
  }

  /** The watermark of each micro-batch, in milliseconds. */
  private def watermarks(query: StreamingQuery): Seq[Long] = for {
    progress <- query.recentProgress.toSeq if progress.durationMs.containsKey("addBatch")
    watermark <- Option(progress.eventTime.get("watermark"))
  } yield Instant.parse(watermark).toEpochMilli

  // The simulation reads lists anew for all questions, with both layouts.
  test("a stream takes marks in and out while it runs, early rows for all open windows") {
    withSQLConf(FaultRun.settingsOfLayout(FaultRun.layouts.last): _*) {
      withTable { (table, mark) =>
        mark(Seq(1L))
        // A query that has read rows of a MemoryStream takes them away from other queries.
        val inputs = Seq.fill(2)(MemoryStream[EdgeRow])
        val marked = spark.read.parquet(table.getPath)
        val (window, slide, refresh) = ("20 seconds", "10 seconds", "1 microsecond")
        val queries = Seq(
          "marks" -> edgesOf(inputs.head.toDF())
            .bicConnectedTo(window, slide, marked, early = true, refresh = refresh),
          "largest" -> edgesOf(inputs.last.toDF())
            .bicLargestComponents(window, slide, marked = marked, refresh = refresh)
            .withColumnRenamed("component", "vertex")
        ).map { case (name, answers) => answers.writeStream.format("memory").queryName(name).start() }
        def runAll(edges: EdgeRow*): Unit = {
          inputs.foreach(_.addData(edges))
          // A micro-batch without data follows, which closes windows by the mark that there is now.
          val newest = edges.map(_.time.getTime).max
          queries.foreach { query =>
            // No query reads the table while the test writes it.
            query.processAllAvailable()
            eventually(timeout(streamingTimeout))(assert(watermarks(query).last == newest))
          }
        }
        def both(vertices: Long*) = vertices.flatMap(vertex => Seq((20L, vertex), (30L, vertex))).toSet
        try {
          runAll(edge(1, 2, 11), edge(3, 4, 11))
          assert(told("marks") == both(1, 2))
          mark(Seq(3L))
          // The new edge is in another pane than those of the vertices that are marked now.
          runAll(edge(8, 9, 21))
          // The watermark of the micro-batch with the edge has not closed the window [0, 20).
          assert(told("marks") == both(1, 2, 3, 4))
          // The window [0, 20) closes in a micro-batch without edges, which asks for what is marked then.
          assert(told("largest") == Set((20L, 3L)))
          mark(Nil)
          runAll(edge(3, 4, 22), edge(9, 9, 31))
          assert(told("largest") == Set((20L, 3L)) && told("marks").size == 8)
          mark(Seq(8L))
          runAll(edge(9, 9, 41))
          assert(told("largest") == Set((20L, 3L), (40L, 8L)))
          assert(told("marks").filter(_._2 >= 8) == Set((40L, 8L), (40L, 9L)))
        } finally queries.foreach(_.stop())
      }
    }
  }

  /** How often a micro-batch after the other reads. */
  private def readsOf(refresh: Option[Long], batches: (String, String)*): Seq[Int] = {
    var reads = 0
    def read() = {
      reads += 1
      QuerySet(Seq.fill(reads)(Row(1L, 2L)), 2)(QuerySet.pairs(early = false))
    }
    val sent = new SentQueries(spark, isStreaming = true, refresh, null, () => read())
    def property(name: String, value: String): Unit = spark.sparkContext.setLocalProperty(name, value)
    try batches.map { case (query, batch) =>
        val before = reads
        property("sql.streaming.queryId", query)
        property("streaming.sql.batchId", batch)
        sent.send()
        if (batches.map(_._1).distinct.size == 1) assert(sent.value.rows == reads)
        reads - before
      }
    finally Seq("sql.streaming.queryId", "streaming.sql.batchId").foreach(property(_, null))
  }

  test("each query reads by itself, where the time is over, and never twice in a micro-batch") {
    val (one, other) = ("f47ac10b-58cc-4372-a567-0e02b2c3d479", "16fd2706-8baf-433b-82eb-8c7fada847da")
    val twice = Seq("0", "0", "1", "1", "2").map(one -> _)
    assert(readsOf(Some(1L), twice: _*) == Seq(1, 0, 1, 0, 1))
    assert(readsOf(Some(3600000000L), one -> "0", one -> "1") == Seq(1, 0))
    assert(readsOf(None, one -> "0", one -> "1", other -> "0") == Seq(1, 0, 1))
  }

  private def counted(query: StreamingQuery): Seq[(Long, Long)] = Observed.of(query).map { row =>
    (row.getAs[Long](Counters.OfList.head), row.getAs[Long](Counters.OfList.last))
  }

  test("two queries of one DataFrame have graphs of their own, read lists by themselves, and tell of them") {
    withTable { (table, mark) =>
      mark(Seq(1L, 2L))
      val source = new File(table.getParentFile, "edges").getPath
      def write(edges: EdgeRow*): Unit = edges.toDF().write.mode("append").parquet(source)
      write(edge(1, 2, 1), edge(3, 4, 1))
      val answers = edgesOf(spark.readStream.schema(Seq.empty[EdgeRow].toDF().schema).parquet(source))
        .bicConnectedTo("10 seconds", marked = spark.read.parquet(table.getPath), refresh = "1 hour")
      def start(name: String) = answers.writeStream.format("memory").queryName(name).start()
      val begun = System.currentTimeMillis()
      val first = start("first")
      first.processAllAvailable()
      mark(Seq(3L))
      val second = start("second")
      try {
        second.processAllAvailable()
        write(edge(9, 9, 11))
        Seq(first, second).foreach(_.processAllAvailable())
        assert(told("first") == Set((10L, 1L), (10L, 2L)) && told("second") == Set((10L, 3L), (10L, 4L)))
        assert(counted(first).map(_._1).toSet == Set(2L) && counted(second).map(_._1).toSet == Set(1L))
        val (readFirst, readSecond) = (counted(first).map(_._2).distinct, counted(second).map(_._2).distinct)
        assert(readFirst.size == 1 && begun <= readFirst.head && readFirst.head <= readSecond.head)
        assert(restored(first).sum + restored(second).sum == 0)
      } finally Seq(first, second).foreach(_.stop())
    }
  }

  test("a list that cannot be read fails the micro-batch, and the next start goes on with it mended") {
    withTable { (table, mark) =>
      withTempDir { checkpoint =>
        val input = MemoryStream[EdgeRow]
        mark(Seq(1L))
        val marked = spark.read.schema("vertex long").parquet(table.getPath)
        val answers = edgesOf(input.toDF())
          .bicConnectedTo("10 seconds", marked = marked, refresh = "1 microsecond").select("vertex")
        input.addData(edge(1, 2, 1), edge(3, 4, 1))
        assert(runToEnd(answers, checkpoint).isEmpty)
        Seq(Some(3L), None).toDF("vertex").write.mode("overwrite").parquet(table.getPath)
        input.addData(edge(9, 9, 11))
        val failure = intercept[StreamingQueryException](runToEnd(answers, checkpoint)).getCause.getMessage
        assert(failure == "marked vertices hold (null); leave out nulls, as with marked.dropna()")
        mark(Seq(3L))
        assert(runToEnd(answers, checkpoint).toSet == Set(Row(3L), Row(4L)))
      }
    }
  }

  test("refresh where nothing can be read anew, or not so often") {
    withTable { (table, mark) =>
      mark(Seq(1L))
      val marked = spark.read.parquet(table.getPath)
      def ask(edges: DataFrame, marked: DataFrame, refresh: String) =
        edges.bicConnectedTo("1 hour", marked = marked, refresh = refresh)
      Seq("0 seconds", "-1 minute").foreach { time =>
        s"refresh must be positive, but it is '$time'; give a time such as '10 minutes'" refuses
          ask(inTime, marked, time)
      }
      "refresh 'often' is not a duration…" refuses ask(inTime, marked, "often")
      "refresh '1 month' has months or years…" refuses ask(inTime, marked, "1 month")
      "refresh '1 hour' has marked read anew while a stream runs, but marked reads no table, so it never changes; give a " +
        "DataFrame of a table, such as spark.read.parquet(...), or leave refresh out" refuses
        ask(inTime, Seq(1L).toDF("vertex"), "1 hour")
      "refresh '1 hour' has marked read anew while a stream runs, but edges is a static DataFrame, which is answered at " +
        "once; leave refresh out" refuses ask(edges, marked, "1 hour")
      "refresh '1 hour' has marked read anew, but marked is not given; give marked too, or leave refresh out" refuses
        inTime.bicLargestComponents("1 hour", refresh = "1 hour")
    }
  }
}
