package io.github.sparkbic.bench.baseline

/** The edges of the window in order of arrival, each arrival an entry of its own: a ring over primitive arrays. */
private[baseline] final class EdgeQueue {
  private var panes = new Array[Long](1024)
  private var us = new Array[Int](1024)
  private var vs = new Array[Int](1024)
  private var head = 0
  private var count = 0

  def size: Int = count

  def add(pane: Long, u: Int, v: Int): Unit = {
    if (count == us.length) grow()
    val at = (head + count) & (us.length - 1)
    panes(at) = pane
    us(at) = u
    vs(at) = v
    count += 1
  }

  /** Pane, ends of the oldest edge, and a way to drop it. */
  def headPane: Long = panes(head)
  def headSource: Int = us(head)
  def headTarget: Int = vs(head)

  def drop(): Unit = {
    head = (head + 1) & (us.length - 1)
    count -= 1
  }

  def dropBefore(pane: Long): Unit = while (count > 0 && panes(head) < pane) drop()

  /** Source and target of the `i`-th oldest edge. */
  def source(i: Int): Int = us((head + i) & (us.length - 1))
  def target(i: Int): Int = vs((head + i) & (us.length - 1))

  private def grow(): Unit = {
    panes = EdgeQueue.unrolled(panes, head, new Array[Long](count * 2))
    us = EdgeQueue.unrolled(us, head, new Array[Int](count * 2))
    vs = EdgeQueue.unrolled(vs, head, new Array[Int](count * 2))
    head = 0
  }
}

private object EdgeQueue {
  def unrolled[A](ring: Array[A], head: Int, to: Array[A]): Array[A] = {
    System.arraycopy(ring, head, to, 0, ring.length - head)
    System.arraycopy(ring, 0, to, ring.length - head, head)
    to
  }
}
