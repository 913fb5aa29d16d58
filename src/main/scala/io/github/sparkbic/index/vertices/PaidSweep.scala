package io.github.sparkbic.index.vertices

import io.github.sparkbic.index.Panes

/** Sweeps a directory as far as vertices and edges have paid for, a table at a time: so it follows how fast they come, and
  * takes, beyond what a batch of them has paid for, no longer than a table does. Where too few come to sweep all of it
  * within a window, or within sixteen panes if that is longer, the panes pay the rest: so what very many left behind does not
  * outlast them for long.
  */
private[index] final class PaidSweep(directory: VertexDirectory, nodes: VertexSweep) {
  import PaidSweep.SmallestPrice

  // In eighths of a place of the directory.
  private var credit = 0L
  // What was swept, and what had been paid in all when panes paid last.
  private var spent = 0L
  private var paidBefore = 0L

  /** Pays for so many eighths of a place. */
  def pay(eighths: Int): Unit = credit += eighths

  /** Sweeps what has been paid for, if that is a table. */
  def sweep(floor: Int): Unit =
    while (credit > 0) {
      val price = math.max(SmallestPrice, math.abs(directory.sweep(floor, nodes)) * 8)
      credit -= price
      spent += price
    }

  /** Pays what vertices and edges since the last time have not paid for so large a part of all places. */
  def payPart(part: Double): Unit = {
    credit += math.max(0L, math.ceil(directory.places * 8 * part).toLong - (credit + spent - paidBefore))
    paidBefore = credit + spent
  }

  /** Sweeps to the end of the pass that is under way, if there is one, and then makes a whole one. */
  def sweepAll(floor: Int): Unit = {
    pass(floor)
    pass(floor)
  }

  /** Sweeps to the end of the pass that is under way, or makes a whole one if there is none. */
  private def pass(floor: Int): Unit = while (directory.sweep(floor, nodes) > 0) {}
}

private[index] object PaidSweep {

  /** The part of all that there is to do for which the panes up to `pane` pay, after `newest`: what they are of a window, but
    * not so much that they take long.
    */
  def partOf(perWindow: Int, newest: Long, pane: Long): Double =
    math.min(LargestPart, Panes.partOf(perWindow, newest, pane - 1))

  private final val LargestPart = 1.0 / 16

  /** The least that a table costs, lest tiny graphs sweep all the time. */
  private final val SmallestPrice = 64 * 8
}
