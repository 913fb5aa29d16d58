package io.github.sparkbic.index.kernels

import java.util.Arrays
import java.util.concurrent.ThreadLocalRandom

/** Numbers 64-bit vertex ids 0, 1, 2 … in the order of their first appearance; ids cannot be removed.
  *
  * Open addressing with linear probing over numbers; a second array holds the ids by number. The load factor of a
  * grown table is 0.35 to 0.7: 14 to 27 bytes a vertex. The hash is seeded, so no input collides for all users. Memory
  * is allocated only when the table grows: to twice its size, or up to 16 times on the way to `expected`. Not thread
  * safe.
  *
  * Trade-off: the table doubles as a whole, a pause of some 30 ns an id. That suits forests of panes, which are made
  * as a whole. [[io.github.sparkbic.index.vertices.VertexNumbers VertexNumbers]] numbers ids that come and go.
  *
  * @param expected ids, if known
  * @param early    ids that there is room for at first, where many more are expected
  */
final class LongInterner(
    expected: Int = 8,
    seed: Long = ThreadLocalRandom.current().nextLong(),
    early: Int = Int.MaxValue
) {
  import LongInterner.{bitsFor, hash, limitOf, Step}

  private var shift = 64 - bitsFor(math.min(expected, early))
  // Numbers plus one, zero in an empty slot; and the ids by number plus one. `ids(0)` is written by searches.
  private var slots = new Array[Int](1 << (64 - shift))
  private var ids = new Array[Long](limitOf(slots) + 1)
  private var count = 0
  private val prefetch = new Prefetch

  /** Ids so far; their numbers are `0 until size`. */
  def size: Int = count

  /** The memory of the table. */
  def bytes: Long = 4L * slots.length + 8L * ids.length

  /** The id with this number. */
  def id(number: Int): Long = ids(number + 1)

  /** The number of `id`, which is `size` as it was before the call if the id is new. */
  def intern(id: Long): Int = {
    reserve(1)
    val at = search(id)
    if (slots(at) == 0) {
      count += 1
      ids(count) = id
      slots(at) = count
    }
    slots(at) - 1
  }

  /** Writes the numbers of `wanted(from)` and the others of `count` to `numbers(at)` and on, as [[intern]] gives them.
    *
    * The first loop only reads, without branches, and so waits for many cache lines at once. The second loop does not
    * branch on whether an id is new, which cannot be predicted. With the id at `ids(0)`, an empty slot is a hit as
    * well.
    */
  def internAll(wanted: Array[Long], from: Int, count: Int, numbers: Array[Int], at: Int): Unit = {
    reserve(count)
    val slots = this.slots
    val ids = this.ids
    val mask = slots.length - 1
    var seen = 0L
    var i = 0
    while (i < count) {
      val slot = hash(wanted(from + i), seed, shift)
      numbers(at + i) = slot
      seen ^= ids(slots(slot))
      i += 1
    }
    prefetch.keep(seen)
    var last = size
    i = 0
    while (i < count) {
      val id = wanted(from + i)
      ids(0) = id
      var slot = numbers(at + i)
      var number = slots(slot)
      while (ids(number) != id) {
        slot = (slot + 1) & mask
        number = slots(slot)
      }
      // One if the slot is empty, else zero; the place after the last id is written in any case, and counts if it is.
      val added = (number - 1) >>> 31
      ids(last + 1) = id
      last += added
      number += added * last
      slots(slot) = number
      numbers(at + i) = number - 1
      i += 1
    }
    this.count = last
  }

  /** The number of `id`, or -1 if it was never interned. */
  def find(id: Long): Int = slots(search(id)) - 1

  /** The ids in the order of their numbers. */
  def toArray: Array[Long] = Arrays.copyOfRange(ids, 1, count + 1)

  /** The slot of `id`, or the empty slot where it belongs. */
  private def search(id: Long): Int = {
    val slots = this.slots
    val ids = this.ids
    val mask = slots.length - 1
    ids(0) = id
    var at = hash(id, seed, shift)
    while (ids(slots(at)) != id) at = (at + 1) & mask
    at
  }

  /** Makes room for so many new ids. */
  private def reserve(more: Int): Unit = while (more > ids.length - 1 - count) grow()

  private def grow(): Unit = {
    if (slots.length >= LongInterner.MaxSlots)
      throw new IllegalStateException(
        s"more than $count vertices in one graph; split it with `by` or shorten the window"
      )
    shift = math.min(shift - 1, math.max(shift - Step, 64 - bitsFor(expected)))
    val larger = new Array[Int](1 << (64 - shift))
    val mask = larger.length - 1
    var n = 1
    while (n <= count) {
      var at = hash(ids(n), seed, shift)
      while (larger(at) != 0) at = (at + 1) & mask
      larger(at) = n
      n += 1
    }
    slots = larger
    ids = Arrays.copyOf(ids, limitOf(larger) + 1)
  }
}

private[kernels] object LongInterner {
  val MaxSlots: Int = 1 << 30

  /** log2 of the largest growth on the way to `expected`: the table has few ids then, so rehashing costs little. */
  private final val Step = 4

  private def limitOf(slots: Array[Int]): Int = (slots.length * 7L / 10).toInt

  /** log2 of the table size at which `expected` ids stay below the load limit. */
  def bitsFor(expected: Int): Int = {
    val wanted = math.max(8L, math.min(expected * 10L / 7 + 1, MaxSlots.toLong))
    64 - java.lang.Long.numberOfLeadingZeros(wanted - 1)
  }

  private def hash(id: Long, seed: Long, shift: Int): Int = (Hash.mix(id, seed) >>> shift).toInt
}
