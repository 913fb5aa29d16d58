package io.github.sparkbic.operator.simulation

import org.scalatest.funsuite.AnyFunSuite

/** Schedules from seeds: whatever fails, wakes up late or starts again, the sink holds the rows of the oracle, once. */
class SimulationSuite extends AnyFunSuite {
  private val threads = Runtime.getRuntime.availableProcessors

  test("schedules give the rows of the oracle, and every kind of event happens") {
    val summary = Simulator.runAll(from = 0, SimulationSuite.Seeds, threads)
    summary.failed.foreach(seed => fail(Simulator.report(seed)))
    assert(summary.seeds == SimulationSuite.Seeds)
    SimulationSuite.corpus.foreach { seed =>
      val outcome = Simulator.run(Schedule.of(seed))
      outcome.failure.foreach(_ => fail(Simulator.report(seed)))
      summary.add(outcome)
    }
    info(summary.toString)
    SimulationSuite.events.foreach(event => assert(summary.events(event) > 100, event))
    summary.crossed.foreach { case (threshold, n) => assert(n > 0, threshold) }
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

  /** Further seeds: those that go beyond sizes which few schedules reach, and those that have failed. */
  val corpus: Seq[Long] = Seq(2573, 2937, 4137, 10937, 267650)

  /** What must have happened, each more than a hundred times in all schedules. */
  val events: Seq[String] =
    Seq("bit flipped", "file cut", "files exchanged", "damage reported", "executor lost") ++
      Seq("midway", "before its commit", "after its commit").map("died: " + _) ++
      Seq("late attempt committed", "second attempt committed", "commit lost", "older checkpoint") ++
      Seq("restart", "other pairs asked", "micro-batch", "micro-batch failed")
}
