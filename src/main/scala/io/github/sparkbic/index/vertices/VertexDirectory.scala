package io.github.sparkbic.index.vertices

import java.util.Arrays

/** From the key of a vertex to the number of its record and the newest pane in which it had an edge.
  *
  * Extendible hashing, so that nothing ever stalls: a directory, indexed by the first bits of the key, points to small
  * tables with open addressing and linear probing. A full table grows by a half, up to 256 KiB, and then splits in two;
  * two thin neighbours merge. Whatever happens costs what one table holds, a small part of a millisecond, where doubling
  * one large table would take as long as zeroing and filling all of it. So while vertices keep coming, each is put twice
  * into another table before their number has doubled; smaller steps save memory, but with them growing takes longer
  * than looking up.
  *
  * An entry is two `Long`s side by side, `key` and `seen` (high half) with the node number plus one (low half), zero in
  * an empty place. So a hit touches one cache line, and splitting, removing and sweeping look at the tables alone.
  * Tables are filled to between 50 and 75 %: 21 to 32 bytes a vertex. Removal shifts the entries behind back, so there
  * are no tombstones.
  *
  * The naive version is a `HashMap[Long, (Int, Int)]`.
  *
  * @param expected vertices that will be added, to make the tables in their size
  */
private[index] final class VertexDirectory(expected: Int = 0) {
  import DirectoryTable.placeOf
  import VertexDirectory._

  private var bits = bitsFor(expected)
  private var tables = Array.fill(1 << bits)(new DirectoryTable(bits, fitting(expected >> bits)))
  // The slots of each table, one load nearer.
  private var slotsAt = tables.map(_.slots)
  private var count = 0
  // Of all tables; kept, since to look at each of them takes longer than a window should.
  private var capacity = tables.length.toLong * tables(0).capacity

  // Where the last search that found nothing ended.
  private var emptyAt = 0

  private var expired = new Array[Int](MinCapacity + 1)

  // What was looked at ahead; kept, or the compiler would drop the looking.
  private[vertices] var looked = 0L

  // The next table to sweep, by the first key that it may hold.
  private var sweepAt = 0L

  /** Vertices that are there. */
  def size: Int = count

  /** Vertices that all tables have room for. */
  def places: Long = capacity

  /** Fetches the places where the searches for `keys(from until until)` begin.
    *
    * It does no work, but without branches to mispredict it waits for many cache lines at once, where a search waits for
    * one after the other. With millions of vertices that is most of the time of an insert, and looking farther ahead
    * pays, at the cache line after the one where a search begins; with fewer it costs more than it saves.
    */
  def fetchAll(keys: Array[Long], from: Int, until: Int): Unit = {
    var seen = 0L
    var i = from
    if (isLarge)
      while (i < until) {
        seen ^= peekFar(keys(i))
        i += 1
      }
    else
      while (i < until) {
        seen ^= peek(keys(i))
        i += 1
      }
    looked = seen
  }

  /** Whether the tables are well beyond the caches of a core. */
  private def isLarge: Boolean = count > Large

  /** Where the search for a key begins. */
  private def peek(key: Long): Long = {
    val slots = slotsAt(indexOf(key, bits))
    slots(placeOf(key, slots.length) + 1)
  }

  /** [[peek]], and the same for the places after that, three farther on. */
  private def peekFar(key: Long): Long = {
    val slots = slotsAt(indexOf(key, bits))
    val at = placeOf(key, slots.length)
    slots(at + 1) ^ slots(math.min(at + 5, slots.length - 1))
  }

  /** [[touch]] for a pane that no vertex was seen after: a store instead of a maximum, which each look-up waits for. */
  def touchNewest(key: Long, pane: Int): Int = {
    val slots = slotsAt(indexOf(key, bits))
    var at = placeOf(key, slots.length)
    var entry = slots(at + 1)
    while (entry != 0) {
      if (slots(at) == key) {
        slots(at + 1) = entryOf(nodeOf(entry), pane)
        return entry.toInt - 1
      }
      at += 2
      if (at == slots.length) at = 0
      entry = slots(at + 1)
    }
    emptyAt = at
    -1
  }

  /** The number of the vertex, after noting that it has an edge of `pane`; -1 if it is not there. */
  def touch(key: Long, pane: Int): Int = {
    val slots = slotsAt(indexOf(key, bits))
    var at = placeOf(key, slots.length)
    var entry = slots(at + 1)
    while (entry != 0) {
      if (slots(at) == key) {
        // The newer of both, without a branch: whether the vertex was seen in this pane cannot be predicted.
        val newer = pane - seenOf(entry)
        slots(at + 1) = entry + ((newer & ~(newer >> 31)).toLong << 32)
        return entry.toInt - 1
      }
      at += 2
      if (at == slots.length) at = 0
      entry = slots(at + 1)
    }
    emptyAt = at
    -1
  }

  /** The entry of the vertex, for [[nodeOf]] and [[seenOf]]; zero if it is not there. */
  def find(key: Long): Long = {
    val slots = slotsAt(indexOf(key, bits))
    var at = placeOf(key, slots.length)
    while (slots(at + 1) != 0) {
      if (slots(at) == key) return slots(at + 1)
      at += 2
      if (at == slots.length) at = 0
    }
    0L
  }

  /** Adds a vertex that the last call, a [[touch]], did not find. */
  def add(key: Long, node: Int, pane: Int): Unit = {
    val table = tables(indexOf(key, bits))
    if (table.isFull) roomyTable(key).put(key, entryOf(node, pane))
    else table.putAt(emptyAt, key, entryOf(node, pane))
    count += 1
  }

  /** Adds a vertex that is not there. */
  def bring(key: Long, node: Int, pane: Int): Unit = {
    roomyTable(key).put(key, entryOf(node, pane))
    count += 1
  }

  /** Adds `keys(from until until)`, which are not there, with the panes in which they were seen; the first one is numbered
    * `first`, the others from there on.
    */
  def addAll(keys: Array[Long], seen: Array[Int], from: Int, until: Int, first: Int): Unit = {
    var at = from
    while (at < until) {
      val end = math.min(until, at + Together)
      fetchAll(keys, at, end)
      while (at < end) {
        bring(keys(at), first + at - from, seen(at))
        at += 1
      }
    }
  }

  /** The table of a key, after it was made larger if it was full. */
  private def roomyTable(key: Long): DirectoryTable = {
    var table = tables(indexOf(key, bits))
    while (table.isFull) {
      enlarge(table, indexOf(key, bits))
      table = tables(indexOf(key, bits))
    }
    table
  }

  def foreach(visitor: VertexVisitor): Unit = foreachTable(visitAll(_, visitor))

  /** Visits the vertices of the table of `key`, and returns the first key of the next table, or zero after the last one. */
  def visitTable(key: Long, visitor: VertexVisitor): Long = {
    val table = tables(indexOf(key, bits))
    visitAll(table.slots, visitor)
    nextTable(key, table)
  }

  /** Removes the vertices of the table of `key` that `taker` takes, and returns the first key of the next table, or zero
    * after the last one.
    */
  def takeFromTable(key: Long, taker: VertexTaker): Long = {
    val table = tables(indexOf(key, bits))
    val slots = table.slots
    val next = nextTable(key, table)
    var at = 0
    while (at < slots.length) {
      val entry = slots(at + 1)
      if (entry != 0 && taker.takes(slots(at), nodeOf(entry), seenOf(entry))) {
        slots(at + 1) = 0L
        table.count -= 1
        count -= 1
      }
      at += 2
    }
    // What is left is no longer where a search goes.
    val rest = new DirectoryTable(table.depth, fitting(table.count))
    rest.pour(table)
    capacity += rest.capacity - table.capacity
    assign(indexOf(key, bits), rest)
    next
  }

  private def visitAll(slots: Array[Long], visitor: VertexVisitor): Unit = {
    var at = 0
    while (at < slots.length) {
      val entry = slots(at + 1)
      if (entry != 0) visitor.visit(slots(at), nodeOf(entry), seenOf(entry))
      at += 2
    }
  }

  /** Gives each vertex another number, asking for it once. */
  def renumber(numberOf: Int => Int): Unit =
    foreachTable { slots =>
      var at = 0
      while (at < slots.length) {
        val entry = slots(at + 1)
        if (entry != 0) slots(at + 1) = entryOf(numberOf(nodeOf(entry)), seenOf(entry))
        at += 2
      }
    }

  private def foreachTable(visit: Array[Long] => Unit): Unit = {
    var i = 0
    while (i < tables.length) {
      visit(tables(i).slots)
      i += 1 << (bits - tables(i).depth)
    }
  }

  /** Sweeps the next table: removes vertices last seen before `floor`, after `expired(node)`. Returns the number of places
    * swept, negative when that was the last table of a pass.
    */
  def sweep(floor: Int, nodes: VertexSweep): Int = {
    val index = indexOf(sweepAt, bits)
    val table = tables(index)
    val slots = table.slots
    val longest = math.min(Stretch, table.capacity)
    if (expired.length <= longest) expired = new Array[Int](longest + 1)
    // From the last place to the first, since a removal shifts what lies behind, which then has been swept. The search
    // goes on at the first place after the last one, so what was shifted from there is looked at once more.
    var until = slots.length
    while (until > 0) {
      removeExpired(table, math.max(0, until - 2 * Stretch), until, floor, nodes)
      until -= 2 * Stretch
    }
    removeExpired(table, math.max(0, slots.length - 2 * Stretch), slots.length, floor, nodes)
    // When this table is merged with the next one, its vertices are looked at twice.
    sweepAt = nextTable(sweepAt, table)
    if (table.count < table.capacity / 4) reduce(table, index)
    val places = slots.length >> 1
    if (sweepAt == 0) -places else places
  }

  /** The first key behind the table of `key`: that of the next one, even if tables split, grow or merge in the meantime;
    * zero is the end.
    */
  private def nextTable(key: Long, table: DirectoryTable): Long =
    ((key >>> (63 - table.depth) >>> 1) + 1) << (63 - table.depth) << 1

  private def removeExpired(
      table: DirectoryTable,
      from: Int,
      until: Int,
      floor: Int,
      nodes: VertexSweep
  ): Unit = {
    val slots = table.slots
    var found = collectExpired(slots, from, until, floor)
    while (found > 0) {
      found -= 1
      val at = expired(found)
      val entry = slots(at + 1)
      if (entry != 0 && seenOf(entry) - floor < 0) {
        nodes.expired(nodeOf(entry))
        table.removeAt(at)
        count -= 1
      }
    }
  }

  /** Notes the places of expired vertices, without a branch: which they are cannot be predicted. */
  private def collectExpired(slots: Array[Long], from: Int, until: Int, floor: Int): Int = {
    val expired = this.expired
    var found = 0
    var at = from
    while (at < until) {
      val entry = slots(at + 1)
      expired(found) = at
      // One if the entry is not empty and older than the floor.
      found += ((seenOf(entry) - floor) >>> 31) & ((entry | -entry) >>> 63).toInt
      at += 2
    }
    found
  }

  private def enlarge(table: DirectoryTable, index: Int): Unit =
    if (table.capacity < MaxCapacity) {
      val larger =
        new DirectoryTable(table.depth, math.min(MaxCapacity, table.capacity + (table.capacity >> 1)))
      larger.pour(table)
      capacity += larger.capacity - table.capacity
      assign(index, larger)
    } else {
      if (table.depth == bits) {
        val doubled = new Array[DirectoryTable](tables.length * 2)
        var i = 0
        while (i < doubled.length) {
          doubled(i) = tables(i >>> 1)
          i += 1
        }
        tables = doubled
        slotsAt = doubled.map(_.slots)
        bits += 1
        split(table, index * 2)
      } else split(table, index)
    }

  private def split(table: DirectoryTable, index: Int): Unit = {
    val depth = table.depth + 1
    val low = new DirectoryTable(depth, MaxCapacity / 4 * 3)
    val high = new DirectoryTable(depth, MaxCapacity / 4 * 3)
    val slots = table.slots
    var at = 0
    while (at < slots.length) {
      if (slots(at + 1) != 0)
        (if ((indexOf(slots(at), depth) & 1) == 0) low else high).put(slots(at), slots(at + 1))
      at += 2
    }
    capacity += low.capacity + high.capacity - table.capacity
    val first = (index >>> (bits - depth + 1)) << 1
    assign(first << (bits - depth), low)
    assign((first + 1) << (bits - depth), high)
  }

  /** Shrinks a thin table, or merges it with its neighbour. */
  private def reduce(table: DirectoryTable, index: Int): Unit = {
    val neighbour = if (table.depth == 0) table else tables(index ^ (1 << (bits - table.depth)))
    if (
      neighbour != table && neighbour.depth == table.depth && neighbour.count + table.count < MaxCapacity / 2
    ) {
      val merged = new DirectoryTable(table.depth - 1, fitting(neighbour.count + table.count))
      merged.pour(table)
      merged.pour(neighbour)
      capacity += merged.capacity - table.capacity - neighbour.capacity
      assign(index, merged)
    } else if (table.capacity > MinCapacity) {
      val smaller = new DirectoryTable(table.depth, fitting(table.count))
      smaller.pour(table)
      capacity += smaller.capacity - table.capacity
      assign(index, smaller)
    }
  }

  /** Points every entry that shares the first `table.depth` bits with `index` to `table`. */
  private def assign(index: Int, table: DirectoryTable): Unit = {
    val run = 1 << (bits - table.depth)
    val first = index & -run
    Arrays.fill(tables.asInstanceOf[Array[AnyRef]], first, first + run, table)
    Arrays.fill(slotsAt.asInstanceOf[Array[AnyRef]], first, first + run, table.slots)
  }
}

/** A function of three primitive numbers. */
private[index] trait VertexVisitor {
  def visit(key: Long, node: Int, seen: Int): Unit
}

/** Who takes vertices from a directory. */
private[index] trait VertexTaker {

  /** Whether this vertex is to be removed, since it is kept elsewhere. */
  def takes(key: Long, node: Int, seen: Int): Boolean
}

/** What [[VertexDirectory.sweep]] tells whoever numbers the vertices. */
private[index] trait VertexSweep {

  /** The vertex is gone. */
  def expired(node: Int): Unit
}

private[index] object VertexDirectory {
  private final val MinCapacity = 16
  private final val MaxCapacity = 1 << 14

  private final val Large = 1 << 20

  /** Places looked at before the expired ones among them are removed. */
  private final val Stretch = 256

  /** Vertices that [[VertexDirectory.addAll]] looks at together. */
  private final val Together = 128

  def nodeOf(entry: Long): Int = entry.toInt - 1
  def seenOf(entry: Long): Int = (entry >> 32).toInt

  def entryOf(node: Int, seen: Int): Long = (seen.toLong << 32) | (node + 1)

  /** The first `bits` bits of the key; a shift by 64 would be none. */
  private def indexOf(key: Long, bits: Int): Int = ((key >>> 1) >>> (63 - bits)).toInt

  /** A capacity that `count` keys fill to 60 %. */
  private def fitting(count: Int): Int = math.min(MaxCapacity, math.max(MinCapacity, count / 3 * 5 + 5))

  /** The bits of a directory whose tables hold `count` keys, at 60 % of their largest capacity or less. */
  private def bitsFor(count: Int): Int = {
    val tables = count / (MaxCapacity / 5 * 3)
    32 - Integer.numberOfLeadingZeros(tables)
  }
}
