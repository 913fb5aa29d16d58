package io.github.sparkbic.operator.block

import java.util.Arrays

/** Rising numbers by their positions, and the position of each.
  *
  * New numbers follow one another, so their positions are a subtraction. The numbers before the last gap are found by
  * ranges, of which there are as many as such numbers: mostly one or two numbers lie in a range. A binary search over all
  * numbers would wait for memory some twenty times. Eight bytes a number, and four more for each before the last gap.
  */
private[block] final class RisingNumbers {
  private var numbers = new Array[Long](16)
  private var count = 0
  // From this position on, there is no gap between numbers.
  private var gapless = 0
  // For each 2^shift numbers from the first on, and for the end, how many numbers lie before; null if not known.
  private var before = null: Array[Int]
  private var shift = 0

  def size: Int = count

  def apply(position: Int): Long = numbers(position)

  /** @param number above all others */
  def append(number: Long): Unit = {
    if (count == numbers.length) numbers = Arrays.copyOf(numbers, 2 * count)
    if (count > 0 && number != numbers(count - 1) + 1) {
      gapless = count
      before = null
    }
    numbers(count) = number
    count += 1
  }

  /** The position of a number; negative if it is not there. */
  def positionOf(number: Long): Int =
    if (count == 0) -1
    else {
      val position = count - 1 - (numbers(count - 1) - number)
      if (position >= gapless && position < count) position.toInt
      else if (gapless == 0 || number < numbers(0) || number > numbers(gapless - 1)) -1
      else {
        if (before == null) findRanges()
        val range = ((number - numbers(0)) >>> shift).toInt
        Arrays.binarySearch(numbers, before(range), before(range + 1), number)
      }
    }

  private def findRanges(): Unit = {
    val span = numbers(gapless - 1) - numbers(0)
    shift = 0
    while ((span >>> shift) >= gapless) shift += 1
    before = new Array[Int]((span >>> shift).toInt + 2)
    var range = 1
    var position = 0
    while (range < before.length) {
      while (position < gapless && ((numbers(position) - numbers(0)) >>> shift) < range) position += 1
      before(range) = position
      range += 1
    }
  }
}
