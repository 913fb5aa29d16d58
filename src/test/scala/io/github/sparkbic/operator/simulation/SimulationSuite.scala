package io.github.sparkbic.operator.simulation

import org.scalatest.funsuite.AnyFunSuite

/** Schedules from seeds: whatever fails, wakes up late or starts again, the sink holds the rows of the oracle, once. */
class SimulationSuite extends AnyFunSuite {
  private val threads = Runtime.getRuntime.availableProcessors

  test("schedules give the rows of the oracle, and every kind of event happens") {
    val summary = Simulator.runAll(from = 0, SimulationSuite.Seeds, threads)
    summary.failed.foreach(seed => fail(Simulator.report(seed)))
    assert(summary.seeds == SimulationSuite.Seeds)
    SimulationSuite.rare.map(seed => Simulator.run(Schedule.of(seed))).foreach { outcome =>
      assert(outcome.failure.isEmpty)
      summary.add(outcome)
    }
    info(summary.toString)
    SimulationSuite.events.foreach(event => assert(summary.events(event) > 100, event))
    summary.crossed.foreach { case (threshold, n) => assert(n > 0, threshold) }
  }

  test("every schedule that has ever failed passes") {
    SimulationSuite.corpus.foreach { seed =>
      Simulator.run(Schedule.of(seed)).failure.foreach(_ => fail(Simulator.report(seed)))
    }
  }

  test("a seed gives one schedule, and one schedule the same rows, events and bytes each time") {
    (0L until 60L).foreach { seed =>
      val (one, other) = (Schedule.of(seed), Schedule.of(seed))
      assert(one == other)
      val (first, second) = (Simulator.run(one), Simulator.run(other))
      assert(first.events == second.events)
      assert(first.batches.map(_.plan) == second.batches.map(_.plan))
      assert(first.batches.map(_.lines) == second.batches.map(_.lines))
      assert(first.written == second.written)
    }
  }

  test("every planted fault is found, and its schedule becomes short") {
    val found = Mutant.all.map { mutant =>
      val failed = Simulator.runAll(from = 0, SimulationSuite.Seeds, threads, mutant).failed
      assert(failed.nonEmpty, s"not found: ${mutant.name}")
      assert(Simulator.run(Schedule.of(failed.get)).failure.isEmpty, "the seed fails without the fault, too")
      mutant.name -> failed.get
    }
    found.foreach { case (name, seed) => info(s"seed $seed: $name") }
    val short = Simulator.shortest(Schedule.of(found.last._2), Mutant.all.last)
    assert(short.steps.size <= Schedule.of(found.last._2).steps.size)
    assert(Simulator.run(short, Mutant.all.last).failure.nonEmpty)
    assert(Simulator.run(short).failure.isEmpty)
  }
}

object SimulationSuite {
  val Seeds = 2500L

  /** Seeds that have failed, with a planted fault or without one. */
  val corpus: Seq[Long] = Seq(0, 1, 2, 3, 10, 11, 17, 25, 28, 29, 196, 361, 267650)

  /** Seeds that go beyond sizes which few schedules reach. */
  val rare: Seq[Long] = Seq(2573, 2937, 4137, 10937)

  /** What must have happened, each more than a hundred times in all schedules. */
  val events: Seq[String] =
    Seq("bit flipped", "file cut", "files exchanged", "damage reported", "executor lost") ++
      Seq("midway", "before its commit", "after its commit").map("died: " + _) ++
      Seq("late attempt committed", "second attempt committed", "commit lost", "older checkpoint") ++
      Seq("restart", "other pairs asked", "micro-batch", "micro-batch failed")
}
