package io.github.sparkbic.index.vertices

import java.lang.management.ManagementFactory

import scala.collection.mutable
import scala.util.Random

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.Streams
import io.github.sparkbic.index.Streams.configAsDrawn
import io.github.sparkbic.index.contract.IndexConfig

class VertexNumbersSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 50)

  /** Vertices beside a map from each id to its number and the last pane in which it was seen. */
  private final class Model(config: IndexConfig, var first: Int) {
    var vertices = new VertexNumbers(config)
    private val there = mutable.Map.empty[Long, (Int, Int)]
    private var newest = first

    def live: Map[Long, (Int, Int)] = there.filter(_._2._2 - first >= 0).toMap

    def advance(panes: Int): Unit = {
      first += panes
      vertices.firstPane = first
    }

    def enter(ids: Seq[Long], pane: Int): Unit = {
      if (pane - newest > 0) newest = pane
      val before = live
      val numbers = new Array[Int](ids.size)
      // With an id before them that is not to be looked at.
      vertices.enterAll((7L +: ids).toArray, 1, ids.size, pane, numbers)
      ids.zip(numbers).foreach { case (id, number) =>
        assert(number > 0 && number <= vertices.top && vertices.id(number) == id)
        val seen = before.get(id).fold(pane) { case (was, seen) =>
          assert(was == number, s"vertex $id had number $was, and now has $number")
          if (seen - pane > 0) seen else pane
        }
        there(id) = (number, seen)
      }
    }

    def check(): Unit = {
      val live = this.live
      assert(live.values.map(_._1).toSet.size == live.size, "a number was given twice")
      live.foreach { case (id, (number, seen)) =>
        assert(vertices.find(id, first) == number && vertices.seen(number) == seen)
        assert(vertices.find(id, seen) == number && vertices.find(id, seen + 1) == 0)
      }
      assert(vertices.countSeen(first) == live.size)
      val visited = mutable.Buffer.empty[Long]
      vertices.foreach(first)(visited += _)
      assert(visited.sorted == live.keys.toSeq.sorted)
      val (ids, seen) = (vertices.ids, vertices.seenPanes)
      assert(live.forall { case (id, (number, pane)) =>
        ids.applyAsLong(number) == id && seen(number) == pane
      })
      assert(vertices.repeated.isEmpty)
      there.keys.filterNot(live.contains).foreach(id => assert(vertices.find(id, first) == 0))
    }

    /** As an index does when most numbers have expired. */
    def buildAnew(): Unit = {
      // Every third number has no vertex.
      val slots = live.toSeq.sortBy(_._1).flatMap { case (id, (_, pane)) =>
        val slot = id -> pane
        if (id % 3 == 0) Seq(0L -> (first - 1), slot) else Seq(slot)
      }
      val (ids, seen) = ((0L +: slots.map(_._1)).toArray, (0 +: slots.map(_._2)).toArray)
      vertices = VertexNumbers.of(config, first, slots.size, ids(_), seen)
      there.clear()
      slots.indices.filter(i => slots(i)._2 - first >= 0).foreach(i =>
        there(ids(i + 1)) = (i + 1, seen(i + 1))
      )
    }
  }

  test("a vertex keeps its number as long as it is held, whatever becomes of the map") {
    var dense, sparse, reused, anew = 0
    forAll(Gen.long, Gen.oneOf(0, -3, Int.MaxValue - 5, Int.MinValue), Streams.config) {
      (seed, first, config) =>
        val random = new Random(seed)
        val model = new Model(config, first)
        model.advance(0)
        var pattern: () => Long = () => 0L
        for (step <- 0 until 40) {
          if (step % 10 == 0) {
            val (from, width) = (random.nextLong() >> random.nextInt(60), 1 + random.nextInt(200))
            pattern = random.nextInt(4) match {
              case 0 => () => from + random.nextInt(width)
              case 1 => () => if (random.nextInt(20) == 0) random.nextLong() else from + random.nextInt(width)
              case 2 => () => random.nextInt(width) * 0x9e3779b97f4a7c15L
              case _ => () => random.nextLong()
            }
          }
          if (random.nextInt(3) == 0) model.advance(random.nextInt(4))
          val denseBefore = model.vertices.denseIds
          val (topBefore, liveBefore) = (model.vertices.top, model.live.keySet)
          val ids = Seq.fill(1 + random.nextInt(60))(pattern())
          model.enter(ids, model.first + random.nextInt(3))
          if (denseBefore == 0 && model.vertices.denseIds > 0) dense += 1
          if (denseBefore > 0 && model.vertices.denseIds == 0) sparse += 1
          if (model.vertices.top == topBefore && ids.exists(!liveBefore(_))) reused += 1
          if (random.nextInt(6) == 0 && model.vertices.review()) {
            model.buildAnew()
            anew += 1
          }
          model.check()
        }
    }
    assert(dense > 20 && sparse > 20 && reused > 20 && anew > 20, s"$dense, $sparse, $reused, $anew")
  }

  private val config = IndexConfig(seed = 11, smallestDense = 256, smallestSparse = 1 << 20)

  /** Enters ids 0, 1, 2 … as `idOf` makes them, so many a pane; the vertices of the last `perWindow` panes are held. */
  private def enterRising(panes: Int, perPane: Int, perWindow: Int)(idOf: Long => Long): VertexNumbers = {
    val vertices = new VertexNumbers(config)
    for (pane <- 0 until panes) {
      vertices.firstPane = pane - perWindow + 1
      (0 until perPane).grouped(128).foreach { some =>
        val ids = some.map(i => idOf(pane.toLong * perPane + i)).toArray
        vertices.enterAll(ids, 0, ids.length, pane, new Array[Int](ids.length))
      }
    }
    vertices
  }

  /** Were all numbers passed for each new vertex, or the map rebuilt, it would take from ten seconds to an hour. */
  private def inTime[T](body: => T): T = {
    def seconds = ManagementFactory.getThreadMXBean.getCurrentThreadCpuTime / 1e9
    val start = seconds
    val result = body
    assert(seconds - start < 5)
    result
  }

  for (
    (kind, idOf) <- Seq[(String, Long => Long)](
      "dense" -> (n => n),
      "every fourth" -> (n => 4 * n),
      "scattered" -> (n => n * 0x9e3779b97f4a7c15L)
    );
    perWindow <- Seq(1, 20, 200)
  )
    test(
      s"$kind ids that rise with time do not make rebuilds and sweeps quadratic, in windows of $perWindow panes"
    ) {
      val vertices = inTime(enterRising(250, 4000, perWindow)(idOf))
      assert(vertices.top <= 1.3 * perWindow * 4000 + 500, "numbers of expired vertices are not used again")
    }

  test("few vertices a pane, far below the high-water mark, do not sweep all numbers each time") {
    val vertices = enterRising(1, 50000, 1)(identity)
    inTime {
      for (pane <- 1 to 1000000) {
        vertices.firstPane = pane
        vertices.enterAll(Array(pane * 1000003L), 0, 1, pane, new Array[Int](1))
      }
    }
    assert(vertices.top <= 57000)
  }

  test("an array that ids were dense enough for while the first window fills is kept as they grow") {
    // Every sixth id: fewer than an array is chosen for once vertices have expired.
    val vertices = new VertexNumbers(IndexConfig(seed = 1, smallestDense = 256))
    var arrays = 0
    (1 to 20).foreach { pane =>
      val ids = Array.tabulate(1000)(i => 6L * (1000 * pane + i))
      ids.grouped(100).foreach(some => vertices.enterAll(some, 0, some.length, pane, new Array[Int](100)))
      vertices.review()
      if (vertices.denseIds > 0) arrays += 1
    }
    assert(arrays == 20, "panes after which there was an array")
  }

  test(
    "ids that have become dense since the table last grew get an array, which takes half the time of the table"
  ) {
    // The table grows at 6,144 ids, too few for an array, and next at 12,288.
    val ids = new Random(1).shuffle((0L until 65536L).toVector).take(12000).toArray
    val vertices = new VertexNumbers(IndexConfig(seed = 1, smallestDense = 256))
    ids.grouped(100).foreach(some => vertices.enterAll(some, 0, some.length, 1, new Array[Int](100)))
    assert(vertices.denseIds > 0)
  }
}
