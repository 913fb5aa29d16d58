package io.github.sparkbic.faults

import java.nio.file.Files

import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.index.Indexes

/** [[HostileInputs]] in a heap of 1 GiB, Spark's own part of it included. `SPARK_BIC_LONG=1` tries each on every index. */
class HostileSuite extends AnyFunSuite {

  test("inputs that are out to hurt are answered in 1 GiB") {
    val which = if (sys.env.contains("SPARK_BIC_LONG")) HostileInputs.All else "in turns"
    val folder = Files.createTempDirectory("spark-bic-hostile")
    val child =
      ChildDriver.start("io.github.sparkbic.faults.HostileInputs", Seq(folder.toString, which), folder, "1g")
    val ended = child.awaitEnd(1200000)
    if (!ended) child.kill()
    assert(ended && child.finished, child.output)
    val lines = child.output.linesIterator.filter(_.contains(" ms, heap up to ")).toSeq
    lines.foreach(info(_))
    assert(lines.size == HostileInputs.cases.size * (if (which == HostileInputs.All)
                                                       Indexes.names.size
                                                     else 1))
    ChildDriver.delete(folder)
  }
}
