package io.github.sparkbic.index.kernels

import java.util.Arrays

/** 64-bit numbers in rising order, and the positions that they come from.
  *
  * Counting passes go from the lowest digit to the highest, and skip digits that all numbers share: 1 to 3 ns a number
  * and pass. The JDK's sort takes 17 steps for each of 100,000 numbers, and gives no positions. Each position travels with
  * 32 bits of the difference to the smallest number, which suffice for most ids. The sort is stable. Memory: 16 bytes a
  * number for a while, beside the result of 12.
  *
  * @param sorted the numbers: the array that was given, if they rise there
  * @param order  the positions that they had
  */
private[sparkbic] final class RadixSort private (val sorted: Array[Long], val order: Array[Int])

private[sparkbic] object RadixSort {

  def apply(numbers: Array[Long]): RadixSort =
    if (isRising(numbers)) new RadixSort(numbers, Array.range(0, numbers.length))
    else {
      val order = if (numbers.length <= Few) insertion(numbers) else byDigits(numbers)
      val sorted = new Array[Long](order.length)
      var i = 0
      while (i < order.length) {
        sorted(i) = numbers(order(i))
        i += 1
      }
      new RadixSort(sorted, order)
    }

  private def isRising(numbers: Array[Long]): Boolean = {
    var i = 1
    while (i < numbers.length && numbers(i - 1) <= numbers(i)) i += 1
    i >= numbers.length
  }

  private def insertion(numbers: Array[Long]): Array[Int] = {
    val order = new Array[Int](numbers.length)
    var i = 0
    while (i < order.length) {
      val number = numbers(i)
      var at = i
      while (at > 0 && numbers(order(at - 1)) > number) {
        order(at) = order(at - 1)
        at -= 1
      }
      order(at) = i
      i += 1
    }
    order
  }

  /** Sorts by the low 32 bits of the differences to the least number, then, if there are more, by the high bits. */
  private def byDigits(numbers: Array[Long]): Array[Int] = {
    val range = Arrays.stream(numbers).summaryStatistics
    val least = range.getMin
    // Right as an unsigned difference, which may take all 64 bits.
    val bits = 64 - java.lang.Long.numberOfLeadingZeros(range.getMax - least)
    val count = numbers.length
    var packed = new Array[Long](count)
    var i = 0
    while (i < count) {
      packed(i) = numbers(i) - least << 32 | i
      i += 1
    }
    packed = passes(packed, math.min(bits, 32))
    if (bits > 32) {
      i = 0
      while (i < count) {
        val position = packed(i).toInt
        packed(i) = numbers(position) - least & ~0xffffffffL | position
        i += 1
      }
      packed = passes(packed, bits - 32)
    }
    val order = new Array[Int](count)
    i = 0
    while (i < count) {
      order(i) = packed(i).toInt
      i += 1
    }
    order
  }

  /** Sorts by so many bits from the 33rd on, in `packed` and another array, of which it returns one. */
  private def passes(packed: Array[Long], bits: Int): Array[Long] = {
    // Counters of small inputs are to stay in the first cache, and to be few.
    val width = if (packed.length < Many) 8 else 11
    val starts = new Array[Int](1 << width)
    var from = packed
    var to = new Array[Long](packed.length)
    var shift = 32
    while (shift < 32 + bits) {
      if (differ(from, shift, starts)) {
        var i = 0
        while (i < from.length) {
          val digit = (from(i) >>> shift).toInt & (starts.length - 1)
          val at = starts(digit)
          starts(digit) = at + 1
          to(at) = from(i)
          i += 1
        }
        val before = from
        from = to
        to = before
      }
      shift += width
    }
    from
  }

  /** Finds where the numbers with each digit at `shift` begin once sorted; false if all have the same digit. */
  private def differ(numbers: Array[Long], shift: Int, starts: Array[Int]): Boolean = {
    Arrays.fill(starts, 0)
    var i = 0
    while (i < numbers.length) {
      starts((numbers(i) >>> shift).toInt & (starts.length - 1)) += 1
      i += 1
    }
    val differs = starts((numbers(0) >>> shift).toInt & (starts.length - 1)) < numbers.length
    var start = 0
    var digit = 0
    while (digit < starts.length) {
      val size = starts(digit)
      starts(digit) = start
      start += size
      digit += 1
    }
    differs
  }

  /** Up to so many numbers are sorted by insertion. */
  private final val Few = 32

  /** From so many numbers on, longer digits are faster. */
  private final val Many = 4096
}
