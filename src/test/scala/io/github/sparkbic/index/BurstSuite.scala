package io.github.sparkbic.index

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.index.TestEdges.SingleEdges
import io.github.sparkbic.index.contract.{ConnectivityIndex, IndexConfig, Panes}

/** The costs of an index follow its window, and not the most that a window ever held. */
class BurstSuite extends AnyFunSuite {
  for (name <- Indexes.names; burst <- Burst.all)
    test(s"$name: $burst, so that components and contractions do not scale with the high-water mark") {
      import burst.{endOf, ids, last, perWindow}
      val index = Indexes.create(name, Panes(perWindow.toLong, 1), burst.config)
      def numbers = Answers.numbers(index)
      var wasDense = false
      burst.feed(index) { pane =>
        wasDense |= numbers.denseIds > 0
        assert(Answers.violation(index).isEmpty)
        val isHeld = pane < 2 * perWindow - 1
        assert(index.connected(pane - perWindow + 1, ids(1), ids(burst.vertices - 1)) == isHeld)
        // Components and contractions visit all numbers.
        val windows = 3 * perWindow
        if (pane >= perWindow + windows)
          assert(numbers.top <= burst.config.smallestSparse, s"after pane $pane")
      }
      assert(wasDense == burst.isDense)
      val u = endOf(last)
      assert(Answers.components(index, last - perWindow + 1).filter(_._1 >= u) == Map(u -> u, u + 1 -> u))
      assert(numbers.denseIds == 0 && numbers.tableCapacity <= 16 * burst.config.smallestSparse)
    }
}

/** Very many vertices in the panes of one window, and one edge a pane after it. */
private final case class Burst(isDense: Boolean, perWindow: Int) {
  val vertices: Int = 5000
  val config: IndexConfig = IndexConfig(seed = perWindow.toLong, smallestDense = 512, smallestSparse = 512)
  private val random = new Random(perWindow)
  val ids: Array[Long] = Array.tabulate(vertices)(i => if (isDense) i.toLong else random.nextLong())

  /** The last pane, and the first end of its edge; the other end is the next id. */
  val last: Long = 6L * perWindow + 20
  def endOf(pane: Long): Long = pane * 7919

  /** Inserts the edges, and closes each pane. */
  def feed(index: ConnectivityIndex)(afterwards: Long => Unit): Unit =
    for (pane <- 0L to last) {
      if (pane < perWindow)
        (1 until vertices).foreach(i => index.insert(pane, ids(i), ids(random.nextInt(i))))
      index.insert(pane, endOf(pane), endOf(pane) + 1)
      index.closePane(pane)
      afterwards(pane)
    }

  override def toString: String =
    s"many ${if (isDense) "dense" else "scattered"} ids are forgotten a few windows of $perWindow panes later, however few " +
      "edges follow"
}

private object Burst {
  def all: Seq[Burst] =
    for (isDense <- Seq(false, true); perWindow <- Seq(1, 3, 10)) yield Burst(isDense, perWindow)
}
