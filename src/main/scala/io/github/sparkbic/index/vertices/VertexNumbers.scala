package io.github.sparkbic.index.vertices

import java.util.Arrays
import java.util.function.IntToLongFunction

import io.github.sparkbic.index.contract.IndexConfig

/** Numbers the vertices of windows to come from 1 on, so that all else is arrays of primitives; 0 is no vertex.
  *
  * A number leads to the id of its vertex and to the last pane in which the vertex was seen; an [[IdMap]] leads back. Where
  * ids are 0, 1, 2 …, as those of strings, the number of a vertex is its id plus one, and there is no map. The caller
  * gives such an id to another vertex only after the first vertex has expired.
  *
  * Invariant: a vertex that was seen in a pane held is found, and no other vertex has its number. A vertex last seen
  * before the first pane held has expired. An expired vertex may still be found, and then lives on, until another takes its
  * number.
  *
  * A clock hand, as in CLOCK page replacement, goes round over all numbers, to the next expired number whenever a new
  * vertex needs a number. If a round finds fewer than one in `config.sweepPart`, numbers are added. So the sweep is
  * amortised: some 10 ns a new vertex.
  *
  * Memory: 4 bytes a number for the pane, beside the [[IdMap]]. Not thread safe.
  */
private[sparkbic] final class VertexNumbers(config: IndexConfig) extends Cloneable {
  import VertexNumbers._

  // Null where ids are numbers.
  private[index] var map = if (config.idsAreNumbers) null else new IdMap(config, this)
  private var lastSeen = new Array[Int](1)
  private var last = 0

  // The clock hand, the last number of its round, and how many expired numbers the round has found.
  private var hand = 1
  private var roundEnd = 0
  private var reused = 0
  // Whether any round has found an expired number. Until then the first window is taken to be filling.
  private var hasReused = false
  // New numbers to be given out before the next round.
  private var fresh = 0
  // No vertex that the hand has left alone in this round was last seen before this pane: while it is held, none has expired.
  private var oldest = 0
  // Whether the map is to be checked for ids that have become dense.
  private var isAdaptDue = false

  // The places of the ids that are being entered and were not found.
  private var missing = Array.emptyIntArray

  /** The first pane held, which the index sets to rising panes. */
  var firstPane: Int = 0

  /** A copy that shares nothing with this one. */
  def copy: VertexNumbers = {
    val made = clone().asInstanceOf[VertexNumbers]
    made.lastSeen = lastSeen.clone()
    made.missing = Array.emptyIntArray
    if (map != null) made.map = map.copy(made)
    made
  }

  /** The largest number given out so far. */
  def top: Int = last

  /** The length of arrays that have a place for each number. */
  def capacity: Int = lastSeen.length

  def id(number: Int): Long = if (map == null) number - 1L else map.id(number)
  def seen(number: Int): Int = lastSeen(number)

  def isSeen(number: Int, pane: Int): Boolean = lastSeen(number) - pane >= 0

  /** The number of a vertex seen in `pane` or later, or 0. */
  def find(id: Long, pane: Int): Int = {
    val number = numberOf(id)
    if (number > 0 && isSeen(number, pane)) number else 0
  }

  /** The number that an id has, or had last, or 0. */
  private def numberOf(id: Long): Int =
    if (map != null) map.find(id) else if (id >= 0 && id < last) id.toInt + 1 else 0

  /** Notes that `vertices(from)` and the others of `count` have edges in `pane`, and their numbers in `numbers`. */
  def enterAll(vertices: Array[Long], from: Int, count: Int, pane: Int, numbers: Array[Int]): Unit =
    if (map == null) {
      enterNumbers(vertices, from, count, numbers)
      touchAll(numbers, count, pane): Unit
    } else enterIds(vertices, from, count, pane, numbers)

  /** Writes ids that are numbers to `numbers`, and makes room for them and for some more. New numbers have no vertex. */
  private def enterNumbers(vertices: Array[Long], from: Int, count: Int, numbers: Array[Int]): Unit = {
    var largest = last
    var i = 0
    while (i < count) {
      numbers(i) = vertices(from + i).toInt + 1
      largest = math.max(largest, numbers(i))
      i += 1
    }
    if (largest > last) {
      if (largest >= capacity) reserve(largest + largest / GrowthPart + SmallestRoom)
      Arrays.fill(lastSeen, last + 1, largest + 1, firstPane - 1)
      last = largest
    }
  }

  private def enterIds(vertices: Array[Long], from: Int, count: Int, pane: Int, numbers: Array[Int]): Unit = {
    if (isAdaptDue) {
      isAdaptDue = false
      map.adapt()
    }
    map.findAll(vertices, from, count, numbers)
    // First touch all ids that were found, so that no expired id among them loses its number to a new vertex.
    val absent = touchAll(numbers, count, pane)
    if (absent > 0 && pane - oldest < 0) oldest = pane
    var i = 0
    while (i < absent) {
      val at = missing(i)
      val number = map.enter(at, vertices(from + at))
      touch(number, pane)
      numbers(at) = number
      i += 1
    }
  }

  /** Notes that these numbers were seen in `pane`; returns how many are 0, and notes which in `missing`. */
  private def touchAll(numbers: Array[Int], count: Int, pane: Int): Int = {
    if (missing.length < count) missing = new Array[Int](count)
    val absentAt = missing
    var absent = 0
    var i = 0
    while (i < count) {
      val number = numbers(i)
      // The pane of number 0 is never read.
      touch(number, pane)
      absentAt(absent) = i
      absent += (number - 1) >>> 31
      i += 1
    }
    absent
  }

  /** Keeps the later of both panes, without a branch, which could not be predicted. */
  private def touch(number: Int, pane: Int): Unit = {
    val newer = pane - lastSeen(number)
    lastSeen(number) += newer & ~(newer >> 31)
  }

  /** A number that no vertex has, or that an expired vertex loses. */
  private[vertices] def allocate(): Int = {
    while (fresh == 0 && !findExpired()) startRound()
    if (fresh > 0) {
      fresh -= 1
      last += 1
      lastSeen(last) = firstPane - 1
      last
    } else {
      val number = hand
      hand += 1
      reused += 1
      map.release(number)
      number
    }
  }

  /** Moves the hand to the next expired number of the round; false if there is none. */
  private def findExpired(): Boolean = {
    val lastSeen = this.lastSeen
    val first = firstPane
    val end = roundEnd
    var number = hand
    while (number <= end && lastSeen(number) - first >= 0) number += 1
    hand = number
    number <= end
  }

  /** Adds numbers if the last round has found too few, and begins a new round if a round can find any. */
  private def startRound(): Unit = {
    val hasExpired = oldest - firstPane < 0
    hasReused |= reused > 0
    fresh =
      if (!hasExpired) math.max(SmallestRoom, last / (if (hasReused) 2 * config.sweepPart else GrowthPart))
      else if (roundEnd == 0) 0
      else math.max(if (reused == 0) SmallestRoom else 0, last / config.sweepPart - reused)
    if (last.toLong + fresh > MaxNumbers) throw new IllegalStateException(
      s"more than $last vertices in one window of one graph; split it with `by` or shorten the window"
    )
    if (last + fresh >= lastSeen.length) reserve(last + fresh + 1)
    isAdaptDue = last >= config.smallestDense
    hand = 1
    roundEnd = if (hasExpired) last else 0
    if (hasExpired) oldest = firstPane
    reused = 0
  }

  private def reserve(length: Int): Unit = {
    lastSeen = Arrays.copyOf(lastSeen, length)
    if (map != null) map.reserve(length)
  }

  /** Whether the vertex with this number has not expired. */
  private[vertices] def isLive(number: Int): Boolean = isSeen(number, firstPane)

  /** Whether no expired number has been found yet. */
  private[vertices] def isFilling: Boolean = !hasReused

  /** How many vertices were seen in `pane` or later; O(top). */
  def countSeen(pane: Int): Int = {
    val lastSeen = this.lastSeen
    var count = 0
    var number = 1
    while (number <= last) {
      count += ~(lastSeen(number) - pane) >>> 31
      number += 1
    }
    count
  }

  /** For each number up to [[top]], the number itself where the vertex was seen in `pane` or later, else 0. */
  def seenSince(pane: Int): Array[Int] = {
    val lastSeen = this.lastSeen
    val seen = new Array[Int](last + 1)
    var number = 1
    while (number <= last) {
      seen(number) = number & ~((lastSeen(number) - pane) >> 31)
      number += 1
    }
    seen
  }

  /** Gives back memory that a burst left in the map. True if the index is to be rebuilt, since most of the numbers, and not
    * few, have expired: where ids are numbers, the last ones, as no other number can be given up; O(top).
    */
  def review(): Boolean = {
    var count = last
    if (map == null) while (count > 0 && !isLive(count)) count -= 1
    else {
      count = countSeen(firstPane)
      map.shrink(count)
    }
    last >= config.smallestSparse && count < last / 4
  }

  /** Visits the ids of all vertices seen in `pane` or later. */
  def foreach(pane: Int)(visit: Long => Unit): Unit = {
    var number = 1
    while (number <= last) {
      if (isSeen(number, pane)) visit(id(number))
      number += 1
    }
  }

  private[index] def ids: IntToLongFunction = id(_)

  /** The panes in which vertices were last seen, by number, not to be changed. */
  private[index] def seenPanes: Array[Int] = lastSeen

  /** A vertex that has two numbers, if there is one; O(top). */
  private[index] def repeated: Option[Long] =
    (1 to last).find(number => isLive(number) && numberOf(id(number)) != number).map(id(_))
}

private[sparkbic] object VertexNumbers {

  /** The vertices with the numbers from 1 to `top`; `ids` and `seen` are by number. */
  def of(
      config: IndexConfig,
      first: Int,
      top: Int,
      ids: IntToLongFunction,
      seen: Array[Int]
  ): VertexNumbers = {
    val vertices = new VertexNumbers(config)
    vertices.firstPane = first
    vertices.last = top
    vertices.reserve(top + 1)
    System.arraycopy(seen, 1, vertices.lastSeen, 1, top)
    vertices.oldest = if (vertices.countSeen(first) < top) first - 1 else first
    if (vertices.map != null) vertices.map.addAll(ids)
    vertices
  }

  /** While the first window fills, one in so many numbers is added at a time. */
  private final val GrowthPart = 8

  /** Numbers that are added at least. */
  private final val SmallestRoom = 16

  private final val MaxNumbers = 1 << 30
}
