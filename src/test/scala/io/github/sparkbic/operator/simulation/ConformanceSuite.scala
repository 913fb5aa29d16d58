package io.github.sparkbic.operator.simulation

import java.nio.file.Files

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import org.apache.spark.sql.{Dataset, Row}
import org.apache.spark.sql.bic.PatientStreamTest
import org.apache.spark.sql.bic.TestShims.MemoryStream
import org.apache.spark.sql.streaming.{StreamingQuery, Trigger}

import io.github.sparkbic.faults.FaultRun
import io.github.sparkbic.operator.question.AskedAsOf

/** The model of Spark that [[World]] has, beside Spark: the same schedules give the same micro-batches, with the same
  * watermarks, rows and counters, which are those of the oracle. Faults of attempts, commits and executors are left out,
  * since Spark makes them by itself.
  *
  * @param layoutsOf the layouts of a kind, by the number of the kind
  */
abstract class Conformance(ofEach: Int, layoutsOf: Int => Seq[String]) extends PatientStreamTest {
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

  /** After a step that runs micro-batches: how many have run, and the pairs that were asked for. */
  private type Done = (Int, Seq[(Long, Long)])

  /** The micro-batches of the model, and what has been done after each run of the schedule. */
  private def simulated(schedule: Schedule): (Seq[Seen], Seq[Done]) = {
    val world = new World(schedule.setup, schedule.settings, Mutant.None)
    val done = calm(schedule).flatMap {
      case run: RunBatch =>
        while (world.hasWork) world.step(run)
        Some(world.batches.size -> world.pairs)
      case step =>
        world.step(step)
        None
    }
    val source = calm(schedule).collect { case Arrive(rows) => rows }.flatten.toIndexedSeq
    assert(SimulationOracle.difference(schedule.setup, source, world.batches).isEmpty)
    (world.batches.map(batch => (batch.plan.watermark, batch.lines.sorted, batch.counters)), done)
  }

  /** @param done which micro-batches to wait for in each run of the schedule */
  private def onSpark(schedule: Schedule, done: Seq[Done]): Seq[(Long, Seq[String], Option[Seq[Long]])] = {
    val awaited = done.iterator
    val setup = schedule.setup
    val input = MemoryStream[ArrivalRow]
    val checkpoint = Files.createTempDirectory("conformance")
    val seen = mutable.TreeMap.empty[Long, (Long, Seq[String])]
    val counters = mutable.Map.empty[Long, Seq[Long]]
    // Spark 3.5 tells no counters of a micro-batch without data.
    val untold = mutable.Set.empty[Long]
    val sink = (batch: Dataset[String], id: Long) => {
      val offsets = Files.readString(checkpoint.resolve(s"offsets/$id"))
      val watermark = "\"batchWatermarkMs\":(\\d+)".r.findFirstMatchIn(offsets).get.group(1).toLong
      val lines = batch.collect().toSeq.sorted
      synchronized(seen.put(id, watermark -> lines)): Unit
    }
    def start(pairs: Seq[(Long, Long)]): StreamingQuery = {
      val index = schedule.settings.index
      val lines = OnSpark.answers(setup, index, input.toDS(), setup.delay, Seq("graph"), pairs)
      lines.writeStream.foreachBatch(sink).option("checkpointLocation", checkpoint.toString)
        .trigger(Trigger.ProcessingTime(0)).start()
    }
    var running = Option.empty[StreamingQuery]
    var rowsCounted = -1L
    def stop(): Unit = running.foreach { query =>
      query.stop()
      for (progress <- query.recentProgress; row: Row <- progress.observedMetrics.values.asScala)
        if (!row.isNullAt(0)) counters(progress.batchId) = (0 until 4).map(row.getLong)
      if (spark.version.startsWith("3."))
        untold ++= query.recentProgress.filter(_.observedMetrics.isEmpty).map(_.batchId)
      rowsCounted = query.lastProgress.stateOperators.map(_.numRowsTotal).sum
      running = None
    }
    try
      calm(schedule).foreach {
        case Arrive(rows) => input.addData(rows.map(ArrivalRow.of))
        case RunBatch(_, _) =>
          val (count, pairs) = awaited.next()
          if (running.isEmpty) running = Some(start(pairs))
          running.get.processAllAvailable()
          // It may come back before a micro-batch without data has ended, which tells its counters then.
          val last = count - 1L
          eventually(timeout(streamingTimeout))(assert(running.get.recentProgress.exists(p =>
            p.batchId == last && p.durationMs.containsKey("addBatch")
          )))
        case _ => stop()
      }
    finally stop()
    // Spark 4.0 may count rows of transformWithState that are not there.
    val rowsOfState = if (setup.inPanes) rowsInPanes(setup, checkpoint.toString) else rowsCounted
    assert(rowsOfState == 0, "state is left, though the watermark is beyond all windows")
    seen.toSeq.map { case (id, (watermark, lines)) =>
      (watermark, lines, counters.get(id).orElse(if (untold(id)) None else Some(Seq.fill(4)(0L))))
    }
  }

  /** The rows of all variables in the state of a stopped query with the layout `panes`, and its timers. */
  private def rowsInPanes(setup: Setup, checkpoint: String): Long = {
    val variables = Seq("graph", "panes") ++ (if (setup.question(0).kept.hasValue) Some("kept") else None)
    (variables.map("stateVarName" -> _) :+ ("readRegisteredTimers" -> "true")).map { case (option, value) =>
      spark.read.format("statestore").option(option, value).load(checkpoint).count()
    }.sum
  }

  /** Short schedules with a restart, late edges and rows with a null, which answer windows in several micro-batches.
    * @param waits whether events wait, where the question is about events
    */
  private def telling(inPanes: Boolean, strings: Boolean, waits: Option[Boolean]): Seq[Long] =
    Iterator.from(0).map(_.toLong).filter(Scale.of(_) == Scale.small).filter { seed =>
      val schedule = Schedule.of(seed)
      import schedule.setup
      val asked = setup.asked match {
        case asOf: AskedAsOf => Some(asOf.waits)
        case _               => None
      }
      // In Spark each run of a query is made of a list.
      asked == waits && !setup.refreshes && setup.inPanes == inPanes && setup.strings == strings &&
      schedule.steps.size <= 10 && schedule.steps.exists(_.isInstanceOf[Restart]) && {
        val counters = simulated(schedule)._1.map(_._3)
        counters.count(_(3) > 0) > 2 && Seq(1, 2).forall(i => counters.exists(_(i) > 0))
      }
    }.take(ofEach).toSeq

  private val stores = FaultRun.providers.map(_._1).filter(_ != "panes")

  for {
    ((kind, strings, waits), i) <- Seq(
      ("numbers", false, None),
      ("strings", true, None),
      ("events of numbers, which wait", false, Some(true)),
      ("events of strings, at once", true, Some(false))
    ).zipWithIndex
    layout <- layoutsOf(i)
    store = if (layout == "panes") layout else stores(i % stores.size)
  }
    test(s"$layout in $store, $kind: Spark runs the model's micro-batches") {
      withSQLConf(FaultRun.settingsOf(store).toSeq: _*) {
        telling(inPanes = layout == "panes", strings, waits).foreach { seed =>
          val schedule = Schedule.of(seed)
          val (model, done) = simulated(schedule)
          val spark = onSpark(schedule, done)
          assert(model.map(_._1) == spark.map(_._1), s"watermarks of seed $seed\n$schedule")
          model.zip(spark).zipWithIndex.foreach { case ((inModel, inSpark), i) =>
            val (watermark, lines, counters) = inSpark
            val told = (watermark, lines, counters.getOrElse(inModel._3))
            assert(inModel == told, s"micro-batch $i of seed $seed\n$schedule")
          }
        }
      }
    }
}

/** The layouts take turns; `ManyConformanceSuite` has each kind with each layout, and each state store of Spark. */
class ConformanceSuite
    extends Conformance(ofEach = 1, kind => Seq(FaultRun.layouts(kind % FaultRun.layouts.size)))
