package io.github.sparkbic.operator.simulation.faults

import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.operator.simulation.{SimulationSuite, Simulator}

/** The schedules that follow those of the short tests. */
class ManySimulationSuite extends AnyFunSuite {
  private val Seeds = 12500L

  test("more schedules give the rows of the oracle") {
    val summary = Simulator.runAll(SimulationSuite.Seeds, Seeds, Runtime.getRuntime.availableProcessors)
    summary.failed.foreach(seed => fail(Simulator.report(seed)))
    assert(summary.seeds == Seeds)
  }
}
