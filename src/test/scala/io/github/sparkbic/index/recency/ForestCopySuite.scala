package io.github.sparkbic.index.recency

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.index.{Oracle, TimedEdge}
import io.github.sparkbic.index.forests.PaneForestBuilder
import io.github.sparkbic.index.Answers.components

/** A forest is brought over to one with a range while edges come that displace the links which are still to be brought. */
class ForestCopySuite extends AnyFunSuite {
  private val vertices = 3000

  private def check(perWindow: Int, seed: Long)(insert: (RecencyIndex, Seq[TimedEdge]) => Unit): Unit = {
    val random = new Random(seed)
    def edges(pane: Long, count: Int) =
      Seq.fill(count)(TimedEdge(pane, random.nextInt(vertices).toLong, random.nextInt(vertices).toLong))
    val index = new RecencyIndex(perWindow)
    // Only when all of them are there.
    index.watch.smallest = Int.MaxValue
    val before = (0L until perWindow.toLong).flatMap(edges(_, vertices / math.min(perWindow, 3)))
    before.foreach(e => index.insert(e.time, e.src, e.dst))
    assert(!index.isCopying)
    index.watch.smallest = 1
    var during = Vector.empty[TimedEdge]
    var steps = 0
    while (index.rangedIds == 0) {
      val some = edges(random.nextInt(perWindow).toLong, 1 + random.nextInt(12))
      insert(index, some)
      during ++= some
      assert(index.validate().isEmpty)
      if (index.isCopying) steps += 1
    }
    assert(steps > 10 && during.size > 50)
    (0L until perWindow.toLong).foreach { start =>
      assert(components(index, start) == Oracle.components((before ++ during).filter(_.time >= start)))
    }
  }

  for (perWindow <- Seq(1, 2, 8)) {
    test(s"edges displace links that are yet to be brought over, in windows of $perWindow panes") {
      for (seed <- 1 to 16)
        check(perWindow, seed.toLong) { (index, edges) =>
          edges.foreach(e => index.insert(e.time, e.src, e.dst))
        }
    }

    test(s"forests displace links that are yet to be brought over, in windows of $perWindow panes") {
      for (seed <- 1 to 16)
        check(perWindow, seed.toLong) { (index, edges) =>
          val forest = new PaneForestBuilder()
          edges.foreach(e => forest.add(e.src, e.dst))
          index.insert(edges.head.time, forest.result())
        }
    }
  }
}
