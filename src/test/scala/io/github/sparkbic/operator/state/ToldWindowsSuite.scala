package io.github.sparkbic.operator.state

import scala.collection.mutable

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}

/** Told windows beside a set of them, one by one. */
class ToldWindowsSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 300)

  private val panes = Panes(12, 3, 1, Seq(7))
  private val shape = StateShape("recency", panes, strings = false, early = true)
  private val pairs = Seq(0L, -1L, Long.MaxValue, Long.MinValue, 42L)

  private sealed trait Step

  /** Tells the windows from the `first` to so many further on. */
  private case class Tell(pair: Long, length: Int, first: Long, further: Int) extends Step
  private case class Forget(pane: Long) extends Step
  private case object Restart extends Step

  private val step: Gen[Step] = Gen.frequency(
    8 -> Gen.zip(
      Gen.oneOf(pairs),
      Gen.oneOf(panes.perWindows),
      Gen.choose(-30L, 60L),
      Gen.choose(-1, 6)
    ).map {
      case (pair, length, first, further) => Tell(pair, length, first, further)
    },
    2 -> Gen.choose(-30L, 60L).map(Forget(_)),
    1 -> Gen.const(Restart)
  )

  private def saved(told: ToldWindows): Array[Byte] = {
    val out = new BinaryWriter
    told.save(out)
    out.toBytes
  }

  private def windowsFrom(pane: Long): Iterator[Long] =
    Iterator.iterate(panes.lastWindowBy(pane))(_ + panes.perSlide)

  test("told once, remembered until the window closes, over restarts") {
    forAll(Gen.listOf(step)) { steps =>
      var told = new ToldWindows(panes)
      val wanted = mutable.Set.empty[(Long, Int, Long)]
      var closed = Long.MinValue
      steps.foreach {
        case Tell(pair, length, first, further) =>
          val windows = windowsFrom(first).take(further + 1).filter(_ + length > closed).toSeq
          val news = windows.filterNot(window => wanted((pair, length, window)))
          val from = windows.headOption.getOrElse(1L)
          assert(told.tell(pair, length, from, windows.lastOption.getOrElse(0L)).toSeq == news)
          wanted ++= windows.map((pair, length, _))
        case Forget(pane) =>
          closed = math.max(closed, pane)
          told.forgetBefore(closed)
          wanted.filterInPlace { case (_, length, window) => window + length > closed }
        case Restart => told = ToldWindows.restore(shape, new BinaryReader(saved(told)))
      }
      for { pair <- pairs; length <- panes.perWindows; window <- windowsFrom(-40).takeWhile(_ < 90) }
        if (window + length > closed)
          assert(told.isTold(pair, length, window) == wanted((pair, length, window)))
      assert(told.isEmpty == wanted.isEmpty)
    }
  }

  test("bytes that no windows have are refused") {
    val told = new ToldWindows(panes)
    pairs.foreach(told.tell(_, panes.perWindow, 1, 10).foreach(_ => ()))
    val bytes = saved(told)
    def refusal(bytes: Array[Byte]) =
      intercept[CorruptStateException](ToldWindows.restore(shape, new BinaryReader(bytes))).getMessage
    assert(refusal(bytes.take(bytes.length / 2)).nonEmpty)
    val out = new BinaryWriter
    Seq(2L, 0L, 1L, 0L, 0L, 0L).foreach(out.unsigned)
    assert(refusal(out.toBytes) == "the told pairs are not in rising order")
    val falling = new BinaryWriter
    falling.unsigned(1)
    falling.signed(5)
    falling.unsigned(1)
    falling.signed(4)
    falling.signed(-3)
    assert(refusal(falling.toBytes) == "the told windows of a pair are not in rising order")
  }
}
