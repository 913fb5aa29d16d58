package io.github.sparkbic.index.vertices

/** Sweeps a directory as far as vertices and edges have paid for, a table at a time: so it follows how fast they come, and
  * takes, beyond what a batch of them has paid for, no longer than a table does.
  */
private[index] final class PaidSweep(directory: VertexDirectory, nodes: VertexSweep) {
  import PaidSweep.SmallestPrice

  // In eighths of a place of the directory.
  private var credit = 0L

  /** Pays for so many eighths of a place. */
  def pay(eighths: Int): Unit = credit += eighths

  /** Sweeps what has been paid for, if that is a table. */
  def sweep(floor: Int): Unit =
    while (credit > 0) credit -= math.max(SmallestPrice, math.abs(directory.sweep(floor, nodes)) * 8)

  /** Sweeps to the end of the pass that is under way, if there is one, and then makes a whole one. */
  def sweepAll(floor: Int): Unit = {
    pass(floor)
    pass(floor)
  }

  /** Sweeps to the end of the pass that is under way, or makes a whole one if there is none. */
  private def pass(floor: Int): Unit = while (directory.sweep(floor, nodes) > 0) {}
}

private object PaidSweep {

  /** The least that a table costs, lest tiny graphs sweep all the time. */
  private final val SmallestPrice = 64 * 8
}
