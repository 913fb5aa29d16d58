package io.github.sparkbic.faults

import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.index.Indexes

/** Settings and inputs that are out to hurt, each in a JVM of its own. `SPARK_BIC_LONG=1` tries inputs on every index. */
class HostileSuite extends AnyFunSuite {

  test("a round of random settings of Spark's state and of ours, each micro-batch checked") {
    val printed = ChildDriver.run("SettingsFuzz", "2g")(_ => Seq("1", "7"))
    assert(printed.linesIterator.exists(_.matches("fuzz-settings: seed .*: right, .*")))
  }

  test("inputs that are out to hurt are answered in a heap of 1 GiB, Spark's own part of it included") {
    val isLong = sys.env.contains("SPARK_BIC_LONG")
    val which = if (isLong) HostileInputs.All else "in turns"
    val printed = ChildDriver.run("HostileInputs", "1g")(folder => Seq(folder.toString, which))
    val lines = printed.linesIterator.filter(_.contains(" ms, heap up to ")).toSeq
    lines.foreach(info(_))
    assert(lines.size == HostileInputs.cases.size * (if (isLong) Indexes.names.size else 1))
  }
}
