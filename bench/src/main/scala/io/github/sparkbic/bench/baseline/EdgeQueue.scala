package io.github.sparkbic.bench.baseline

import java.util.ArrayDeque

/** The edges of the window in order of arrival, each arrival an entry of its own: a ring over primitive arrays.
  *
  * Eight bytes an edge. Its pane is not among them: edges come by rising pane, so there is an object for each pane, which
  * tells how many edges are left of it.
  */
private[baseline] final class EdgeQueue {
  import EdgeQueue.{unrolled, Pane}

  private var us = new Array[Int](1024)
  private var vs = new Array[Int](1024)
  private var head = 0
  private var count = 0
  private val panes = new ArrayDeque[Pane]

  def size: Int = count

  def add(pane: Long, u: Int, v: Int): Unit = {
    if (count == us.length) grow()
    val at = (head + count) & (us.length - 1)
    us(at) = u
    vs(at) = v
    count += 1
    val last = panes.peekLast
    if (last != null && last.number == pane) last.edges += 1 else panes.addLast(new Pane(pane))
  }

  /** Pane, ends of the oldest edge, and a way to drop it. */
  def headPane: Long = panes.peekFirst.number
  def headSource: Int = us(head)
  def headTarget: Int = vs(head)

  def drop(): Unit = {
    val first = panes.peekFirst
    first.edges -= 1
    if (first.edges == 0) panes.removeFirst()
    head = (head + 1) & (us.length - 1)
    count -= 1
  }

  def dropBefore(pane: Long): Unit = while (count > 0 && headPane < pane) {
    val first = panes.removeFirst()
    head = (head + first.edges) & (us.length - 1)
    count -= first.edges
  }

  /** Source and target of the `i`-th oldest edge. */
  def source(i: Int): Int = us((head + i) & (us.length - 1))
  def target(i: Int): Int = vs((head + i) & (us.length - 1))

  private def grow(): Unit = {
    us = unrolled(us, head)
    vs = unrolled(vs, head)
    head = 0
  }
}

private object EdgeQueue {

  /** A pane of the edges that are there, and how many. */
  private final class Pane(val number: Long) {
    var edges = 1
  }

  /** Twice as long, and from its beginning. */
  private def unrolled(ring: Array[Int], head: Int): Array[Int] = {
    val to = new Array[Int](ring.length * 2)
    System.arraycopy(ring, head, to, 0, ring.length - head)
    System.arraycopy(ring, 0, to, ring.length - head, head)
    to
  }
}
