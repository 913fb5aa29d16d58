package io.github.sparkbic.operator.state

import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}

/** Edges per pane: bytes that are none, and memory. The simulator shows that they are the edges that came. */
class PaneCountsSuite extends AnyFunSuite {
  test("a pane that is not after the one before is refused, and so are more panes than there can be") {
    def refusal(panes: Long, numbers: Long*): String = {
      val out = new BinaryWriter
      out.unsigned(panes)
      numbers.foreach(out.signed)
      intercept[CorruptStateException](PaneCounts.restore(new BinaryReader(out.toBytes))).getMessage
    }
    assert(refusal(2, 5, 0, 0, 0) == "the counted panes are not in rising order")
    assert(refusal(2, 5, 0, -1, 0) == "the counted panes are not in rising order")
    assert(refusal(9, 5, 0) == "the number of counted panes is 9, but must be below 4")
  }

  test("memory follows the panes that are counted, not those that were") {
    val counts = new PaneCounts
    (0L until 100000L).foreach { pane =>
      counts.add(pane, 1)
      counts.forgetBefore(pane - 19)
    }
    assert(counts.between(0, 100000) == 20)
    assert(counts.room <= 64)
  }
}
