package io.github.sparkbic.faults

import org.scalatest.funsuite.AnyFunSuite

/** A round of `make fuzz-settings`, from a seed that does not change; `DriverKillSuite` has rounds of `make soak`. */
class SettingsSuite extends AnyFunSuite {
  private val Seed = "7"

  test("a round of random settings of Spark's state and of ours, each micro-batch checked") {
    val printed = ChildDriver.run("SettingsFuzz", "2g")(_ => Seq("1", Seed))
    assert(printed.linesIterator.exists(_.matches("fuzz-settings: seed .*: right, .*")))
  }
}
