package io.github.sparkbic.index.contract

import org.scalacheck.{Arbitrary, Gen}
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class PanesSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 2000)

  private val panes: Gen[Panes] = for {
    unit <- Gen.oneOf(Gen.choose(1L, 3L), Gen.choose(1L, 1L << 40))
    slide <- Gen.choose(1L, 20L).map(_ * unit)
    extra <- Gen.choose(0L, 40L).map(_ * unit)
    startTime <- Gen.choose(-slide, slide)
  } yield Panes(slide + extra, slide, startTime)

  private val time: Gen[Long] = {
    val atAnEnd = Gen.choose(0L, 300L).flatMap(n => Gen.oneOf(Long.MinValue + n, Long.MaxValue - n))
    Gen.frequency(4 -> Gen.choose(-1000L, 1000L), 1 -> Arbitrary.arbitrary[Long], 1 -> atAnEnd)
  }

  test("a pane covers its times, at the ends of the Long range too, to which its start is clipped") {
    forAll(panes, time, Gen.choose(-1L, 1L)) { (panes, time, more) =>
      def start(pane: Long) = BigInt(pane) * panes.length + Math.floorMod(panes.startTime, panes.length)
      assert(start(panes.paneOf(time)) <= time && start(panes.paneOf(time)) + panes.length > time)
      // The pane of a time, one beside it, which may begin where no time is, and one that is no time's at all.
      Seq(panes.paneOf(time) + more, time).foreach { pane =>
        assert(BigInt(panes.timeOf(pane)) == start(pane).max(Long.MinValue).min(Long.MaxValue))
      }
    }
  }

  test("a pane with a number has windows with numbers; only panes of one unit next to the ends have none") {
    forAll(panes, time) { (panes, time) =>
      val pane = panes.paneOf(time)
      if (panes.isNumbered(pane)) {
        val first = BigInt(pane) - panes.perWindow + 1
        assert(panes.firstWindowWith(pane) >= first && panes.firstWindowWith(pane) <= pane)
        assert(BigInt(panes.firstWindowWith(pane)) + panes.perWindow + panes.perSlide <= Long.MaxValue)
        assert(first - panes.perSlide >= Long.MinValue)
      } else {
        assert(panes.length == 1 && (time > Long.MaxValue - 1000 || time < Long.MinValue + 1000))
      }
    }
  }
}
