package io.github.sparkbic.operator.simulation.faults

import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.operator.simulation.{Conformance, SimulationSuite, Simulator}

/** More schedules on Spark itself than the short tests have time for. */
class ManyConformanceSuite extends Conformance(schedules = 3)

/** The schedules that follow those of the short tests. `make simulate` runs more of them. */
class ManySimulationSuite extends AnyFunSuite {
  test("ten thousand more schedules give the rows of the oracle") {
    val summary =
      Simulator.runAll(SimulationSuite.Seeds, count = 10000, Runtime.getRuntime.availableProcessors)
    summary.failed.foreach(seed => fail(Simulator.report(seed)))
    assert(summary.seeds == 10000)
  }
}
