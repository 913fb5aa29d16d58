package io.github.sparkbic.index.kernels

import java.util.Arrays

/** About how many distinct ids there are: of 10,000 within a hundredth. Memory: one or two bits for each of `most` ids.
  *
  * By linear counting, of K.-Y. Whang, B. T. Vander-Zanden, H. M. Taylor, ACM TODS 15(2), 1990: each id sets a bit that its
  * hash chooses, and the bits that stay zero tell how many ids there are.
  *
  * @param most an upper bound on the ids; twice as many are still told nearly as well
  */
private[index] final class DistinctCount(most: Long) {
  private val words =
    new Array[Long](1 << 58 - java.lang.Long.numberOfLeadingZeros(math.max(
      64L,
      math.min(most, 1L << 30)
    ) - 1))

  def add(id: Long): Unit = {
    val bit = (Hash.mix(id, 0) >>> 32).toInt & (words.length * 64 - 1)
    words(bit >> 6) |= 1L << bit
  }

  def estimate: Long = {
    val bits = words.length * 64.0
    // A mapped array would box each count.
    val ones = Arrays.stream(words).mapToInt(java.lang.Long.bitCount(_)).sum
    val zeros = math.max(1.0, bits - ones)
    (bits * math.log(bits / zeros)).round
  }
}
