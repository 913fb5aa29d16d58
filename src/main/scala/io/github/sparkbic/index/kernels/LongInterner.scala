package io.github.sparkbic.index.kernels

import java.util.Arrays
import java.util.concurrent.ThreadLocalRandom

/** Numbers 64-bit vertex ids 0, 1, 2 … in the order of their first appearance; ids cannot be removed.
  *
  * An [[IdTable]] beside a column of the ids: 13 to 27 bytes a vertex. Memory is allocated only when the table grows: to
  * twice its size, or up to 16 times on the way to `expected`. Not thread safe.
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
  private val table = new IdTable(seed)
  // The ids by number plus one, of which the table knows.
  private var ids = Array.emptyLongArray
  private var count = 0
  private var hashes = Array.emptyLongArray

  grow(math.max(4, math.min(expected, early)))

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

  /** Writes the numbers of `wanted(from)` and the others of `count` to `numbers(at)` and on, as [[intern]] gives them. */
  def internAll(wanted: Array[Long], from: Int, count: Int, numbers: Array[Int], at: Int): Unit = {
    reserve(count)
    if (hashes.length < count) hashes = new Array[Long](count)
    table.prefetchAll(wanted, from, count, ids, hashes)
    var i = 0
    while (i < count) {
      numbers(at + i) = intern(wanted(from + i), hashes(i))
      i += 1
    }
  }

  /** The number of `id`, or -1 if it was never interned. */
  def find(id: Long): Int = table.find(id, ids) - 1

  /** The ids in the order of their numbers. */
  def toArray: Array[Long] = Arrays.copyOfRange(ids, 1, count + 1)

  /** Makes room for so many new ids. */
  private def reserve(more: Int): Unit = {
    var wanted = LongInterner.room(count, more, expected)
    while (more > ids.length - 1 - count) {
      grow(wanted)
      wanted = table.capacity
    }
  }

  /** Makes room for about so many ids: as many as three quarters of the slots, which the table may fill. */
  private def grow(room: Int): Unit = {
    // The table takes at least nine fifths as many slots as it is asked for, and here four thirds of the room.
    table.grow((room * 20L / 27).toInt, room, ids)
    ids = Arrays.copyOf(ids, table.capacity / 4 * 3 + 1)
  }
}

private[kernels] object LongInterner {

  /** The room for ids after a table of `count` ids has grown for `more` ids. */
  def room(count: Int, more: Int, expected: Int): Int = {
    val wanted = math.max(2L * count, math.min(expected.toLong, 16L * count))
    math.max(count + more, math.min(wanted, IdTable.MostIds.toLong).toInt)
  }
}
