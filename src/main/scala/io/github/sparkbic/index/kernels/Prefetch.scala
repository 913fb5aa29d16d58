package io.github.sparkbic.index.kernels

/** Keeps what a loop reads ahead of another loop that branches on it, or the compiler would drop the reads.
  *
  * A loop without branches waits for many cache lines at once; a loop that branches waits for one after the other.
  */
private[sparkbic] object Prefetch {
  private[kernels] var kept = 0L

  /** Keeps the combination of values that a loop has read. Threads may overwrite each other's: no value is ever used. */
  def keep(read: Long): Unit = kept = read
}
