package io.github.sparkbic.index.kernels

/** Reads places of an array ahead of a loop that branches on them.
  *
  * A loop without branches waits for many cache lines at once; a loop that branches waits for one after the other. Each
  * read is kept in a field, or the compiler would drop it. Not thread safe.
  */
private[sparkbic] final class Prefetch {
  private[kernels] var kept = 0L

  /** Reads `values(at(0))` to `values(at(count - 1))`. */
  def longs(values: Array[Long], at: Array[Int], count: Int): Unit = {
    var read = 0L
    var i = 0
    while (i < count) {
      read ^= values(at(i))
      i += 1
    }
    kept ^= read
  }

  /** Keeps the combination of values that a loop of the caller has read. */
  def keep(read: Long): Unit = kept ^= read
}
