package io.github.sparkbic.index

import java.util.Arrays
import java.util.concurrent.ThreadLocalRandom

/** Numbers 64-bit vertex ids 0, 1, 2 … in the order of their first appearance.
  *
  * Open addressing with linear probing over one `Array[Long]`, in which the id and its number are neighbours, so that
  * a hit costs one cache line; filled to 70 % at most, 23 to 46 bytes a vertex, and 8 more to get from number to id.
  * The hash is seeded, so that no input can be made to collide for all users. No allocation but when it grows. Ids cannot
  * be removed. Not thread safe.
  *
  * Trade-off: it doubles as a whole, some 30 ns for each id at once. What uses it (the forests of panes, tables of
  * components) is made as a whole and waited for as a whole, where the sum counts; in return a look-up is one multiply
  * and shift away from its place. Where single edges are waited for, as in the indexes, there is a
  * [[io.github.sparkbic.index.vertices.VertexDirectory VertexDirectory]] instead, which grows a table at a time.
  */
final class LongInterner(expected: Int = 8, seed: Long = ThreadLocalRandom.current().nextLong()) {
  private var shift = 64 - LongInterner.bitsFor(expected)
  // slots(2i) is an id, slots(2i + 1) its number plus one, zero in an empty slot.
  private var slots = new Array[Long](2 << (64 - shift))
  private var ids = new Array[Long](LongInterner.limitOf(slots))
  private var count = 0

  /** Ids so far; their numbers are `0 until size`. */
  def size: Int = count

  /** The id with this number. */
  def id(number: Int): Long = ids(number)

  /** What lies where the search for `id` begins, only to have it in the cache. */
  def peek(id: Long): Long = slots((LongInterner.hash(id, seed, shift) << 1) + 1)

  /** The number of `id`, which is `size` as it was before the call if the id is new. */
  def intern(id: Long): Int = {
    val slots = this.slots
    val mask = slots.length - 1
    var at = LongInterner.hash(id, seed, shift) << 1
    while (true) {
      val number = slots(at + 1)
      if (number == 0) return add(id, at)
      if (slots(at) == id) return (number - 1).toInt
      at = (at + 2) & mask
    }
    -1
  }

  /** The number of `id`, or -1 if it was never interned. */
  def find(id: Long): Int = {
    val slots = this.slots
    val mask = slots.length - 1
    var at = LongInterner.hash(id, seed, shift) << 1
    while (slots(at + 1) != 0) {
      if (slots(at) == id) return (slots(at + 1) - 1).toInt
      at = (at + 2) & mask
    }
    -1
  }

  /** The ids in the order of their numbers. */
  def toArray: Array[Long] = Arrays.copyOf(ids, count)

  private def add(id: Long, at: Int): Int = {
    if (count == ids.length) {
      grow()
      return intern(id)
    }
    slots(at) = id
    ids(count) = id
    count += 1
    slots(at + 1) = count.toLong
    count - 1
  }

  private def grow(): Unit = {
    if (slots.length >= LongInterner.MaxSlots)
      throw new IllegalStateException(
        s"more than $count vertices in one graph; split it with `by` or shorten the window"
      )
    shift -= 1
    val larger = new Array[Long](slots.length * 2)
    val mask = larger.length - 1
    var n = 0
    while (n < count) {
      var at = LongInterner.hash(ids(n), seed, shift) << 1
      while (larger(at + 1) != 0) at = (at + 2) & mask
      larger(at) = ids(n)
      n += 1
      larger(at + 1) = n.toLong
    }
    slots = larger
    ids = Arrays.copyOf(ids, LongInterner.limitOf(larger))
  }
}

private object LongInterner {
  val MaxSlots: Int = 1 << 30

  private def limitOf(slots: Array[Long]): Int = ((slots.length >> 1) * 7L / 10).toInt

  /** log2 of the table size at which `expected` ids stay below the load limit. */
  private def bitsFor(expected: Int): Int = {
    val wanted = math.max(8L, expected * 10L / 7 + 1)
    64 - java.lang.Long.numberOfLeadingZeros(wanted - 1)
  }

  private def hash(id: Long, seed: Long, shift: Int): Int = {
    var h = (id ^ seed) * 0x9e3779b97f4a7c15L
    h = (h ^ (h >>> 32)) * 0xd6e8feb86659fd93L
    (h >>> shift).toInt
  }
}
