package io.github.sparkbic.index.kernels

/** The map from id to number by open addressing with linear probing: slots of numbers, while the ids lie in a column.
  *
  * {{{
  * slot: | tag, some bits of the hash | number |     where the tag fits, ids(number) is compared with the id looked up
  * }}}
  *
  * A zero is an empty slot. A tag has the bits that the largest number leaves of 32, so an absent id mostly costs one
  * cache line. When a number is given to another id, the old slot stays until the table grows or is rebuilt; searches
  * pass over it, since the ids differ. The load factor is at most 0.75: 5.3 to 15 bytes a vertex. The hash is seeded, so
  * no input collides for all users.
  *
  * The naive version is a `HashMap[Long, Int]`. Not thread safe. In all methods, `ids` has the id of each number.
  */
private[index] final class IdTable(seed: Long) extends Cloneable {
  import IdTable._

  private var shift = 64 - SmallestBits
  private var slots = new Array[Int](1 << SmallestBits)
  private var used = 0
  // The low bits of a slot, which hold the number; the others hold the tag.
  private var numberMask = (1 << SmallestBits) - 1

  def copy: IdTable = {
    val made = clone().asInstanceOf[IdTable]
    made.slots = slots.clone()
    made
  }

  /** The slots in use. */
  def size: Int = used

  def capacity: Int = slots.length

  /** Whether there is room for so many more ids, with numbers up to `last`. */
  def hasRoom(count: Int, last: Int): Boolean =
    used + count <= slots.length / 4L * 3 && last <= numberMask

  def hash(id: Long): Long = Hash.mix(id, seed)

  /** The number of `id`, or 0. */
  def find(id: Long, ids: Array[Long]): Int = numberAt(slotOf(id, hash(id), ids))

  /** The number in a slot, 0 if it is empty. */
  def numberAt(slot: Int): Int = slots(slot) & numberMask

  /** The slot of an id with this hash, or the empty slot where it belongs. */
  def slotOf(id: Long, hash: Long, ids: Array[Long]): Int = {
    val slots = this.slots
    val numbers = numberMask
    val mask = slots.length - 1
    var at = (hash >>> shift).toInt
    var slot = slots(at)
    while (slot != 0 && (((slot ^ hash.toInt) & ~numbers) != 0 || ids(slot & numbers) != id)) {
      at = (at + 1) & mask
      slot = slots(at)
    }
    at
  }

  /** Puts the number of an id with this hash into the empty slot where it belongs; there must be room. */
  def put(slot: Int, hash: Long, number: Int): Unit = {
    slots(slot) = hash.toInt & ~numberMask | number
    used += 1
  }

  /** Adds a number unless its id is there. */
  def add(number: Int, ids: Array[Long]): Unit = {
    val hash = this.hash(ids(number))
    val slot = slotOf(ids(number), hash, ids)
    if (slots(slot) == 0) put(slot, hash, number)
  }

  /** Reads what [[slotOf]] will read of `wanted(from)` and the others of `count`, and notes their hashes in `hashes`: of
    * each the id of a slot whose tag fits, else the first id, so that there is no branch ([[Prefetch]]).
    */
  def prefetchAll(wanted: Array[Long], from: Int, count: Int, ids: Array[Long], hashes: Array[Long]): Unit = {
    val slots = this.slots
    val seed = this.seed
    val shift = this.shift
    val mask = numberMask
    var read = 0L
    var i = 0
    while (i < count) {
      val hash = Hash.mix(wanted(from + i), seed)
      hashes(i) = hash
      val slot = slots((hash >>> shift).toInt)
      val differs = (slot ^ hash.toInt) & ~mask
      // All ones if the tag fits, else zero.
      val fits = ~((differs | -differs) >> 31)
      read ^= ids(slot & mask & fits)
      i += 1
    }
    Prefetch.keep(read)
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

  /** Makes room for `count` ids and for numbers up to `last`, and drops slots whose number was given to another id. */
  def grow(count: Int, last: Int, ids: Array[Long]): Unit = {
    val before = slots
    val numbers = numberMask
    reset(count, last)
    var at = 0
    while (at < before.length) {
      val number = before(at) & numbers
      if (number != 0) add(number, ids)
      at += 1
    }
  }
}

private[kernels] object IdTable {
  private final val SmallestBits = 4
  private final val LargestBits = 30
}
