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
  * When ids become dense or sparse, or the table is full, the map is rebuilt without expired vertices; numbers stay. A
  * rebuild costs some 10 ns a vertex, amortised over an eighth as many new vertices, or the room of the table.
  *
  * Memory: 8 bytes for the id of a number, or 4 where all ids lie in the range. From ids to numbers: 4 bytes an id of
  * the range, or 5.3 to 15 bytes a vertex in the table. Number 0 is no vertex. Not thread safe.
  */
private[vertices] final class IdMap(config: IndexConfig, vertices: VertexNumbers, table: IdTable) {
  import IdMap._

  private var range = IdRange.Empty
  private var places = Array.emptyIntArray

  // By number, the ids; or, where this is null, how far they are above `first`.
  private var ids = new Array[Long](1)
  private var offsets = null: Array[Int]
  private var first = 0L

  // The hashes of the ids that are being looked up, so that an id is hashed once, and the positions of those outside of the
  // range. Then the place of the id that is to be added: in the array, or a slot of the table.
  private var hashes = Array.emptyLongArray
  private var outsideAt = Array.emptyIntArray
  private var place = -1
  private var slot = 0
  private var hash = 0L

  def id(number: Int): Long = if (ids != null) ids(number) else first + (offsets(number) & 0xffffffffL)

  /** The ids that an array maps to numbers. */
  def denseIds: IdRange = range

  /** Slots of the table. */
  def tableCapacity: Int = table.capacity

  /** Makes room for numbers below `length`. */
  def reserve(length: Int): Unit =
    if (ids != null) ids = Arrays.copyOf(ids, length) else offsets = Arrays.copyOf(offsets, length)

  /** From now on each id takes 8 bytes. */
  private def widen(): Unit = if (ids == null) {
    val wide = new Array[Long](offsets.length)
    var number = 1
    while (number < wide.length) {
      wide(number) = id(number)
      number += 1
    }
    ids = wide
    offsets = null
  }

  /** From now on each id takes 4 bytes; ids outside of the range are lost. */
  private def narrow(): Unit = {
    val narrowed = new Array[Int](if (ids != null) ids.length else offsets.length)
    var number = 1
    while (number < narrowed.length) {
      narrowed(number) = (id(number) - range.first).toInt
      number += 1
    }
    ids = null
    offsets = narrowed
    first = range.first
  }

  /** The number of `id`, or 0. */
  def find(id: Long): Int = {
    val offset = range.offsetOf(id)
    if (offset >= 0) places(offset) else if (ids != null) table.find(id, ids) else 0
  }

  /** Writes the numbers of `count` ids from `wanted(from)` on, or 0, to `numbers`; makes room to add as many ids. */
  def findAll(wanted: Array[Long], from: Int, count: Int, numbers: Array[Int]): Unit = {
    if (hashes.length < count) hashes = new Array[Long](count)
    // Every id may be new.
    val last = vertices.top + count
    if (range.isEmpty) {
      if (!table.hasRoom(count, last)) makeRoom(count, last)
      if (range.isEmpty) {
        table.prefetchAll(wanted, from, count, ids, hashes)
        var i = 0
        while (i < count) {
          numbers(i) = table.numberAt(table.slotOf(wanted(from + i), hashes(i), ids))
          i += 1
        }
      } else findAll(wanted, from, count, numbers)
    } else {
      val others = findDense(wanted, from, count, numbers)
      if (others > 0) {
        widen()
        if (!table.hasRoom(others, last)) {
          makeRoom(others, last)
          findAll(wanted, from, count, numbers)
        } else findOutside(wanted, from, others, numbers)
      }
    }
  }

  /** Looks up the ids of the range; returns how many are outside, and notes which in `outsideAt`. */
  private def findDense(wanted: Array[Long], from: Int, count: Int, numbers: Array[Int]): Int = {
    if (outsideAt.length < count) outsideAt = new Array[Int](count)
    val at = outsideAt
    val places = this.places
    val first = range.first
    val length = range.length
    var others = 0
    var i = 0
    while (i < count) {
      val offset = wanted(from + i) - first
      if (offset >= 0 && offset < length) numbers(i) = places(offset.toInt)
      else {
        at(others) = i
        others += 1
      }
      i += 1
    }
    others
  }

  /** Looks up the ids that the last [[findDense]] has noted: few, so one after the other. */
  private def findOutside(wanted: Array[Long], from: Int, others: Int, numbers: Array[Int]): Unit = {
    var i = 0
    while (i < others) {
      val at = outsideAt(i)
      val id = wanted(from + at)
      hashes(at) = table.hash(id)
      numbers(at) = table.numberAt(table.slotOf(id, hashes(at), ids))
      i += 1
    }
  }

  /** The number of `id`, the `i`th id of the last [[findAll]], which did not find it: a number if the id was added since,
    * else 0. Then [[add]] gives it one.
    */
  def findAdded(i: Int, id: Long): Int = {
    place = range.offsetOf(id)
    if (place >= 0) places(place)
    else {
      hash = hashes(i)
      slot = table.slotOf(id, hash, ids)
      table.numberAt(slot)
    }
  }

  /** Gives `number` to the id that the last [[findAdded]] did not find. */
  def add(number: Int, id: Long): Unit = {
    if (ids != null) ids(number) = id else offsets(number) = (id - first).toInt
    if (place >= 0) places(place) = number else table.put(slot, hash, number)
  }

  /** Takes the ids of all `vertices`, by number, in the place of all that was there. */
  def addAll(all: IntToLongFunction): Unit = {
    var number = 1
    while (number <= vertices.top) {
      ids(number) = all.applyAsLong(number)
      number += 1
    }
    rebuild()
  }

  /** A copy for a copy of the vertices. */
  def copyFor(vertices: VertexNumbers): IdMap = {
    val made = new IdMap(config, vertices, table.copy)
    made.range = range
    made.places = places.clone()
    made.ids = if (ids == null) null else ids.clone()
    made.offsets = if (offsets == null) null else offsets.clone()
    made.first = first
    made
  }

  /** Notes that `number` will be given to another id. The table finds out by itself. */
  def release(number: Int): Unit = if (!range.isEmpty) {
    val offset = range.offsetOf(id(number))
    if (offset >= 0 && places(offset) == number) places(offset) = 0
  }

  /** Makes room in the table for so many ids, with numbers up to `last`. */
  private def makeRoom(count: Int, last: Int): Unit = {
    if (range.isEmpty || table.size >= math.max(config.smallestDense, vertices.top / 8)) rebuild()
    widen()
    while (!table.hasRoom(count, last)) table.grow(table.capacity / 5 * 4, last, ids)
  }

  /** Rebuilds the map if an array is now worth it and was not before. */
  def adapt(): Unit =
    if (range.isEmpty && !chooseRange().isEmpty) rebuild()

  /** Makes the map from ids to numbers anew, for the numbers in use. */
  def rebuild(): Unit = {
    range = chooseRange()
    places = new Array[Int](range.length)
    var others = 0
    var number = 1
    while (number <= vertices.top) {
      if (vertices.isLive(number)) {
        val offset = range.offsetOf(id(number))
        if (offset >= 0) places(offset) = number else others += 1
      }
      number += 1
    }
    // Where few numbers have a vertex, there is room for more, so that the next pass over all numbers is not soon.
    table.reset(if (range.isEmpty) math.max(others, vertices.top / 16) else others, vertices.top)
    if (!range.isEmpty && others == 0) narrow()
    else {
      widen()
      val all = ids
      number = 1
      while (number <= vertices.top) {
        if (vertices.isLive(number) && range.offsetOf(all(number)) < 0) table.add(number, all)
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
      if (count < config.smallestDense) IdRange.Empty
      else IdRange.of(sample, count, if (range.isEmpty) chosenPart else keptPart)
    }

  /** The part of a range that vertices must fill for the array to stay: less than it was chosen at, so that rebuilds are
    * rare.
    */
  def keptPart: Double = 0.7 * chosenPart

  /** The part of a range that vertices must fill; more of them come while the first window fills. */
  private def chosenPart: Double =
    if (vertices.isFilling) LeastPart / 2 else LeastPart
}

private[vertices] object IdMap {

  /** The part of a range that vertices must fill: an array then takes 14 bytes a vertex, and a table up to 15. */
  private final val LeastPart = 0.28
}
