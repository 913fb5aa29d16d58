package io.github.sparkbic.index.vertices

import java.util.Arrays
import java.util.function.IntToLongFunction

import io.github.sparkbic.index.contract.IndexConfig
import io.github.sparkbic.index.kernels.IdTable

/** The map from vertex ids to numbers and back.
  *
  * {{{
  * number → id      an array of ids or, while all of them lie in the range, of their places there
  * id → number      an array over a range of ids where ids are dense, and an IdTable for all others
  * }}}
  *
  * When ids become dense or sparse, or the table is full, the map is rebuilt without expired vertices: some 10 ns a vertex,
  * amortised over an eighth as many new vertices, or the room of the table.
  *
  * Memory: 8 bytes for the id of a number, or 4 where all ids lie in the range. From ids to numbers: 4 bytes an id of
  * the range, or 5.3 to 15 bytes a vertex in the table. Number 0 is no vertex. Not thread safe.
  */
private[index] final class IdMap(config: IndexConfig, private var vertices: VertexNumbers) extends Cloneable {
  private[index] var table = new IdTable(config.seed)
  private[index] var range = IdRange.Empty
  private var places = Array.emptyIntArray

  // By number, the ids; or, where this is null, their places in the range.
  private var ids = new Array[Long](1)
  private var offsets = null: Array[Int]

  // The hashes of the ids that are being looked up, so that an id is hashed once.
  private var hashes = Array.emptyLongArray

  /** A copy for a copy of the numbers. */
  def copy(vertices: VertexNumbers): IdMap = {
    val made = clone().asInstanceOf[IdMap]
    made.vertices = vertices
    made.table = table.copy
    made.places = places.clone()
    if (ids != null) made.ids = ids.clone() else made.offsets = offsets.clone()
    made.hashes = Array.emptyLongArray
    made
  }

  def id(number: Int): Long = if (ids != null) ids(number) else range.first + offsets(number)

  /** Makes room for numbers below `length`. */
  def reserve(length: Int): Unit =
    if (ids != null) ids = Arrays.copyOf(ids, length) else offsets = Arrays.copyOf(offsets, length)

  /** From now on each id takes 8 bytes. */
  private def widen(): Unit = if (ids == null) {
    val wide = new Array[Long](offsets.length)
    Arrays.setAll(wide, (number: Int) => id(number))
    ids = wide
    offsets = null
  }

  /** From now on each id takes 4 bytes; ids outside of the range are lost. */
  private def narrow(): Unit = {
    offsets = new Array[Int](ids.length)
    Arrays.setAll(offsets, (number: Int) => (ids(number) - range.first).toInt)
    ids = null
  }

  /** The number of `id`, or 0. */
  def find(id: Long): Int = {
    val offset = range.offsetOf(id)
    if (offset >= 0) places(offset) else if (ids != null) table.find(id, ids) else 0
  }

  /** Writes the numbers of `count` ids from `wanted(from)` on, or 0, to `numbers`; makes room to add as many ids. */
  def findAll(wanted: Array[Long], from: Int, count: Int, numbers: Array[Int]): Unit = {
    if (hashes.length < count) hashes = new Array[Long](count)
    if (ids != null) makeRoom(count)
    var i = 0
    if (range.isEmpty) {
      table.prefetchAll(wanted, from, count, ids, hashes)
      while (i < count) {
        numbers(i) = table.numberAt(table.slotOf(wanted(from + i), hashes(i), ids))
        i += 1
      }
    } else {
      val places = this.places
      val first = range.first
      val length = range.length
      while (i < count) {
        val id = wanted(from + i)
        val offset = id - first
        numbers(i) = if (offset >= 0 && offset < length) places(offset.toInt) else findOutside(i, id, count)
        i += 1
      }
    }
  }

  /** The number of the `i`th of `count` ids, which was outside of the range before them as few are, or 0. */
  private def findOutside(i: Int, id: Long, count: Int): Int =
    if (ids == null && extendTo(id)) places(range.offsetOf(id))
    else {
      if (ids == null) {
        widen()
        makeRoom(count)
      }
      hashes(i) = table.hash(id)
      table.numberAt(table.slotOf(id, hashes(i), ids))
    }

  /** Makes the range longer for a higher id, while vertices fill enough of it: ids that are counted up stay in the range.
    * Returns whether the id then lies in the range. No id may be in the table.
    */
  private def extendTo(id: Long): Boolean = {
    val offset = id - range.first
    val length = math.max(range.length, offset + 1 + range.length / 8)
    val isNear = offset >= 0 && offset < IdRange.MostIds && length * leastPart <= vertices.top
    if (isNear && length > range.length) {
      range = range.copy(length = length.toInt)
      places = Arrays.copyOf(places, range.length)
    }
    range.offsetOf(id) >= 0
  }

  /** The number of the `i`th id of the last [[findAll]], which did not find it: a new number, unless it was added since. */
  def enter(i: Int, id: Long): Int = {
    val place = range.offsetOf(id)
    if (place >= 0) {
      if (places(place) == 0) places(place) = add(id)
      places(place)
    } else {
      val slot = table.slotOf(id, hashes(i), ids)
      if (table.numberAt(slot) == 0) table.put(slot, hashes(i), add(id))
      table.numberAt(slot)
    }
  }

  private def add(id: Long): Int = {
    val number = vertices.allocate()
    if (ids != null) ids(number) = id else offsets(number) = (id - range.first).toInt
    number
  }

  /** Takes the ids of all `vertices`, by number; the map has none. */
  def addAll(all: IntToLongFunction): Unit = {
    Arrays.setAll(ids, all)
    rebuild()
  }

  /** Notes that `number` will be given to another id. The table finds out by itself. */
  def release(number: Int): Unit = if (!range.isEmpty) {
    val offset = range.offsetOf(id(number))
    if (offset >= 0 && places(offset) == number) places(offset) = 0
  }

  /** Makes room in the table for so many ids more, unless a rebuild shows that all ids lie in the range. */
  private def makeRoom(count: Int): Unit = {
    val last = vertices.top + count
    if (!table.hasRoom(count, last)) {
      if (range.isEmpty || table.size >= math.max(config.smallestDense, vertices.top / 8)) rebuild()
      while (ids != null && !table.hasRoom(count, last)) table.grow(table.capacity / 5 * 4, last, ids)
    }
  }

  /** Rebuilds the map if an array is now worth it and was not before. */
  def adapt(): Unit = if (range.isEmpty && !chooseRange().isEmpty) rebuild()

  /** Gives back memory that a burst of vertices left; `count` vertices have not expired. */
  def shrink(count: Int): Unit =
    if (range.length * leastPart > count || table.capacity / 16 > math.max(count, config.smallestSparse))
      rebuild()

  /** Makes the map from ids to numbers anew, for the numbers in use. */
  private def rebuild(): Unit = {
    widen()
    range = chooseRange()
    places = new Array[Int](range.length)
    var others = 0
    var number = 1
    while (number <= vertices.top) {
      if (vertices.isLive(number)) {
        val offset = range.offsetOf(ids(number))
        if (offset >= 0) places(offset) = number else others += 1
      }
      number += 1
    }
    // Where few numbers have a vertex, there is room for more, so that the next pass over all numbers is not soon.
    table.reset(if (range.isEmpty) math.max(others, vertices.top / 16) else others, vertices.top)
    if (!range.isEmpty && others == 0) narrow()
    else {
      number = 1
      while (number <= vertices.top) {
        if (vertices.isLive(number) && range.offsetOf(ids(number)) < 0) table.add(number, ids)
        number += 1
      }
    }
  }

  /** The range that the vertices fill, by a sample of them; empty if they are few or sparse. */
  private def chooseRange(): IdRange =
    if (vertices.top < config.smallestDense) IdRange.Empty
    else {
      val drawn = IdRange.sample(vertices.top)(_.toLong + 1)
      val sample = drawn.filter(number => vertices.isLive(number.toInt)).map(number => id(number.toInt))
      val count = (vertices.top.toLong * sample.length / drawn.length).toInt
      if (count < config.smallestDense) IdRange.Empty else IdRange.of(sample, count, leastPart)
    }

  /** The part of a range that vertices must fill: at 0.28 an array takes 14 bytes a vertex, and a table takes up to 15. Half of
    * it will do while the first window fills, and a range that there is may become sparser, so that rebuilds are rare.
    */
  private def leastPart: Double =
    0.28 * (if (vertices.isFilling) 0.5 else 1) * (if (range.isEmpty) 1 else 0.7)
}
