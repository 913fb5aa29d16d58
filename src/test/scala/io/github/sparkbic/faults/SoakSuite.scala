package io.github.sparkbic.faults

import java.nio.file.Files

import org.scalatest.funsuite.AnyFunSuite

/** What `make soak` and `make fuzz-settings` do for as long as they are told, for a minute each. */
class SoakSuite extends AnyFunSuite {
  private val Seconds = 60L

  test("random streams, restarts and faults") {
    val end = System.nanoTime() + Seconds * 1000000000L
    var seed = FaultRun.seed
    while (System.nanoTime() < end) {
      info(s"seed $seed: ${new SoakRound(seed).run()}")
      seed += 1
    }
  }

  test("random settings of Spark's state and of ours, each micro-batch checked") {
    val folder = Files.createTempDirectory("spark-bic-fuzz")
    val arguments = Seq(Seconds.toString, FaultRun.seed.toString)
    val child = ChildDriver.start("io.github.sparkbic.faults.SettingsFuzz", arguments, folder, "2g")
    val ended = child.awaitEnd(900000)
    if (!ended) child.kill()
    assert(ended && child.finished, child.output)
    assert(child.output.linesIterator.exists(_.matches("fuzz: seed .*: right, .*")))
    ChildDriver.delete(folder)
  }
}
