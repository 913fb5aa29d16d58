package io.github.sparkbic.index.vertices

import java.util.Arrays

/** Gives out numbers from zero on, and those taken back again before new ones, the last one first. */
private[index] final class NumberPool {
  import NumberPool._

  private var free = new Array[Int](Smallest)
  private var freed = 0

  /** Numbers given out so far are `0 until top`. */
  var top: Int = 0

  def allocate(): Int =
    if (freed > 0) {
      freed -= 1
      free(freed)
    } else {
      if (top == MaxNumbers)
        throw new IllegalStateException(
          s"more than $top vertices in one window of one graph; split it with `by` or shorten the window"
        )
      top += 1
      top - 1
    }

  /** Takes back a number that nothing leads to. */
  def release(number: Int): Unit = {
    if (freed == free.length) free = Arrays.copyOf(free, freed + (freed >> 1))
    free(freed) = number
    freed += 1
  }

  /** Takes back all numbers, to give them out from zero on. */
  def clear(): Unit = {
    top = 0
    freed = 0
    free = new Array[Int](Smallest)
  }
}

private object NumberPool {
  private final val Smallest = 8

  private final val MaxNumbers = 1 << 30
}
