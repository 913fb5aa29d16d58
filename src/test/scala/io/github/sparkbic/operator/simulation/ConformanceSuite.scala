package io.github.sparkbic.operator.simulation

import java.nio.file.Files

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import org.apache.spark.sql.{DataFrame, Dataset, Row}
import org.apache.spark.sql.bic.PatientStreamTest
import org.apache.spark.sql.bic.TestShims.MemoryStream
import org.apache.spark.sql.functions.{col, timestamp_micros}
import org.apache.spark.sql.streaming.{StreamingQuery, Trigger}

import io.github.sparkbic.operator.block.Names
import io.github.sparkbic.operator.state.LayoutSetting

/** A row of a simulated source, as Spark reads it; `time` is in microseconds. */
final case class ArrivalRow(graph: Int, src: Option[Long], dst: Long, time: Long)

/** The model of Spark that [[World]] has, beside Spark: the same schedules give the same micro-batches, with the same
  * watermarks, rows and counters. The schedules have no faults of attempts, commits and executors, which Spark makes by
  * itself.
  */
abstract class Conformance(schedules: Int) extends PatientStreamTest {
  import testImplicits._

  /** What a micro-batch was: its watermark in milliseconds, its lines, sorted, and its counters. */
  private type Seen = (Long, Seq[String], Seq[Long])

  /** Rows, restarts, and a run to the end of all work after each. */
  private def calm(schedule: Schedule): Seq[Step] = schedule.steps.flatMap {
    // No row is a micro-batch in a source of Spark's tests, and nothing in the model.
    case Arrive(Nil)      => Nil
    case arrive: Arrive   => Seq(arrive, RunBatch(0, 0))
    case Restart(seed, _) => Seq(Restart(seed, losesCommit = false))
    case GoBack(seed, _)  => Seq(Restart(seed, losesCommit = false))
    case _                => Nil
  } ++ Seq(Arrive(Seq(World.Flush)), RunBatch(0, 0))

  private def simulated(schedule: Schedule): Seq[Seen] = {
    val world = new World(schedule.setup, schedule.settings, Mutant.None)
    calm(schedule).foreach {
      case run: RunBatch => while (world.hasWork) world.step(run)
      case step          => world.step(step)
    }
    world.batches.map(batch => (batch.plan.watermark, batch.lines.sorted, batch.counters))
  }

  private def onSpark(schedule: Schedule): Seq[Seen] = {
    val setup = schedule.setup
    val input = MemoryStream[ArrivalRow]
    val checkpoint = Files.createTempDirectory("conformance")
    val seen = mutable.TreeMap.empty[Long, (Long, Seq[String])]
    val counters = mutable.Map.empty[Long, Seq[Long]]
    val sink = (batch: Dataset[Row], id: Long) => {
      val offsets = Files.readString(checkpoint.resolve(s"offsets/$id"))
      val watermark = "\"batchWatermarkMs\":(\\d+)".r.findFirstMatchIn(offsets).get.group(1).toLong
      val lines = batch.collect().toSeq.map(line)
      synchronized(seen.put(id, watermark -> lines)): Unit
    }
    var running = Option.empty[StreamingQuery]
    def stop(): Unit = running.foreach { query =>
      query.stop()
      query.recentProgress.foreach { progress =>
        progress.observedMetrics.values.asScala.filterNot(_.isNullAt(0)).foreach { row =>
          counters(progress.batchId) = (0 until 4).map(row.getLong)
        }
      }
      running = None
    }
    try
      calm(schedule).foreach {
        case Arrive(rows) =>
          input.addData(rows.map(row => ArrivalRow(row.graph, row.src, row.dst, row.time)))
        case RunBatch(_, _) =>
          if (running.isEmpty)
            running = Some(
              ask(setup, schedule.settings.index, edges(setup, input.toDF())).writeStream.foreachBatch(sink)
                .option("checkpointLocation", checkpoint.toString).trigger(Trigger.ProcessingTime(0)).start()
            )
          running.get.processAllAvailable()
        case _ => stop()
      }
    finally stop()
    seen.toSeq.map { case (id, (watermark, lines)) =>
      (watermark, lines.sorted, counters.getOrElse(id, Seq.fill(4)(0L)))
    }
  }

  private def edges(setup: Setup, rows: DataFrame): DataFrame = {
    // The same names as in the simulation: a hexadecimal number of sixteen digits, in the order of the numbers.
    def vertex(column: String) =
      if (setup.strings) s"lower(lpad(hex($column ^ ${Long.MaxValue}L ^ -1L), 16, '0')) AS $column"
      else column
    rows.withColumn("time", timestamp_micros(col("time")))
      .selectExpr("graph", vertex("src"), vertex("dst"), "time")
      .withWatermark("time", s"${setup.delay} milliseconds")
  }

  private def ask(setup: Setup, index: String, edges: DataFrame): DataFrame = {
    def micros(length: Long) = s"$length microseconds"
    val windows = (setup.panes.window +: setup.panes.shorter).map(micros)
    val (slide, start) = (micros(setup.panes.slide), micros(setup.panes.startTime % setup.panes.slide))
    def pairs =
      if (setup.strings)
        setup.pairs.map { case (s, t) => Names.inOrder(s) -> Names.inOrder(t) }.toDF("source", "target")
      else setup.pairs.toDF("source", "target")
    setup.asked.ask(edges, pairs)(
      "window" -> windows,
      "slide" -> slide,
      "by" -> Seq("graph"),
      "start_time" -> start,
      "index" -> index
    )
  }

  /** A row of an answer as [[Attempt]] writes it. */
  private def line(row: Row): String = {
    def plain(value: Any): Any = value match {
      case time: java.sql.Timestamp => time.getTime / 1000 * 1000000L + time.getNanos / 1000
      case inner: Row               => Row.fromSeq(inner.toSeq.map(plain))
      case items: collection.Seq[_] => items.map(plain)
      case other                    => other
    }
    val window = row.getStruct(1)
    (Seq(
      row.get(0),
      window.get(0),
      window.get(1)
    ) ++ row.toSeq.drop(2)).map(plain).map(Attempt.show).mkString("|")
  }

  // Times after 1970, as all are, so that dividing milliseconds rounds down.
  private def conforms(seeds: Seq[Long]): Unit = seeds.foreach { seed =>
    val schedule = Schedule.of(seed)
    val (model, spark) = (simulated(schedule), onSpark(schedule))
    assert(model.map(_._1) == spark.map(_._1), s"watermarks of seed $seed\n$schedule")
    model.zip(spark).zipWithIndex.foreach { case ((inModel, inSpark), i) =>
      assert(inModel == inSpark, s"micro-batch $i of seed $seed\n$schedule")
    }
  }

  private def seeds(inPanes: Boolean, count: Int): Seq[Long] =
    Iterator.from(0).map(_.toLong).filter { seed =>
      val schedule = Schedule.of(seed)
      val isShort = schedule.steps.size <= 14 && Scale.of(seed) == Scale.small
      schedule.setup.inPanes == inPanes && isShort && schedule.steps.exists(_.isInstanceOf[Restart])
    }.take(count).toSeq

  test(
    "one value a graph: Spark runs the micro-batches of the model, with its watermarks, rows and counters"
  ) {
    conforms(seeds(inPanes = false, schedules))
  }

  test("pane by pane: Spark runs the micro-batches of the model, with its watermarks, rows and counters") {
    withSQLConf(
      LayoutSetting.Conf -> LayoutSetting.Panes,
      "spark.sql.streaming.stateStore.providerClass" ->
        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
    )(conforms(seeds(inPanes = true, schedules)))
  }
}

class ConformanceSuite extends Conformance(schedules = 1)
