package io.github.sparkbic.index

/** Positions of 64-bit numbers by rising number.
  *
  * Counting passes from the last digit that differs to the first, each a sequential read and a write to as many places
  * as there are digits: some 3 ns a number and pass, and two passes for ids below a million, where sorting by comparison
  * takes 17 steps a number, and gives no positions. Numbers that are equal stay in the order they came in.
  */
private[index] object RadixSort {

  def order(numbers: Array[Long]): Array[Int] =
    if (numbers.length <= Few) insertion(numbers) else passes(numbers)

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

  private def passes(numbers: Array[Long]): Array[Int] = {
    val count = numbers.length
    // Counters of small inputs are to stay in the first cache, and to be few.
    val width = if (count < Many) 8 else 11
    val digits = 1 << width
    var from = new Array[Long](count)
    var order = new Array[Int](count)
    var differing = 0L
    var i = 0
    while (i < count) {
      // Unsigned from here on: negative numbers come first.
      from(i) = numbers(i) ^ Long.MinValue
      order(i) = i
      differing |= numbers(i) ^ numbers(0)
      i += 1
    }
    var to = new Array[Long](count)
    var toOrder = new Array[Int](count)
    val starts = new Array[Int](digits)
    var shift = 0
    while (shift < 64 && (differing >>> shift) != 0) {
      if (((differing >>> shift) & (digits - 1)) != 0) {
        java.util.Arrays.fill(starts, 0)
        i = 0
        while (i < count) {
          starts((from(i) >>> shift).toInt & (digits - 1)) += 1
          i += 1
        }
        var start = 0
        var digit = 0
        while (digit < digits) {
          val size = starts(digit)
          starts(digit) = start
          start += size
          digit += 1
        }
        i = 0
        while (i < count) {
          val d = (from(i) >>> shift).toInt & (digits - 1)
          val at = starts(d)
          starts(d) = at + 1
          to(at) = from(i)
          toOrder(at) = order(i)
          i += 1
        }
        val numbersBefore = from
        val orderBefore = order
        from = to
        order = toOrder
        to = numbersBefore
        toOrder = orderBefore
      }
      shift += width
    }
    order
  }

  /** Up to so many are sorted by insertion. */
  private final val Few = 32

  /** From so many on, longer digits pay. */
  private final val Many = 4096
}
