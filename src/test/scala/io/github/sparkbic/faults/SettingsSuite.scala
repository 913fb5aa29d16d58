package io.github.sparkbic.faults

import java.nio.file.Files

import org.scalatest.funsuite.AnyFunSuite

/** A round of `make fuzz-settings`, from a seed that does not change; `DriverKillSuite` has rounds of `make soak`. */
class SettingsSuite extends AnyFunSuite {
  private val Seed = 7L

  test("a round of random settings of Spark's state and of ours, each micro-batch checked") {
    val folder = Files.createTempDirectory("spark-bic-fuzz")
    val child =
      ChildDriver.start("io.github.sparkbic.faults.SettingsFuzz", Seq("1", Seed.toString), folder, "2g")
    val ended = child.awaitEnd(900000)
    if (!ended) child.kill()
    assert(ended && child.finished, child.output)
    assert(child.output.linesIterator.exists(_.matches("fuzz-settings: seed .*: right, .*")))
    ChildDriver.delete(folder)
  }
}
