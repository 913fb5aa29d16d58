package io.github.sparkbic.operator.state

import java.util.Arrays
import java.util.concurrent.ThreadLocalRandom

import io.github.sparkbic.index.kernels.Hash

/** Numbers pairs of vertices 0, 1, 2 … in the order of their first appearance. A query may hold a pair several times, which
  * `repeat` tells apart. Not thread safe, but threads may share [[find]], which only reads.
  *
  * The numbering is exact: a hash chooses where a search begins, and the search compares vertices and `repeat`. The hash is
  * seeded, so no input collides for all users. Open addressing with linear probing over numbers, at most half full: 28 to 56
  * bytes a pair. Pairs cannot be removed.
  */
private[state] final class PairTable {
  private val seed = ThreadLocalRandom.current().nextLong()
  private var sources, targets = new Array[Long](PairTable.Few)
  private var repeats = new Array[Int](PairTable.Few)
  // Numbers plus one, zero in an empty slot.
  private var slots = new Array[Int](2 * PairTable.Few)
  private var count = 0

  /** Pairs so far; their numbers are `0 until size`. */
  def size: Int = count
  def source(number: Int): Long = sources(number)
  def target(number: Int): Long = targets(number)
  def repeat(number: Int): Int = repeats(number)

  /** The number of a pair, or -1 if it was never interned. */
  def find(source: Long, target: Long, repeat: Int): Int = slots(slotOf(source, target, repeat)) - 1

  /** The number of a pair, which is `size` as it was before the call if the pair is new. */
  def intern(source: Long, target: Long, repeat: Int): Int = {
    if (count == sources.length) grow()
    val at = slotOf(source, target, repeat)
    if (slots(at) == 0) {
      sources(count) = source
      targets(count) = target
      repeats(count) = repeat
      count += 1
      slots(at) = count
    }
    slots(at) - 1
  }

  /** The slot of a pair, or the empty slot where it belongs. */
  private def slotOf(source: Long, target: Long, repeat: Int): Int = {
    val mask = slots.length - 1
    var at = (Hash.mix(target, Hash.mix(source, seed) + repeat) >>> 32).toInt & mask
    var n = slots(at) - 1
    while (n >= 0 && (sources(n) != source || targets(n) != target || repeats(n) != repeat)) {
      at = (at + 1) & mask
      n = slots(at) - 1
    }
    at
  }

  private def grow(): Unit = {
    sources = Arrays.copyOf(sources, 2 * count)
    targets = Arrays.copyOf(targets, 2 * count)
    repeats = Arrays.copyOf(repeats, 2 * count)
    slots = new Array[Int](4 * count)
    var n = 0
    while (n < count) {
      slots(slotOf(sources(n), targets(n), repeats(n))) = n + 1
      n += 1
    }
  }
}

private object PairTable {

  /** Room of a new table: very many graphs may have few pairs. */
  private final val Few = 4
}
