package io.github.sparkbic.operator.state

import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}

/** Values by pane come back; panes that do not rise are refused. */
class ByPaneSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  private def restored(in: BinaryReader): Seq[(Long, Long)] = {
    val found = Seq.newBuilder[(Long, Long)]
    ByPane.restore(in, "panes")(pane => found += pane -> in.signed())
    found.result()
  }

  test("values of any panes come back by rising pane") {
    forAll { (values: Map[Long, Long]) =>
      // As far apart as panes of a state can be.
      val panes = values.map { case (pane, value) => (pane >> 1) -> value }
      val out = new BinaryWriter
      ByPane.save(panes.toSeq.sorted.iterator, panes.size, out)(out.signed)
      val in = new BinaryReader(out.toBytes)
      assert(restored(in) == panes.toSeq.sorted)
      in.expectEnd()
    }
  }

  test("a pane that is not after the one before is refused, and so are more panes than there can be") {
    def refusal(numbers: Long*): String = {
      val out = new BinaryWriter
      out.unsigned(numbers.head)
      numbers.tail.foreach(out.signed)
      intercept[CorruptStateException](restored(new BinaryReader(out.toBytes))).getMessage
    }
    assert(refusal(2, 5, 0, 0, 0) == "the panes are not in rising order")
    assert(refusal(2, 5, 0, -1, 0) == "the panes are not in rising order")
    assert(refusal(9, 5, 0) == "the number of panes is 9, but must be below 4")
  }
}
