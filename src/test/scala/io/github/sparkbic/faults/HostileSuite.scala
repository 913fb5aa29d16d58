package io.github.sparkbic.faults

import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.index.Indexes

/** [[HostileInputs]] in a heap of 1 GiB, Spark's own part of it included. `SPARK_BIC_LONG=1` tries each on every index. */
class HostileSuite extends AnyFunSuite {

  test("inputs that are out to hurt are answered in 1 GiB") {
    val isLong = sys.env.contains("SPARK_BIC_LONG")
    val which = if (isLong) HostileInputs.All else "in turns"
    val printed = ChildDriver.run("HostileInputs", "1g")(folder => Seq(folder.toString, which))
    val lines = printed.linesIterator.filter(_.contains(" ms, heap up to ")).toSeq
    lines.foreach(info(_))
    assert(lines.size == HostileInputs.cases.size * (if (isLong) Indexes.names.size else 1))
  }
}
