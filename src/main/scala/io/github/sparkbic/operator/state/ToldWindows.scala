package io.github.sparkbic.operator.state

import java.util.Arrays

import scala.collection.mutable

import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}

/** The open windows of one graph for which a pair has been told to be connected, where answers come early.
  *
  * A window that ends after the newest edge has all edges from its start on. So a pair that is connected in such a window
  * is connected in all earlier windows of this kind. Only edges out of order leave gaps, so the told windows of a pair are
  * mostly one run. Memory: some 100 bytes a pair, and 13 in the state. A pair without a told window takes none.
  *
  * A pair has a number of 64 bits, which does not depend on the other pairs of the query.
  */
private[operator] final class ToldWindows(panes: Panes) {
  import ToldWindows._

  // By pair, for each length of window: the first and last window of each run, rising.
  private val runs = panes.perWindows.map(_ => mutable.LongMap.empty[Array[Long]])
  private val step = panes.perSlide.toLong

  private def ofLength(panesInWindow: Int) = runs(panes.perWindows.indexOf(panesInWindow))

  def isEmpty: Boolean = runs.forall(_.isEmpty)

  def isTold(pair: Long, panesInWindow: Int, window: Long): Boolean =
    ofLength(panesInWindow).get(pair).exists(missing(_, window, window, step).isEmpty)

  /** Notes the windows from `first` to `last` as told, and gives the windows among them that were not, rising. */
  def tell(pair: Long, panesInWindow: Int, first: Long, last: Long): Iterator[Long] = {
    val ofPairs = ofLength(panesInWindow)
    val told = ofPairs.getOrElse(pair, Array.emptyLongArray)
    val news = missing(told, first, last, step)
    if (news.nonEmpty) ofPairs.update(pair, union(told, first, last, step))
    news.grouped(2).flatMap(run => Iterator.iterate(run(0))(_ + step).takeWhile(_ <= run(1)))
  }

  /** Forgets the windows that end at or before the start of pane `closed`. */
  def forgetBefore(closed: Long): Unit = runs.zip(panes.perWindows).foreach { case (ofPairs, length) =>
    val firstOpen = panes.firstWindowWith(closed, length)
    ofPairs.filterInPlace((_, told) => told.last >= firstOpen)
    ofPairs.mapValuesInPlace { (_, told) =>
      if (told.head >= firstOpen) told
      else {
        val open = told.grouped(2).filter(_(1) >= firstOpen).toArray.flatten
        open(0) = math.max(open(0), firstOpen)
        open
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
      val told = ofPairs(pair)
      out.unsigned(told.length / 2L)
      told.foreach { window =>
        out.signed(window - pane)
        pane = window
      }
    }
  }
}

private[operator] object ToldWindows {

  /** The runs of windows from `first` to `last` that are in none of the runs of `told`. */
  private def missing(told: Array[Long], first: Long, last: Long, step: Long): Array[Long] = {
    val found = mutable.ArrayBuilder.make[Long]
    var next = first
    var i = 0
    while (i < told.length && told(i) <= last) {
      if (told(i) > next) found ++= Array(next, told(i) - step)
      next = math.max(next, told(i + 1) + step)
      i += 2
    }
    if (next <= last) found ++= Array(next, last)
    found.result()
  }

  /** The runs of `told` together with the windows from `first` to `last`. */
  private def union(told: Array[Long], first: Long, last: Long, step: Long): Array[Long] = {
    val (before, others) = told.grouped(2).toArray.partition(_(1) < first - step)
    val (after, joined) = others.partition(_(0) > last + step)
    val run = Array((first +: joined.map(_(0))).min, (last +: joined.map(_(1))).max)
    before.flatten ++ run ++ after.flatten
  }

  /** Reads the bytes of [[ToldWindows.save]], which are there where rows come early; a [[CorruptStateException]] says why
    * they cannot be read.
    */
  def restore(shape: StateShape, in: BinaryReader): ToldWindows = {
    val told = new ToldWindows(shape.panes)
    if (shape.early) told.runs.foreach { ofPairs =>
      var (pair, pane) = (0L, 0L)
      (0 until in.count("the number of told pairs")).foreach { i =>
        val next = pair + in.signed()
        if (i > 0 && next <= pair) throw new CorruptStateException("the told pairs are not in rising order")
        pair = next
        val own = Array.fill(2 * in.count("the number of runs of told windows")) {
          pane += in.signed()
          pane
        }
        if (own.isEmpty || !isRising(own))
          throw new CorruptStateException("the told windows of a pair are not in rising order")
        ofPairs.update(pair, own)
      }
    }
    told
  }

  private def isRising(told: Array[Long]): Boolean =
    (1 until told.length).forall(i => told(i - 1) < told(i) || i % 2 == 1 && told(i - 1) == told(i))
}
