package io.github.sparkbic.index.vertices

import io.github.sparkbic.index.kernels.{Hash, Prefetch}

/** The map from id to number by open addressing with linear probing: slots of numbers, while the ids lie in a column.
  *
  * {{{
  * slots: | 0 | 7 | 0 | 3 | 9 | …     ids(7), ids(3), ids(9) are compared with the id that is looked up
  * }}}
  *
  * A zero is an empty slot. Nothing is removed: when a number is given to another id, the slot of the id before stays, is
  * passed over, since the ids differ, and goes when the table is rebuilt. At most 70 % of the slots are in use, with at
  * least 5.7 bytes a vertex. The hash is seeded, so that no input can be made to collide for all users.
  *
  * The naive version is a `HashMap[Long, Int]`. Not thread safe.
  */
private[vertices] final class IdTable(seed: Long) {
  import IdTable._

  private var shift = 64 - SmallestBits
  private var slots = new Array[Int](1 << SmallestBits)
  private var used = 0
  private val prefetch = new Prefetch

  /** How many slots are in use. */
  def size: Int = used

  def capacity: Int = slots.length

  /** How many more ids there is room for. */
  def room: Int = (slots.length * 7L / 10).toInt - used

  /** The number of `id`, or 0.
    *
    * @param ids the id of each number; `ids(0)` is overwritten
    */
  def find(id: Long, ids: Array[Long]): Int = slots(search(id, ids))

  /** Notes the numbers of `wanted(from)` and the others of `count` in `numbers`, with 0 for an id that is not there.
    *
    * The first loop only reads, without branches, and so waits for many cache lines at once.
    */
  def findAll(
      wanted: Array[Long],
      from: Int,
      count: Int,
      ids: Array[Long],
      numbers: Array[Int]
  ): Unit = {
    val slots = this.slots
    val seed = this.seed
    val shift = this.shift
    var read = 0L
    var i = 0
    while (i < count) {
      val at = hash(wanted(from + i), seed, shift)
      numbers(i) = at
      read ^= ids(slots(at))
      i += 1
    }
    prefetch.keep(read)
    val mask = slots.length - 1
    i = 0
    while (i < count) {
      val id = wanted(from + i)
      // An empty slot is a hit as well, so that the loop has one branch.
      ids(0) = id
      var at = numbers(i)
      var number = slots(at)
      while (ids(number) != id) {
        at = (at + 1) & mask
        number = slots(at)
      }
      numbers(i) = number
      i += 1
    }
  }

  /** Adds `number`, whose id is not there, in the first empty slot; there must be room. */
  def add(number: Int, ids: Array[Long]): Unit = {
    val slots = this.slots
    val mask = slots.length - 1
    var at = hash(ids(number), seed, shift)
    while (slots(at) != 0) at = (at + 1) & mask
    slots(at) = number
    used += 1
  }

  /** Empties the table; so many ids will take at most 55 % of the slots. */
  def reset(count: Int): Unit = {
    val bits = math.max(SmallestBits, 64 - java.lang.Long.numberOfLeadingZeros(count * 9L / 5))
    if (bits > LargestBits) throw new IllegalStateException(
      s"more than $count vertices in one window of one graph; split it with `by` or shorten the window"
    )
    shift = 64 - bits
    slots = new Array[Int](1 << bits)
    used = 0
  }

  /** Doubles the slots, and drops slots whose number was given to another id. */
  def grow(ids: Array[Long]): Unit = {
    val before = slots
    reset(before.length / 5 * 4)
    var at = 0
    while (at < before.length) {
      val number = before(at)
      if (number != 0 && find(ids(number), ids) == 0) add(number, ids)
      at += 1
    }
  }

  /** The slot of `id`, or the empty one where it belongs. */
  private def search(id: Long, ids: Array[Long]): Int = {
    val slots = this.slots
    val mask = slots.length - 1
    ids(0) = id
    var at = hash(id, seed, shift)
    while (ids(slots(at)) != id) at = (at + 1) & mask
    at
  }
}

private object IdTable {
  private final val SmallestBits = 4
  private final val LargestBits = 30

  private def hash(id: Long, seed: Long, shift: Int): Int = (Hash.mix(id, seed) >>> shift).toInt
}
