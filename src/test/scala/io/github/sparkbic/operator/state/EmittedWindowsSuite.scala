package io.github.sparkbic.operator.state

import scala.collection.mutable

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}

/** Emitted windows beside a set of them, one by one. */
class EmittedWindowsSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 300)

  private val panes = Panes(12, 3, 1, Seq(7))
  private val shape = StateShape("recency", panes, strings = false, early = true)
  private val pairs = Seq(0L, -1L, Long.MaxValue, Long.MinValue, 42L)

  private sealed trait Step

  /** Emits the windows from the `first` to so many further on. */
  private case class Emit(pair: Long, length: Int, first: Long, further: Int) extends Step
  private case class Forget(pane: Long) extends Step
  private case object Restart extends Step

  private val step: Gen[Step] = Gen.frequency(
    8 -> Gen.zip(
      Gen.oneOf(pairs),
      Gen.oneOf(panes.perWindows),
      Gen.choose(-30L, 60L),
      Gen.choose(-1, 6)
    ).map {
      case (pair, length, first, further) => Emit(pair, length, first, further)
    },
    2 -> Gen.choose(-30L, 60L).map(Forget(_)),
    1 -> Gen.const(Restart)
  )

  private def saved(emitted: EmittedWindows): Array[Byte] = {
    val out = new BinaryWriter
    emitted.save(out)
    out.toBytes
  }

  private def windowsFrom(pane: Long): Iterator[Long] =
    Iterator.iterate(panes.lastWindowBy(pane))(_ + panes.perSlide)

  test("emitted once, remembered until the window closes, over restarts") {
    forAll(Gen.listOf(step)) { steps =>
      var emitted = new EmittedWindows(panes)
      val wanted = mutable.Set.empty[(Long, Int, Long)]
      var closed = Long.MinValue
      steps.foreach {
        case Emit(pair, length, first, further) =>
          val windows = windowsFrom(first).take(further + 1).filter(_ + length > closed).toSeq
          val news = windows.filterNot(window => wanted((pair, length, window)))
          val from = windows.headOption.getOrElse(1L)
          assert(emitted.emit(pair, length, from, windows.lastOption.getOrElse(0L)).toSeq == news)
          wanted ++= windows.map((pair, length, _))
        case Forget(pane) =>
          closed = math.max(closed, pane)
          emitted.forgetBefore(closed)
          wanted --= wanted.toSeq.filter { case (_, length, window) => window + length <= closed }
        case Restart => emitted = EmittedWindows.restore(shape, new BinaryReader(saved(emitted)))
      }
      for { pair <- pairs; length <- panes.perWindows; window <- windowsFrom(-40).takeWhile(_ < 90) }
        if (window + length > closed)
          assert(emitted.isEmitted(pair, length, window) == wanted((pair, length, window)))
      for { pair <- pairs; length <- panes.perWindows; from <- windowsFrom(-40).takeWhile(_ < 60) } {
        val some = windowsFrom(from).take(4).filter(_ + length > closed).toSeq
        val all = some.forall(window => wanted((pair, length, window)))
        assert(emitted.contains(
          pair,
          length,
          some.headOption.getOrElse(1L),
          some.lastOption.getOrElse(0L)
        ) == all)
      }
      assert(emitted.isEmpty == wanted.isEmpty)
    }
  }

  test("bytes that no windows have are refused") {
    val emitted = new EmittedWindows(panes)
    pairs.foreach(emitted.emit(_, panes.perWindow, 1, 10).foreach(_ => ()))
    val bytes = saved(emitted)
    def refusal(bytes: Array[Byte]) =
      intercept[CorruptStateException](EmittedWindows.restore(shape, new BinaryReader(bytes))).getMessage
    assert(refusal(bytes.take(bytes.length / 2)).nonEmpty)
    val out = new BinaryWriter
    Seq(2L, 0L, 1L, 2L, 0L, 0L).foreach(out.unsigned)
    assert(refusal(out.toBytes) == "the emitted pairs are not in rising order")
    def ofRuns(differences: Long*) = {
      val out = new BinaryWriter
      out.unsigned(1)
      out.signed(5)
      out.unsigned(differences.size / 2L)
      differences.foreach(out.signed)
      refusal(out.toBytes)
    }
    val unordered = "the emitted windows of a pair are not in rising order"
    assert(ofRuns(4, -3) == unordered)
    assert(ofRuns(1, 3, 3, 3) == unordered, "runs that touch")
    assert(ofRuns(2, 0) == "an emitted window does not start at a multiple of the slide")
  }
}
