package io.github.sparkbic.index.recency

import java.util.Arrays

/** From a key to the number of its record: extendible hashing over small tables, so that nothing ever stalls.
  *
  * A directory, indexed by the first bits of the key, points to tables of at most 64 KiB with open addressing and linear
  * probing. A full table splits in two; two thin neighbours merge. A table that does not need all the bits is pointed
  * to by a run of entries. So growing and shrinking cost what one table holds, well under a millisecond, where doubling
  * one large table would take as long as zeroing and filling all of it.
  *
  * An entry is one `Int`: the node number plus one, and above it as many bits of the key as there is room for, which
  * tell almost all other keys apart before their records are looked at. 5 to 12 bytes a vertex. Removal shifts the
  * entries behind back, so there are no tombstones and no clean-up.
  *
  * The naive version is a `HashMap[Long, Int]`.
  */
private[recency] final class KeyDirectory(nodes: NodeStore) {
  import KeyDirectory._

  private var bits = 0
  private var tables = Array(emptyTable(0, MinCapacity))
  private var count = 0

  /** Keys that are there. */
  def size: Int = count

  /** The node with this key, or -1. */
  def find(key: Long): Int = {
    val table = tables(indexOf(key, bits))
    val mask = table.length - 1 - Header
    val tag = tagOf(key)
    var at = key.toInt & mask
    var entry = table(Header + at)
    while (entry != 0) {
      if ((entry & TagMask) == tag) {
        val node = (entry & NodeMask) - 1
        if (nodes.key(node) == key) return node
      }
      at = (at + 1) & mask
      entry = table(Header + at)
    }
    NodeStore.NoNode
  }

  /** Adds a key that is not there, whose record is. */
  def add(key: Long, node: Int): Unit = {
    var table = tables(indexOf(key, bits))
    while (table(Count) >= limitOf(table)) {
      enlarge(table, indexOf(key, bits))
      table = tables(indexOf(key, bits))
    }
    put(table, key, node)
    count += 1
  }

  /** Lets a key that is there lead to another node. */
  def replace(key: Long, from: Int, to: Int): Unit = {
    val table = tables(indexOf(key, bits))
    table(Header + slotOf(table, key, from)) = tagOf(key) | (to + 1)
  }

  def remove(key: Long, node: Int): Unit = {
    val table = tables(indexOf(key, bits))
    val mask = table.length - 1 - Header
    var hole = slotOf(table, key, node)
    var at = (hole + 1) & mask
    var entry = table(Header + at)
    while (entry != 0) {
      // An entry may fill the hole unless its own place lies behind the hole.
      val home = nodes.key((entry & NodeMask) - 1).toInt & mask
      if (((at - home) & mask) >= ((at - hole) & mask)) {
        table(Header + hole) = entry
        hole = at
      }
      at = (at + 1) & mask
      entry = table(Header + at)
    }
    table(Header + hole) = 0
    table(Count) -= 1
    count -= 1
    if (table(Count) < (mask + 1) / 8) reduce(table, key)
  }

  private def slotOf(table: Array[Int], key: Long, node: Int): Int = {
    val mask = table.length - 1 - Header
    var at = key.toInt & mask
    while ((table(Header + at) & NodeMask) != node + 1) at = (at + 1) & mask
    at
  }

  private def put(table: Array[Int], key: Long, node: Int): Unit = {
    val mask = table.length - 1 - Header
    var at = key.toInt & mask
    while (table(Header + at) != 0) at = (at + 1) & mask
    table(Header + at) = tagOf(key) | (node + 1)
    table(Count) += 1
  }

  private def enlarge(table: Array[Int], index: Int): Unit = {
    val capacity = table.length - Header
    val depth = table(Depth)
    if (capacity < MaxCapacity) {
      val larger = emptyTable(depth, capacity * 2)
      pour(table, larger)
      assign(index, depth, larger)
    } else {
      if (depth == bits) {
        val doubled = new Array[Array[Int]](tables.length * 2)
        var i = 0
        while (i < doubled.length) {
          doubled(i) = tables(i >>> 1)
          i += 1
        }
        tables = doubled
        bits += 1
        split(table, index * 2)
      } else split(table, index)
    }
  }

  private def split(table: Array[Int], index: Int): Unit = {
    val depth = table(Depth) + 1
    val first = (index >>> (bits - depth + 1)) << 1
    val low = emptyTable(depth, MaxCapacity)
    val high = emptyTable(depth, MaxCapacity)
    var at = Header
    while (at < table.length) {
      if (table(at) != 0) {
        val node = (table(at) & NodeMask) - 1
        val key = nodes.key(node)
        put(if ((indexOf(key, depth) & 1) == 0) low else high, key, node)
      }
      at += 1
    }
    assign(first << (bits - depth), depth, low)
    assign((first + 1) << (bits - depth), depth, high)
  }

  /** Halves a thin table, or merges it with its neighbour, which is left with at most a quarter more to fill. */
  private def reduce(table: Array[Int], key: Long): Unit = {
    val capacity = table.length - Header
    val depth = table(Depth)
    val index = indexOf(key, bits)
    if (depth == 0) {
      if (capacity > MinCapacity) {
        val smaller = emptyTable(0, capacity / 2)
        pour(table, smaller)
        assign(0, 0, smaller)
      }
    } else {
      val neighbour = tables(index ^ (1 << (bits - depth)))
      if (neighbour(Depth) == depth && neighbour(Count) + table(Count) < capacity / 2) {
        val merged = emptyTable(depth - 1, capacity)
        pour(table, merged)
        pour(neighbour, merged)
        assign(index, depth - 1, merged)
      }
    }
  }

  private def pour(from: Array[Int], into: Array[Int]): Unit = {
    var at = Header
    while (at < from.length) {
      if (from(at) != 0) {
        val node = (from(at) & NodeMask) - 1
        put(into, nodes.key(node), node)
      }
      at += 1
    }
  }

  /** Points every entry that shares the first `depth` bits with `index` to `table`. */
  private def assign(index: Int, depth: Int, table: Array[Int]): Unit = {
    val run = 1 << (bits - depth)
    val first = index & -run
    Arrays.fill(tables.asInstanceOf[Array[AnyRef]], first, first + run, table)
  }
}

private object KeyDirectory {
  // A table begins with its number of entries and the number of first bits that its keys share.
  private final val Count = 0
  private final val Depth = 1
  private final val Header = 2

  private final val MinCapacity = 16
  private final val MaxCapacity = 1 << 14

  private final val NodeMask = NodeStore.MaxNodes
  private final val TagMask = ~NodeMask

  /** Bits of the key that choose neither the table nor, in a table of any size, the place in it. */
  private def tagOf(key: Long): Int = (key >>> 8).toInt & TagMask

  /** The first `bits` bits of the key; a shift by 64 would be none. */
  private def indexOf(key: Long, bits: Int): Int = ((key >>> 1) >>> (63 - bits)).toInt

  private def limitOf(table: Array[Int]): Int = ((table.length - Header) * 3) >> 2

  private def emptyTable(depth: Int, capacity: Int): Array[Int] = {
    val table = new Array[Int](Header + capacity)
    table(Depth) = depth
    table
  }
}
