package io.github.sparkbic.operator.simulation.faults

import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.faults.FaultRun
import io.github.sparkbic.operator.simulation.{Conformance, SimulationSuite, Simulator}

/** More schedules on Spark itself than the short tests have time for. `make simulate` runs more of them over the model. */
class ManyConformanceSuite extends Conformance(ofEach = 3, _ => FaultRun.layouts)

/** The schedules that follow those of the short tests. */
class ManySimulationSuite extends AnyFunSuite {
  test("more schedules give the rows of the oracle") {
    val summary = Simulator.runAll(SimulationSuite.Seeds, 12500, Runtime.getRuntime.availableProcessors)
    summary.failed.foreach(seed => fail(Simulator.report(seed)))
    assert(summary.seeds == 12500)
  }
}
