package io.github.sparkbic.operator.simulation.faults

import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.operator.simulation.{Conformance, SimulationSuite, Simulator}

/** More schedules than the short tests have time for; `make simulate` goes on. */
class ManySchedulesSuite extends AnyFunSuite {

  test("twenty thousand schedules after those of the short tests") {
    val summary =
      Simulator.runAll(SimulationSuite.Seeds, count = 20000, Runtime.getRuntime.availableProcessors)
    summary.failed.foreach(seed => fail(Simulator.report(seed)))
    assert(summary.seeds == 20000)
  }
}

class ManyConformanceSuite extends Conformance(schedules = 3)
