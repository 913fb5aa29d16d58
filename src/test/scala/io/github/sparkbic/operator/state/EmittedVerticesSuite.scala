package io.github.sparkbic.operator.state

import scala.collection.mutable

import org.apache.spark.util.SizeEstimator
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.contract.{ConnectedVertices, Panes}
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}

/** Emitted windows of vertices beside a set of them. */
class EmittedVerticesSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 300)

  private val panes = Panes(12, 3, 1, Seq(7))
  private val places = panes.perWindows.indices
  private val vertices = Seq(Long.MinValue, -1L, 0L, 1L, 7L, Long.MaxValue)

  private sealed trait Step
  private case class Add(vertex: Long, number: Int, place: Int, window: Long) extends Step
  private case class AddAll(vertex: Long, number: Int, place: Int, first: Long, until: Long) extends Step
  private case class Forget(pane: Long) extends Step
  private case object Restart extends Step

  private val window = Gen.choose(-30L, 60L).map(panes.lastWindowBy)

  private val step: Gen[Step] = Gen.frequency(
    20 -> Gen.zip(Gen.oneOf(vertices), Gen.choose(1, 4), Gen.oneOf(places), window).map {
      case (vertex, number, place, window) => Add(vertex, number, place, window)
    },
    10 -> Gen.zip(Gen.oneOf(vertices), Gen.choose(1, 4), Gen.oneOf(places), window, Gen.choose(0L, 20L)).map {
      case (vertex, number, place, first, more) => AddAll(vertex, number, place, first, first + more)
    },
    1 -> Gen.choose(-30L, 60L).map(Forget(_)),
    1 -> Gen.const(Restart)
  )

  /** The slots of some vertices, each with its number in the index. */
  private def slots(emitted: EmittedVertices, vertices: (Int, Long)*): Array[Int] = {
    val ids = vertices.toMap
    val zeros = new Array[Int](vertices.size)
    val found = new ConnectedVertices(vertices.size, 0L, vertices.map(_._1).toArray, zeros, zeros, ids(_))
    emitted.slotsOf(found, from = 0)
  }

  private def saved(emitted: EmittedVertices): Array[Byte] = {
    val out = new BinaryWriter
    emitted.save(out)
    out.toBytes
  }

  test("added once, remembered until the window closes, over restarts; numbers of the index are hints alone") {
    forAll(Gen.listOf(step)) { steps =>
      var emitted = new EmittedVertices(panes, ofLast = false)
      val wanted = mutable.Set.empty[(Long, Int, Long)]
      var closed = -100L
      steps.foreach {
        case Add(vertex, number, place, window) if window + panes.perWindows(place) > closed =>
          val slot = slots(emitted, number -> vertex).head
          assert(slots(emitted, number + 1 -> vertex).sameElements(Array(slot)))
          assert(emitted.add(slot, place, window) == wanted.add((vertex, place, window)))
        case Add(_, _, _, _) =>
        case AddAll(vertex, number, place, first, until) if first + panes.perWindows(place) > closed =>
          val all = (first to until by panes.perSlide.toLong).map((vertex, place, _))
          val slot = slots(emitted, number -> vertex).head
          val from = emitted.addAll(slot, place, first, until)
          if (from == WindowRuns.Mixed) {
            // Only windows out of order are left to single steps.
            assert(wanted.exists { case (v, at, window) => v == vertex && at == place && window > first })
            all.foreach(entry => assert(emitted.add(slot, place, entry._3) == wanted.add(entry)))
          } else {
            assert(all.filterNot(wanted) == all.filter(_._3 >= from))
            wanted ++= all
          }
        case _: AddAll =>
        case Forget(pane) =>
          closed = math.max(closed, pane)
          emitted.forgetBefore(closed)
          wanted --= wanted.toSeq.filter { case (_, place, window) =>
            window + panes.perWindows(place) <= closed
          }
        case Restart =>
          emitted = EmittedVertices.restore(panes, ofLast = false, new BinaryReader(saved(emitted)))
      }
      val visited = mutable.Set.empty[Long]
      emitted.foreachId(visited += _)
      assert(visited == wanted.map(_._1))
      assert(wanted.isEmpty == (EmittedVertices.restore(
        panes,
        ofLast = false,
        new BinaryReader(saved(emitted))
      ).size == 0))
      val windows = (-40L to 80L by 3).map(panes.lastWindowBy)
      for (vertex <- vertices; place <- places) {
        val open = windows.filter(_ + panes.perWindows(place) > closed)
        val slot = slots(emitted, 2 -> vertex).head
        def has(window: Long) = wanted((vertex, place, window))
        open.foreach(window => assert(emitted.contains(slot, place, window, window) == has(window)))
        for (first <- open; last <- open.take(8))
          assert(emitted.contains(slot, place, first, last) == open.filter(w =>
            w >= first && w <= last
          ).forall(has))
      }
    }
  }

  test(
    "a million vertices in one run each take 80 bytes a vertex at most, 10 in the state, and none once forgotten"
  ) {
    val emitted = new EmittedVertices(Panes(20, 1), ofLast = false)
    slots(emitted, (0 until 1000000).map(i => (i + 1, i.toLong)): _*).foreach { slot =>
      (0L until 10L).foreach(window => emitted.add(slot, 0, window))
    }
    assert(SizeEstimator.estimate(emitted) < 80000000L)
    assert(saved(emitted).length < 10000000)
    emitted.forgetBefore(30)
    assert(emitted.size == 0 && saved(emitted).length == 1 && SizeEstimator.estimate(emitted) < 10000L)
  }

  test("what is no emitted windows is refused") {
    def bytes(count: Long, rest: (Boolean, Long)*): Array[Byte] = {
      val out = new BinaryWriter
      out.unsigned(count)
      rest.foreach { case (signed, value) => if (signed) out.signed(value) else out.unsigned(value) }
      out.toBytes
    }
    def refused(bytes: Array[Byte]): String = intercept[CorruptStateException](
      EmittedVertices.restore(Panes(10, 4), ofLast = false, new BinaryReader(bytes))
    ).getMessage
    assert(refused(bytes(1, true -> 5L, false -> 0L)).contains("a vertex has no emitted window"))
    assert(refused(bytes(
      1,
      true -> 5L,
      false -> 1L,
      true -> 3L,
      true -> 0L
    )).contains("multiple of the slide"))
    assert(refused(bytes(1, true -> 5L, false -> 1L, true -> 4L, true -> -2L)).contains("falling order"))
    assert(refused(
      bytes(1, true -> 5L, false -> 2L, true -> 6L, true -> 0L, true -> -2L, true -> 0L)
    ).contains("falling order"))
    assert(refused(bytes(
      2,
      true -> 5L,
      false -> 1L,
      true -> 4L,
      true -> 0L,
      true -> 0L,
      false -> 1L,
      true -> 0L,
      true -> 0L
    )).contains("there twice"))
  }
}
