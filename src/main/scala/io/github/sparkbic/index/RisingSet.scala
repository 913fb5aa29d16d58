package io.github.sparkbic.index

/** Some of the numbers `0 until bound`, put in in any order and taken out in rising order.
  *
  * Bits, and bits that tell which words of bits are not empty: a number costs a few nanoseconds, where sorting takes
  * several times as much, and a set of a few numbers below a large bound is not looked for in all of it. An eighth of a
  * byte for each number below the bound.
  */
private[index] final class RisingSet(bound: Int) {
  private val words = new Array[Long]((bound + 63) >>> 6)
  private val filled = new Array[Long]((words.length + 63) >>> 6)
  private var count = 0

  // The first word that may hold a number, and its number.
  private var word = 0L
  private var at = 0

  def size: Int = count

  /** Adds a number, while none has been taken out since the set was empty; false if it is there already. */
  def add(number: Int): Boolean = {
    val w = number >>> 6
    val before = words(w)
    val after = before | 1L << number
    if (before == after) false
    else {
      words(w) = after
      if (before == 0) filled(w >>> 6) |= 1L << w
      count += 1
      true
    }
  }

  /** Takes out the smallest number; there must be one. */
  def takeFirst(): Int = {
    if (word == 0) nextWord()
    val number = (at << 6) + java.lang.Long.numberOfTrailingZeros(word)
    word &= word - 1
    count -= 1
    if (count == 0) at = 0
    number
  }

  private def nextWord(): Unit = {
    var f = at >>> 6
    while (filled(f) == 0) f += 1
    at = (f << 6) + java.lang.Long.numberOfTrailingZeros(filled(f))
    filled(f) &= filled(f) - 1
    word = words(at)
    words(at) = 0
  }
}
