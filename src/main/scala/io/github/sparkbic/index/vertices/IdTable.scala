package io.github.sparkbic.index.vertices

import io.github.sparkbic.index.kernels.{Hash, Prefetch}

/** The map from id to number by open addressing with linear probing: slots of numbers, while the ids lie in a column.
  *
  * {{{
  * slot: | tag, some bits of the hash | number |     where the tag fits, ids(number) is compared with the id looked up
  * }}}
  *
  * A zero is an empty slot. A tag has the bits that the largest number leaves of 32, so an absent id mostly costs one
  * cache line. Nothing is removed: when a number is given to another id, the old slot stays until the table grows or
  * is rebuilt. Searches pass over an old slot, since the ids differ. The load factor is at most 0.75: 5.3 to 15 bytes
  * a vertex. The hash is seeded, so no input collides for all users.
  *
  * The naive version is a `HashMap[Long, Int]`. Not thread safe.
  */
private[vertices] final class IdTable(seed: Long) {
  import IdTable._

  private var shift = 64 - SmallestBits
  private var slots = new Array[Int](1 << SmallestBits)
  private var used = 0
  // The low bits of a slot, which hold the number; the others hold the tag.
  private var numberMask = (1 << SmallestBits) - 1
  private val prefetch = new Prefetch

  /** The slots in use. */
  def size: Int = used

  def capacity: Int = slots.length

  /** Whether there is room for so many more ids, with numbers up to `last`. */
  def hasRoom(count: Int, last: Int): Boolean =
    used + count <= slots.length / 4L * 3 && last <= numberMask

  /** The number of `id`, or 0.
    *
    * @param ids the id of each number
    */
  def find(id: Long, ids: Array[Long]): Int = {
    val hash = Hash.mix(id, seed)
    slots(probe(slots, (hash >>> shift).toInt, hash.toInt, id, ids)) & numberMask
  }

  /** The slot of an id, or the empty slot where it belongs. */
  private def probe(slots: Array[Int], home: Int, hash: Int, id: Long, ids: Array[Long]): Int = {
    val numbers = numberMask
    val mask = slots.length - 1
    var at = home
    var slot = slots(at)
    while (slot != 0 && (((slot ^ hash) & ~numbers) != 0 || ids(slot & numbers) != id)) {
      at = (at + 1) & mask
      slot = slots(at)
    }
    at
  }

  /** Notes the numbers of `wanted(from)` and the others of `count` in `numbers`, with 0 for an id that is not there.
    *
    * The first loop prefetches without branches: the id of a slot whose tag fits, and else the first id.
    */
  def findAll(wanted: Array[Long], from: Int, count: Int, ids: Array[Long], numbers: Array[Int]): Unit = {
    val slots = this.slots
    val seed = this.seed
    val shift = this.shift
    val mask = numberMask
    var read = 0L
    var i = 0
    while (i < count) {
      val hash = Hash.mix(wanted(from + i), seed)
      val at = (hash >>> shift).toInt
      numbers(i) = at
      val slot = slots(at)
      val differs = (slot ^ hash.toInt) & ~mask
      // All ones if the tag fits, else zero.
      val fits = ~((differs | -differs) >> 31)
      read ^= ids(slot & mask & fits)
      i += 1
    }
    prefetch.keep(read)
    i = 0
    while (i < count) {
      val id = wanted(from + i)
      numbers(i) = slots(probe(slots, numbers(i), Hash.mix(id, seed).toInt, id, ids)) & mask
      i += 1
    }
  }

  /** Adds `number`, whose id is not there, in the first empty slot; there must be room. */
  def add(number: Int, ids: Array[Long]): Unit = {
    val slots = this.slots
    val mask = slots.length - 1
    val hash = Hash.mix(ids(number), seed)
    var at = (hash >>> shift).toInt
    while (slots(at) != 0) at = (at + 1) & mask
    slots(at) = hash.toInt & ~numberMask | number
    used += 1
  }

  /** Empties the table; `count` ids will take at most 56 % of the slots, and numbers up to `last` fit. */
  def reset(count: Int, last: Int): Unit = {
    val bits = math.max(SmallestBits, 64 - java.lang.Long.numberOfLeadingZeros(count * 9L / 5))
    if (bits > LargestBits) throw new IllegalStateException(
      s"more than $count vertices in one window of one graph; split it with `by` or shorten the window"
    )
    shift = 64 - bits
    slots = new Array[Int](1 << bits)
    used = 0
    val largest = math.max(slots.length.toLong, last + (last >> 2).toLong)
    numberMask = (1 << math.min(LargestBits, 64 - java.lang.Long.numberOfLeadingZeros(largest))) - 1
  }

  def copy: IdTable = {
    val made = new IdTable(seed)
    made.shift = shift
    made.slots = slots.clone()
    made.used = used
    made.numberMask = numberMask
    made
  }

  /** Doubles the slots, and drops slots whose number was given to another id. */
  def grow(ids: Array[Long], last: Int): Unit = {
    val before = slots
    val numbers = numberMask
    reset(before.length / 5 * 4, last)
    var at = 0
    while (at < before.length) {
      val number = before(at) & numbers
      if (number != 0 && find(ids(number), ids) == 0) add(number, ids)
      at += 1
    }
  }
}

private object IdTable {
  private final val SmallestBits = 4
  private final val LargestBits = 30
}
