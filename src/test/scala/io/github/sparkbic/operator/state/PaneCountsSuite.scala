package io.github.sparkbic.operator.state

import scala.collection.mutable

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}

/** Edges per pane, against a sorted map. */
class PaneCountsSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  // Mostly near one another, as streams have them, and as far apart as panes of a state can be.
  private val panes =
    Gen.frequency(8 -> Gen.choose(-20L, 20L), 1 -> Gen.oneOf(Long.MinValue >> 1, -1L, Long.MaxValue >> 1))

  // A pane before which all is forgotten, or a pane and a count to add.
  private val steps: Gen[List[Either[Long, (Long, Long)]]] = Gen.listOf(
    Gen.frequency(5 -> Gen.zip(panes, Gen.choose(0L, 9L)).map(Right(_)), 1 -> panes.map(Left(_)))
  )

  private def check(counts: PaneCounts, wanted: mutable.TreeMap[Long, Long], asked: Seq[Long]): Unit = {
    asked.foreach { pane =>
      assert(counts.panesFrom(pane).toSeq == wanted.keysIteratorFrom(pane).toSeq)
      assert(counts.lastFrom(pane) == wanted.lastOption.map(_._1).filter(_ >= pane))
    }
    for (from <- asked; until <- asked if from <= until)
      assert(counts.between(from, until) == wanted.range(from, until).values.sum)
  }

  test("any counts, forgotten as the window moves on, are those of a sorted map; and so they are restored") {
    forAll(steps, Gen.listOfN(4, panes)) { (steps, asked) =>
      val counts = new PaneCounts
      val wanted = mutable.TreeMap.empty[Long, Long]
      steps.foreach {
        case Right((pane, count)) =>
          counts.add(pane, count)
          wanted(pane) = wanted.getOrElse(pane, 0L) + count
        case Left(before) =>
          counts.forgetBefore(before)
          wanted --= wanted.keySet.toSeq.filter(_ < before)
      }
      check(counts, wanted, asked ++ wanted.keys)

      val out = new BinaryWriter
      counts.save(out)
      val in = new BinaryReader(out.toBytes)
      check(PaneCounts.restore(in), wanted, asked ++ wanted.keys)
      in.expectEnd()
    }
  }

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
