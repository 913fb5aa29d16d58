package io.github.sparkbic.index

/** Looking at places of an array ahead of a loop that branches on them. */
private[index] object Fetching {

  /** Looks at `values(at(0))` to `values(at(count - 1))`: without branches to mispredict, so that many cache lines are
    * waited for at once, where the loop to come would wait for one after the other. What it returns is to be kept
    * somewhere, or the compiler drops the looking.
    */
  def look(values: Array[Int], at: Array[Int], count: Int): Int = {
    var seen = 0
    var i = 0
    while (i < count) {
      seen ^= values(at(i))
      i += 1
    }
    seen
  }

  /** The same of `Long`s. */
  def look(values: Array[Long], at: Array[Int], count: Int): Long = {
    var seen = 0L
    var i = 0
    while (i < count) {
      seen ^= values(at(i))
      i += 1
    }
    seen
  }
}
