package io.github.sparkbic.operator.simulation.faults

import io.github.sparkbic.faults.FaultRun
import io.github.sparkbic.operator.simulation.Conformance

/** More schedules on Spark itself than the short tests have time for. `make simulate` runs more of them over the model. */
class ManyConformanceSuite extends Conformance(ofEach = 3, _ => FaultRun.layouts)
