package io.github.sparkbic.operator.forests

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.contract.Panes

/** Segments partition what is to be answered. `BatchLawSuite` shows that each is answered from what it needs. */
class SegmentsSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 300, sizeRange = 100)

  /** Panes of one unit, or longer ones; windows of one length, or of two. */
  private val segments: Gen[Segments] = for {
    unit <- Gen.oneOf(1L, 2L, 1L << 40)
    slide <- Gen.choose(1L, 12L)
    extra <- Gen.choose(0L, 30L)
    shorter <- Gen.option(Gen.choose(slide, slide + extra))
    startTime <- Gen.choose(-40L, 40L)
    windows <- Gen.frequency(8 -> Gen.choose(1, 5), 1 -> Gen.oneOf(1000, Int.MaxValue))
    compares <- Gen.oneOf(true, false)
  } yield {
    val window = slide + extra
    val lengths = shorter.filter(_ < window && !compares).map(_ * unit)
    Segments(Panes(window * unit, slide * unit, startTime * unit, lengths.toSeq), windows, compares)
  }

  /** The segments that own a window with this pane, or, where windows are compared, the one after such a window. */
  private def answering(cut: Segments, pane: Long): Set[Long] = {
    val panes = cut.panes
    panes.perWindows.flatMap { length =>
      val latest = if (cut.comparesWindows) pane + panes.perSlide else pane
      Iterator.iterate(panes.firstWindowWith(pane, length))(_ + panes.perSlide).takeWhile(_ <= latest)
        .map(window => cut.of(window + length - 1))
    }.toSet
  }

  test("a pane has one owner, and goes to the segments, two at most, whose windows need it") {
    forAll(segments, Gen.choose(-1000L, 1000L)) { (cut, pane) =>
      val owner = cut.of(pane)
      val own = cut.segment(owner)
      assert(own.start <= pane && pane < own.end && own.owns(pane))
      assert(cut.segment(owner + 1).start == own.end)
      val needing = cut.needing(pane)
      assert(needing.toSet == answering(cut, pane))
      assert(needing == Seq(owner) || needing == Seq(owner, owner + 1))
    }
  }

  test("a border is the end of a window, and a segment is as long as was asked, by less than a slide") {
    forAll(segments, Gen.choose(-100L, 100L)) { (cut, number) =>
      val Segment(start, end) = cut.segment(number)
      if (start > Long.MinValue) assert(cut.panes.lastEndBy(start) == start)
      val asked = cut.windows.toLong * cut.panes.perWindow
      if (start > Long.MinValue && end < Long.MaxValue)
        assert(end - start >= asked && end - start < asked + cut.panes.perSlide)
    }
  }
}
