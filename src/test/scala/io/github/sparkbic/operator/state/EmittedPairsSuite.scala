package io.github.sparkbic.operator.state

import scala.collection.mutable

import org.apache.spark.util.SizeEstimator
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}

/** Emitted windows of pairs beside a set of them, one by one. */
class EmittedPairsSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 300)

  private val panes = Panes(12, 3, 1, Seq(7))
  // Of vertices, and how often the pair came before; the first two have one hash under XXH64 without a seed.
  private val pairs = Seq(
    (1L, 2L, 0),
    (3L, -5686046541809725321L, 0),
    (2L, 1L, 0),
    (1L, 2L, 1),
    (1L, 2L, Int.MaxValue - 1),
    (Long.MinValue, Long.MaxValue, 0),
    (Long.MaxValue, Long.MinValue, 0),
    (0L, 0L, 0),
    (-1L, -1L, 0)
  ).map { case (source, target, repeat) => EmittedPair(source, target, repeat) }

  private sealed trait Step

  /** Emits the windows from the `first` to so many further on. */
  private case class Emit(pair: EmittedPair, length: Int, first: Long, further: Int) extends Step
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

  private def saved(emitted: EmittedPairs): Array[Byte] = {
    val out = new BinaryWriter
    emitted.save(out)
    out.toBytes
  }

  private def windowsFrom(pane: Long): Iterator[Long] =
    Iterator.iterate(panes.lastWindowBy(pane))(_ + panes.perSlide)

  test("emitted once, remembered until the window closes, over restarts") {
    forAll(Gen.listOf(step)) { steps =>
      var emitted = new EmittedPairs(panes)
      val wanted = mutable.Set.empty[(EmittedPair, Int, Long)]
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
        case Restart => emitted = EmittedPairs.restore(panes, new BinaryReader(saved(emitted)))
      }
      for {
        pair <- pairs
        length <- panes.perWindows
        from <- windowsFrom(-40).takeWhile(_ < 90)
        count <- Seq(1, 4)
      } {
        val some = windowsFrom(from).take(count).filter(_ + length > closed).toSeq
        val (first, last) = (some.headOption.getOrElse(1L), some.lastOption.getOrElse(0L))
        assert(emitted.contains(pair, length, first, last) == some.forall(w => wanted((pair, length, w))))
      }
      assert((emitted.size == 0) == wanted.isEmpty)
    }
  }

  test("bytes of no pairs are refused") {
    val emitted = new EmittedPairs(panes)
    pairs.foreach(emitted.emit(_, panes.perWindow, 1, 10))
    val bytes = saved(emitted)
    def refusal(bytes: Array[Byte]) =
      intercept[CorruptStateException](EmittedPairs.restore(panes, new BinaryReader(bytes))).getMessage
    assert(refusal(bytes.take(bytes.length / 2)).nonEmpty)
    val out = new BinaryWriter
    // Source, target, repeat, one run of the longer window, and none of the shorter window.
    (2L +: Seq.fill(2)(Seq(0L, 0L, 0L, 1L, 2L, 0L, 0L)).flatten.updated(11, 0L)).foreach(out.unsigned)
    assert(refusal(out.toBytes) == "an emitted pair is there twice")
  }

  test("a pair takes some 150 bytes in memory at most, and few in the state; forgotten pairs take none") {
    val emitted = new EmittedPairs(Panes(4, 1))
    val pairs = (0L until 10000L).map(i => EmittedPair(i, i + 7, 0))
    pairs.foreach(pair => emitted.emit(pair, 4, 0, pair.source % 3))
    assert(SizeEstimator.estimate(emitted) < 170 * 10000)
    assert(saved(emitted).length < 7 * 10000)
    emitted.forgetBefore(5)
    assert(emitted.size == pairs.count(_.source % 3 == 2))
    emitted.forgetBefore(6)
    assert(emitted.size == 0)
  }
}
