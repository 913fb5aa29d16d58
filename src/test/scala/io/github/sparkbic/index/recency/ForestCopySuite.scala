package io.github.sparkbic.index.recency

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.index.{Oracle, PaneForestBuilder, TimedEdge}
import io.github.sparkbic.index.Answers.components

/** A forest is brought over to one with a range while edges come that displace the links which are still to be brought. */
class ForestCopySuite extends AnyFunSuite {
  private val perWindow = 8
  private val vertices = 5000

  private def check(seed: Long, late: Boolean)(insert: (RecencyIndex, Seq[TimedEdge]) => Unit): Unit = {
    val random = new Random(seed)
    def edges(pane: Long, count: Int) =
      Seq.fill(count)(TimedEdge(pane, random.nextInt(vertices).toLong, random.nextInt(vertices).toLong))
    val index = new RecencyIndex(perWindow)
    // Only when all of them are there.
    index.smallestRanged = Int.MaxValue
    val before = (0L until perWindow - 1L).flatMap(edges(_, vertices / 3))
    before.foreach(e => index.insert(e.time, e.src, e.dst))
    assert(!index.isCopying)
    index.smallestRanged = 1
    var during = Vector.empty[TimedEdge]
    var steps = 0
    while (index.rangedIds == 0) {
      val pane = if (late && random.nextBoolean()) random.nextInt(perWindow).toLong else perWindow - 1L
      val some = edges(pane, 1 + random.nextInt(3))
      insert(index, some)
      during ++= some
      assert(index.validate().isEmpty)
      if (index.isCopying) steps += 1
    }
    assert(steps > 50 && during.size > 100)
    (0L until perWindow.toLong).foreach { start =>
      assert(components(index, start) == Oracle.components((before ++ during).filter(_.time >= start)))
    }
  }

  for (seed <- 1 to 5; late <- Seq(false, true)) {
    val which = s"(${if (late) "some late" else "newest"}, $seed)"
    test(s"edges displace links that are yet to be brought over $which") {
      check(seed.toLong, late) { (index, edges) =>
        edges.foreach(e => index.insert(e.time, e.src, e.dst))
      }
    }

    test(s"forests displace links that are yet to be brought over $which") {
      check(seed.toLong, late) { (index, edges) =>
        val forest = new PaneForestBuilder()
        edges.foreach(e => forest.add(e.src, e.dst))
        index.insert(edges.head.time, forest.result())
      }
    }
  }
}
