package io.github.sparkbic.operator.state

import java.util.Arrays

import scala.collection.mutable

import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}

/** The open windows of one graph for which the row of a pair has come, where rows come early.
  *
  * A window that ends after the newest edge has all edges from its start on. So a pair that is connected in such a window
  * is connected in all earlier windows of this kind. Only edges out of order leave gaps, so the emitted windows of a pair
  * are mostly one run. Memory: some 100 bytes a pair, and 13 in the state. A pair without an emitted window takes none.
  *
  * A pair is known by a hash of 64 bits, which does not depend on the other pairs of the query. Two of 100,000 pairs of a
  * graph have the same hash with a chance of 3·10^-10^; a window would then have the row of only one of these two pairs.
  */
private[operator] final class EmittedWindows(panes: Panes) {
  import EmittedWindows._

  // By pair, for each length of window: the first and last window of each run, rising.
  private val lengths = panes.perWindows.toArray
  private val runs = lengths.map(_ => mutable.LongMap.empty[Array[Long]])
  private val step = panes.perSlide.toLong

  private def ofLength(panesInWindow: Int): mutable.LongMap[Array[Long]] = {
    var i = 0
    while (lengths(i) != panesInWindow) i += 1
    runs(i)
  }

  def isEmpty: Boolean = runs.forall(_.isEmpty)

  def isEmitted(pair: Long, panesInWindow: Int, window: Long): Boolean =
    contains(pair, panesInWindow, window, window)

  /** Whether all windows from `first` to `last` are emitted; true where there are none. */
  def contains(pair: Long, panesInWindow: Int, first: Long, last: Long): Boolean = first > last || {
    val emitted = ofLength(panesInWindow).getOrNull(pair)
    emitted != null && {
      // Runs neither meet nor overlap, so one run has all of these windows if any has.
      var i = 0
      while (i < emitted.length && emitted(i + 1) < last) i += 2
      i < emitted.length && emitted(i) <= first
    }
  }

  /** Notes the windows from `first` to `last` as emitted, and gives the windows among them that were not, rising. */
  def emit(pair: Long, panesInWindow: Int, first: Long, last: Long): Iterator[Long] = {
    val ofPairs = ofLength(panesInWindow)
    val emitted = ofPairs.getOrNull(pair)
    if (first > last) Iterator.empty
    else if (emitted == null) {
      ofPairs.update(pair, Array(first, last))
      windows(first, last)
    } else if (emitted.length == 2 && first >= emitted(0) && first <= emitted(1) + step) {
      // Mostly a pair has one run, which goes on.
      val next = emitted(1) + step
      emitted(1) = math.max(emitted(1), last)
      windows(next, last)
    } else {
      val news = missing(emitted, first, last, step)
      if (news.nonEmpty) ofPairs.update(pair, union(emitted, first, last, step))
      news.grouped(2).flatMap(run => windows(run(0), run(1)))
    }
  }

  private def windows(first: Long, last: Long): Iterator[Long] =
    if (first == last) Iterator.single(first) else Iterator.iterate(first)(_ + step).takeWhile(_ <= last)

  /** Forgets the windows that end at or before the start of pane `closed`. */
  def forgetBefore(closed: Long): Unit = runs.zip(lengths).foreach { case (ofPairs, length) =>
    val firstOpen = panes.firstWindowWith(closed, length)
    // An entry must not change while all entries are visited.
    val begun = new mutable.ArrayBuilder.ofLong
    ofPairs.foreachKey(pair => if (ofPairs(pair)(0) < firstOpen) begun += pair)
    begun.result().foreach { pair =>
      val open = ofPairs(pair).grouped(2).filter(_(1) >= firstOpen).toArray.flatten
      if (open.isEmpty) ofPairs -= pair
      else {
        open(0) = math.max(open(0), firstOpen)
        ofPairs(pair) = open
      }
    }
  }

  def save(out: BinaryWriter): Unit = runs.foreach { ofPairs =>
    val pairs = ofPairs.keysIterator.toArray
    Arrays.sort(pairs)
    out.unsigned(pairs.length.toLong)
    var (before, pane) = (0L, 0L)
    pairs.foreach { pair =>
      out.signed(pair - before)
      before = pair
      val emitted = ofPairs(pair)
      out.unsigned(emitted.length / 2L)
      emitted.foreach { window =>
        out.signed(window - pane)
        pane = window
      }
    }
  }
}

private[operator] object EmittedWindows {

  /** The runs of windows from `first` to `last` that are in none of the runs of `emitted`. */
  private def missing(emitted: Array[Long], first: Long, last: Long, step: Long): Array[Long] = {
    val found = mutable.ArrayBuilder.make[Long]
    var next = first
    var i = 0
    while (i < emitted.length && emitted(i) <= last) {
      if (emitted(i) > next) found ++= Array(next, emitted(i) - step)
      next = math.max(next, emitted(i + 1) + step)
      i += 2
    }
    if (next <= last) found ++= Array(next, last)
    found.result()
  }

  /** The runs of `emitted` together with the windows from `first` to `last`. */
  private def union(emitted: Array[Long], first: Long, last: Long, step: Long): Array[Long] = {
    val (before, others) = emitted.grouped(2).toArray.partition(_(1) < first - step)
    val (after, joined) = others.partition(_(0) > last + step)
    val run = Array((first +: joined.map(_(0))).min, (last +: joined.map(_(1))).max)
    (before ++ Array(run) ++ after).flatten
  }

  /** Reads the bytes of [[EmittedWindows.save]], which are there where rows come early; a [[CorruptStateException]] says why
    * they cannot be read.
    */
  def restore(shape: StateShape, in: BinaryReader): EmittedWindows = {
    val emitted = new EmittedWindows(shape.panes)
    if (shape.early) emitted.runs.foreach { ofPairs =>
      var (pair, pane) = (0L, 0L)
      (0 until in.count("the number of emitted pairs")).foreach { i =>
        val next = pair + in.signed()
        if (i > 0 && next <= pair)
          throw new CorruptStateException("the emitted pairs are not in rising order")
        pair = next
        val own = Array.fill(2 * in.count("the number of runs of emitted windows")) {
          pane += in.signed()
          pane
        }
        if (own.isEmpty || !areRuns(own, emitted.step))
          throw new CorruptStateException("the emitted windows of a pair are not in rising order")
        if (own.exists(window => shape.panes.lastWindowBy(window) != window))
          throw new CorruptStateException("an emitted window does not start at a multiple of the slide")
        ofPairs.update(pair, own)
      }
    }
    emitted
  }

  /** Whether the runs rise, with a gap of a window at least between two runs. */
  private def areRuns(emitted: Array[Long], step: Long): Boolean = (1 until emitted.length).forall { i =>
    if (i % 2 == 1) emitted(i - 1) <= emitted(i) else emitted(i - 1) + step < emitted(i)
  }
}
