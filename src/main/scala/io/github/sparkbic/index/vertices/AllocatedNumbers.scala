package io.github.sparkbic.index.vertices

import java.util.function.IntToLongFunction

import io.github.sparkbic.index.contract.IndexConfig

/** Vertices of any ids: an [[IdMap]] leads from an id to the number, and back.
  *
  * A clock hand, as in CLOCK page replacement, goes round over all numbers, to the next expired number whenever a new
  * vertex needs a number. If a round finds fewer than one in `config.sweepPart`, numbers are added. So the sweep is
  * amortised: some 10 ns a new vertex.
  */
private[index] final class AllocatedNumbers(config: IndexConfig) extends VertexNumbers {
  import AllocatedNumbers._

  private[index] var map = new IdMap(config, this)

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

  override def copy: VertexNumbers = {
    val made = super.copy.asInstanceOf[AllocatedNumbers]
    made.missing = Array.emptyIntArray
    made.map = map.copy(made)
    made
  }

  override def id(number: Int): Long = map.id(number)
  override protected def numberOf(id: Long): Int = map.find(id)

  override def enterAll(
      vertices: Array[Long],
      from: Int,
      count: Int,
      pane: Int,
      numbers: Array[Int]
  ): Unit = {
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

  override protected def reserve(length: Int): Unit = {
    super.reserve(length)
    map.reserve(length)
  }

  /** Whether no expired number has been found yet. */
  private[vertices] def isFilling: Boolean = !hasReused

  override def review(): Boolean = {
    val count = countSeen(firstPane)
    map.shrink(count)
    last >= config.smallestSparse && count < last / 4
  }

  override protected def addAll(ids: IntToLongFunction): Unit = {
    oldest = if (countSeen(firstPane) < last) firstPane - 1 else firstPane
    map.addAll(ids)
  }
}

private object AllocatedNumbers {

  /** While the first window fills, one in so many numbers is added at a time. */
  private final val GrowthPart = 8

  /** Numbers that are added at least. */
  private final val SmallestRoom = 16

  private final val MaxNumbers = 1 << 30
}
