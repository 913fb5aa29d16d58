package io.github.sparkbic.operator

import java.io.File

import org.apache.spark.SPARK_VERSION
import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.bic.PatientStreamTest
import org.apache.spark.sql.bic.TestShims
import org.apache.spark.sql.bic.TestShims.MemoryStream
import org.apache.spark.sql.streaming.StreamingQueryException

import io.github.sparkbic._
import io.github.sparkbic.arguments.Arguments
import io.github.sparkbic.faults.FaultRun
import io.github.sparkbic.operator.EdgeFrames._

/** Restarts with a query that is not quite the same; `ConformanceSuite` restarts queries as they are. */
class RestartSuite extends PatientStreamTest with Refusals {
  import testImplicits._

  /** Edges 1–2 and 2–3 in pane [0, 5), 3–4 in [5, 10); the last one closes the window [0, 10). */
  private def withCheckpoint(test: (MemoryStream[EdgeRow], File) => Unit): Unit = withTempDir { checkpoint =>
    test(MemoryStream[EdgeRow], checkpoint)
  }

  private def query(
      input: MemoryStream[EdgeRow],
      asked: Seq[(Long, Long)] = Seq((1L, 3L)),
      window: String = "10 seconds",
      delay: String = "0 seconds",
      by: Seq[String] = Nil
  ): DataFrame = input.toDF().withColumn("payer", $"src").withWatermark("time", delay)
    .bicConnectivity(window, "5 seconds", asked.toDF("source", "target"), by = by)

  private val before = Seq(EdgeRow(0, 1, 2, timestamp(1)), EdgeRow(0, 2, 3, timestamp(5)))
  private val after = Seq(EdgeRow(0, 3, 4, timestamp(12)))

  test("other queries, another question and another delay take over the state as it is") {
    withCheckpoint { (input, checkpoint) =>
      input.addData(before)
      assert(answers(runToEnd(query(input), checkpoint)) == Seq((-5L, 5L, 1L, 3L, false)))
      input.addData(after)
      assert(answers(runToEnd(query(input, Seq((1L, 2L), (2L, 3L))), checkpoint)).sorted ==
        Seq((0L, 10L, 1L, 2L, true), (0L, 10L, 2L, 3L, true)))
      input.addData(EdgeRow(0, 7, 8, timestamp(16)))
      val stats = input.toDF().withWatermark("time", "0 seconds").bicComponentStats("10 seconds", "5 seconds")
      assert(runToEnd(stats, checkpoint).map(_.toSeq.drop(1)) == Seq(Seq(3L, 2L, 1L, 3L)))
      input.addData(EdgeRow(0, 7, 8, timestamp(26)))
      assert(answers(runToEnd(query(input, delay = "7 seconds"), checkpoint)).isEmpty)
      input.addData(EdgeRow(0, 7, 8, timestamp(27)))
      // The watermark does not go back, and with the longer delay it reaches 20 only now.
      assert(answers(runToEnd(query(input, delay = "7 seconds"), checkpoint)) ==
        Seq((10L, 20L, 1L, 3L, false)))
    }
  }

  test("the settings that a checkpoint keeps are taken from it, whatever the session says") {
    withCheckpoint { (input, checkpoint) =>
      input.addData(before)
      runToEnd(query(input), checkpoint)
      input.addData(after)
      withSQLConf(FaultRun.settingsOf("rocksdb").toSeq :+ "spark.sql.shuffle.partitions" -> "7": _*) {
        assert(answers(runToEnd(query(input), checkpoint)) == Seq((0L, 10L, 1L, 3L, true)))
      }
    }
  }

  test("another window or kind of key is refused, and the old query goes on from where it was") {
    withCheckpoint { (input, checkpoint) =>
      input.addData(before)
      runToEnd(query(input), checkpoint)
      input.addData(after)
      def refusal(changed: DataFrame): String = {
        val thrown = intercept[StreamingQueryException](runToEnd(changed, checkpoint))
        val causes = Iterator.iterate[Throwable](thrown)(_.getCause).takeWhile(_ != null).toArray
        // Spark would write the stack of a task that failed, or of the driver, before and after the message.
        causes.collect { case own: UnreadableStateException => assert(own.getStackTrace.isEmpty) }
        if (SPARK_VERSION >= "4") assert(!causes.exists(_.getMessage.contains("Job aborted")))
        reasons(thrown)
      }
      val advice =
        "Restart the query as it was when the checkpoint was written, or give the query a new checkpointLocation " +
          "and replay the input."
      assert(refusal(query(input, window = "15 seconds")).contains(
        "the state cannot be read: it belongs to a window of 10 seconds, a slide of 5 seconds and a start " +
          "time of 0 seconds, but the query has a window of 15 seconds, a slide of 5 seconds and a start time of 0 seconds. " +
          advice
      ))
      assert(refusal(query(input, by = Seq("payer"))).contains(TestShims.otherStateKey))
      // To Spark, an integer is as good a key as that of the only graph.
      assert(refusal(query(input, by = Seq("graph"))).contains(
        s"the state of graph [0] cannot be read: it belongs to a query without by, but this one is by 'graph'. $advice"
      ))
      assert(answers(runToEnd(query(input), checkpoint)) == Seq((0L, 10L, 1L, 3L, true)))
    }
  }

  for (layout <- FaultRun.layouts; nullableFirst <- Seq(false, true))
    test(s"$layout: a restart whose columns of by may ${if (nullableFirst) "not " else ""}be null any more") {
      val keys =
        Seq("graph", "string(graph)", "named_struct('id', graph, 'of', named_struct('id', graph))") ++
          (if (layout == "value") Seq("array(graph)") else Nil)
      val by = keys.indices.map(i => s"k$i")
      withSQLConf(FaultRun.settingsOfLayout(layout): _*) {
        withCheckpoint { (input, checkpoint) =>
          def run(nullable: Boolean): Seq[Long] = {
            val graph = if (nullable) "if(src < 0, null, graph) AS graph" else "graph"
            val columns = "src" +: "dst" +: "time" +: keys.zip(by).map { case (key, k) => s"$key AS $k" }
            val edges = input.toDF().selectExpr("src", "dst", "time", graph).selectExpr(columns: _*)
            val stats =
              edges.withWatermark("time", "0 seconds").bicComponentStats("10 seconds", "5 seconds", by = by)
            runToEnd(stats, checkpoint).map(_.getAs[Long]("edges"))
          }
          // The last of these edges may be of another graph, whose key has nulls and stays in the state.
          input.addData(before :+ EdgeRow(0, -1, -2, timestamp(6)))
          assert(run(nullableFirst) == Seq(1L))
          input.addData(after)
          assert(run(!nullableFirst).sorted == (if (nullableFirst) Seq(1L, 2L) else Seq(3L)))
        }
      }
    }

  test("the same windows in other words are the same panes") {
    def panes(window: Seq[String], slide: String, startTime: String) = {
      val made = Arguments.panes(window, Option(slide), Some(startTime))
      made.copy(startTime = Math.floorMod(made.startTime, made.slide))
    }
    val half = panes(Seq("30 minutes"), "30 minutes", "20 minutes")
    assert(half == panes(Seq("30 minutes"), null, "-10 minutes"))
    assert(half.copy(startTime = 0) == panes(Seq("1800 seconds"), "30 minutes", "0 minutes"))
    val two = panes(Seq("30 minutes", "1 hour"), "10 minutes", "9 minutes")
    assert(two == panes(Seq("1 hour", "1800 seconds"), "600 seconds", "-1 minute"))
  }
}
