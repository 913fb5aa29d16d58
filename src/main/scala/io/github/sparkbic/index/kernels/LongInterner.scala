package io.github.sparkbic.index.kernels

import java.util.Arrays
import java.util.concurrent.ThreadLocalRandom

/** Numbers 64-bit vertex ids 0, 1, 2 … in the order of their first appearance; ids cannot be removed.
  *
  * An [[IdTable]] beside a column of the ids: 13 to 27 bytes a vertex. The table doubles as a whole, a pause of some 30 ns
  * an id. [[io.github.sparkbic.index.vertices.VertexNumbers VertexNumbers]] numbers ids that come and go. Not thread safe.
  *
  * @param expected ids, if known
  */
final class LongInterner(expected: Int = 8, seed: Long = ThreadLocalRandom.current().nextLong()) {
  private val table = new IdTable(seed)
  // The ids by number plus one, of which the table knows.
  private var ids = Array.emptyLongArray
  private var count = 0
  private var hashes = Array.emptyLongArray

  grow(math.max(4, expected))

  /** Ids so far; their numbers are `0 until size`. */
  def size: Int = count

  /** The memory of the table. */
  def bytes: Long = 4L * table.capacity + 8L * ids.length

  /** The id with this number. */
  def id(number: Int): Long = ids(number + 1)

  /** The number of `id`, which is `size` as it was before the call if the id is new. */
  def intern(id: Long): Int = {
    reserve(1)
    intern(id, table.hash(id))
  }

  private def intern(id: Long, hash: Long): Int = {
    val slot = table.slotOf(id, hash, ids)
    val known = table.numberAt(slot)
    if (known > 0) known - 1
    else {
      count += 1
      ids(count) = id
      table.put(slot, hash, count)
      count - 1
    }
  }

  /** Writes the numbers of `wanted(from)` and the others of `count` to `numbers`, as [[intern]] gives them. */
  def internAll(wanted: Array[Long], from: Int, count: Int, numbers: Array[Int]): Unit = {
    reserve(count)
    if (hashes.length < count) hashes = new Array[Long](count)
    table.prefetchAll(wanted, from, count, ids, hashes)
    var i = 0
    while (i < count) {
      numbers(i) = intern(wanted(from + i), hashes(i))
      i += 1
    }
  }

  /** The number of `id`, or -1 if it was never interned. */
  def find(id: Long): Int = table.find(id, ids) - 1

  /** The ids in the order of their numbers. */
  def toArray: Array[Long] = Arrays.copyOfRange(ids, 1, count + 1)

  /** Makes room for so many new ids. */
  private def reserve(more: Int): Unit = while (more > ids.length - 1 - count) grow(table.capacity)

  /** Makes room for about so many ids: as many as three quarters of the slots, which the table may fill. */
  private def grow(room: Int): Unit = {
    // The table takes at least nine fifths as many slots as it is asked for, and here four thirds of the room.
    table.grow((room * 20L / 27).toInt, room, ids)
    ids = Arrays.copyOf(ids, table.capacity / 4 * 3 + 1)
  }
}
