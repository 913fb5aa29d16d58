package io.github.sparkbic.operator.simulation

import java.util.concurrent.{Callable, Executors}
import java.util.concurrent.atomic.AtomicLong

import scala.collection.compat._
import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.control.NonFatal

/** Runs schedules, and shortens those that fail. */
private[operator] object Simulator {

  /** What a schedule came to: with the sizes that it went beyond, and checksums of all that was written to the state. */
  final case class Outcome(
      failure: Option[String],
      events: Map[String, Long],
      crossed: Seq[Threshold],
      batches: Seq[World.Committed],
      written: Seq[Long]
  )

  def run(schedule: Schedule, mutant: Mutant = Mutant.None): Outcome = {
    val world = new World(schedule.setup, schedule.settings, mutant)
    val failure =
      try {
        schedule.steps.foreach(world.step)
        world.finish()
        val source = schedule.steps.collect { case Arrive(rows) => rows }.flatten.toIndexedSeq :+ World.Flush
        SimulationOracle.difference(schedule.setup, source, world.batches)
      } catch {
        // Whatever the product throws is a finding, and is told with its schedule.
        case e: AssertionError => Some(e.toString)
        case NonFatal(e) => Some((e.toString +: e.getStackTrace.take(12).map("  at " + _)).mkString("\n"))
      }
    Outcome(failure, world.events.toMap, world.sizes.crossed, world.batches, world.written)
  }

  /** A shorter schedule that fails, too; as short as leaving out steps and rows makes it. */
  def shortest(failing: Schedule, mutant: Mutant = Mutant.None): Schedule = {
    var schedule = failing
    var next = Option(schedule)
    while (next.nonEmpty) {
      schedule = next.get
      next = Schedule.shorter(schedule).find(run(_, mutant).failure.nonEmpty)
    }
    schedule
  }

  /** Of these seeds, the first that fails, with its outcome; and how often each thing happened. */
  def runAll(from: Long, count: Long, threads: Int, mutant: Mutant = Mutant.None): Summary = {
    val pool = Executors.newFixedThreadPool(threads)
    val end = new AtomicLong(from + count)
    try {
      val parts = (0 until threads).map { part =>
        val task: Callable[Summary] = () => {
          val summary = new Summary
          var seed = from + part
          // What another thread has found ends this one, too, but for the seeds before.
          while (seed < end.get) {
            val outcome = run(Schedule.of(seed), mutant)
            outcome.failure.foreach { _ =>
              summary.failed = Some(seed)
              end.accumulateAndGet(seed, math.min(_, _))
            }
            summary.add(outcome)
            seed += threads
          }
          summary
        }
        task
      }
      pool.invokeAll(parts.asJava).asScala.map(_.get()).reduce(_ merge _)
    } finally pool.shutdownNow(): Unit
  }

  final class Summary {
    var seeds = 0L
    var failed = Option.empty[Long]
    val events: mutable.Map[String, Long] = mutable.TreeMap.empty[String, Long].withDefaultValue(0L)

    val crossed: mutable.Map[Threshold, Long] = mutable.LinkedHashMap(Threshold.all.map(_ -> 0L): _*)

    def add(outcome: Outcome): Unit = {
      seeds += 1
      outcome.events.foreach { case (event, n) => events(event) += n }
      outcome.crossed.foreach(crossed(_) += 1)
    }

    def merge(other: Summary): Summary = {
      seeds += other.seeds
      failed = (failed ++ other.failed).minOption
      other.events.foreach { case (event, n) => events(event) += n }
      other.crossed.foreach { case (threshold, n) => crossed(threshold) += n }
      this
    }

    override def toString: String =
      (s"$seeds schedules" +: events.toSeq.map { case (event, n) => f"$n%,12d $event" } ++:
        "schedules with a size beyond" +:
        crossed.toSeq.map { case (threshold, n) => f"$n%,12d ${threshold.limit}%,9d ${threshold.name}" })
        .mkString("\n")
  }

  def report(seed: Long): String = {
    val short = shortest(Schedule.of(seed))
    s"""seed $seed fails; make simulate SEED=$seed runs it again
       |$short
       |${run(short).failure.getOrElse("")}""".stripMargin
  }

  /** `SEED`, or the number of seeds and the first of them; with anything behind, no shortest form is looked for. */
  def main(arguments: Array[String]): Unit = arguments match {
    case Array(seed) =>
      val outcome = run(Schedule.of(seed.toLong))
      println(Schedule.of(seed.toLong))
      println(outcome.failure.fold(s"seed $seed passes: ${outcome.batches.size} micro-batches")(_ =>
        report(seed.toLong)
      ))
      if (outcome.failure.nonEmpty) sys.exit(1)
    case Array(count, from, more @ _*) =>
      val start = System.nanoTime()
      def seconds = (System.nanoTime() - start) / 1000000000L
      val (first, end) = (from.toLong, from.toLong + count.toLong)
      val summary = new Summary
      while (first + summary.seeds < end && summary.failed.isEmpty) {
        val next = first + summary.seeds
        summary.merge(runAll(next, math.min(50000, end - next), Runtime.getRuntime.availableProcessors))
        println(s"${summary.seeds} schedules in $seconds s")
      }
      println(summary)
      summary.failed.foreach { seed =>
        println(if (more.isEmpty) report(seed) else s"seed $seed fails")
        sys.exit(1)
      }
    case _ => throw new IllegalArgumentException("give a seed, or how many seeds and the first of them")
  }
}
