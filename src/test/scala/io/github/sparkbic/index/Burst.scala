package io.github.sparkbic.index

import scala.util.Random

import io.github.sparkbic.index.TestEdges.SingleEdges
import io.github.sparkbic.index.contract.{ConnectivityIndex, IndexConfig}

/** Very many vertices in the panes of one window, and one edge a pane after it. */
final case class Burst(isDense: Boolean, perWindow: Int) {
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

object Burst {
  def all: Seq[Burst] =
    for (isDense <- Seq(false, true); perWindow <- Seq(1, 3, 10)) yield Burst(isDense, perWindow)
}
