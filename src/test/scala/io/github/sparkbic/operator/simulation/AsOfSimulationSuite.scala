package io.github.sparkbic.operator.simulation

import java.util.concurrent.atomic.AtomicLong

import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.operator.question.AskedAsOf

/** The schedules of the simulation, where each row is an event as well: before, with and after its edges. */
class AsOfSimulationSuite extends AnyFunSuite {

  private def schedule(seed: Long): Schedule = {
    val drawn = Schedule.of(seed)
    val asked = AskedAsOf(marked = (seed & 1) == 0, pair = (seed & 2) == 0, waits = (seed & 12) != 0)
    val panes = drawn.setup.panes
    val setup = drawn.setup.copy(asked = asked, panes = panes.copy(slide = panes.length))
    drawn.copy(setup = setup, settings = drawn.settings.copy(index = "recency"))
  }

  test("a thousand schedules give each event exactly one row, the oracle's, whatever fails") {
    val seeds = (0L until 1100L).filter(Scale.of(_) == Scale.small)
    assert(seeds.size > 800)
    val answered = new AtomicLong
    seeds.foreach { seed =>
      val outcome = Simulator.run(schedule(seed))
      outcome.failure.foreach(text => fail(s"seed $seed: $text\n${shortest(seed)}"))
      answered.addAndGet(outcome.batches.flatMap(_.lines).count(!_.endsWith("|null")).toLong)
    }
    assert(answered.get > 10000)
  }

  private def shortest(seed: Long): String = {
    val short = Simulator.shortest(schedule(seed))
    s"$short\n${Simulator.run(short).failure.getOrElse("")}"
  }
}
