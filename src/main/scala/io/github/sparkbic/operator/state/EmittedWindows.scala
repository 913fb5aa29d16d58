package io.github.sparkbic.operator.state

import java.util.Arrays

import scala.collection.mutable

import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}

/** The open windows of one graph for which the row of a pair has come, where rows come early.
  *
  * A pair is known by its vertices, as ids of the graph, and by how often it came before in the queries: exactly, whichever
  * other pairs there are. Both vertices of a pair with a row occur in an open window, so both have ids.
  *
  * A window that ends after the newest edge has all edges from its start on. So a pair that is connected in such a window
  * is connected in all earlier windows of this kind. Only edges out of order leave gaps, so the emitted windows of a pair
  * are mostly one run. Memory: some 100 bytes a pair; in the state 6 and, for each vertex, its difference to the vertex of
  * the pair before. A pair without an emitted window takes none.
  */
private[operator] final class EmittedWindows(panes: Panes) extends KeptPart {
  import EmittedWindows._

  private val lengths = panes.perWindows.toArray
  private val step = panes.perSlide.toLong
  private var pairs = new PairTable
  // For each pair and length of window, the first and last window of each run, rising; null if there is none.
  private var runs = Array.empty[Array[Long]]

  private def placeOf(pair: Int, panesInWindow: Int): Int = {
    var i = 0
    while (lengths(i) != panesInWindow) i += 1
    pair * lengths.length + i
  }

  override def size: Int = pairs.size

  /** The number of a pair; -1 if no row of it is known to have come.
    * @param repeat how often the pair came before in the queries
    */
  def find(source: Long, target: Long, repeat: Int): Int = pairs.find(source, target, repeat)

  /** Whether the rows of the pair with this number have come for all windows from `first` to `last`; true where there are
    * no windows.
    */
  def contains(pair: Int, panesInWindow: Int, first: Long, last: Long): Boolean =
    first > last || pair >= 0 && {
      val emitted = runs(placeOf(pair, panesInWindow))
      emitted != null && {
        // Runs neither meet nor overlap, so one run has all of these windows if any has.
        var i = 0
        while (i < emitted.length && emitted(i + 1) < last) i += 2
        i < emitted.length && emitted(i) <= first
      }
    }

  /** Notes the windows from `first` to `last` as emitted, and gives the windows among them that were not, rising. */
  def emit(
      source: Long,
      target: Long,
      repeat: Int,
      panesInWindow: Int,
      first: Long,
      last: Long
  ): Iterator[Long] =
    if (first > last) Iterator.empty
    else {
      val place = placeOf(pairs.intern(source, target, repeat), panesInWindow)
      val wanted = pairs.size * lengths.length
      if (wanted > runs.length) runs = Arrays.copyOf(runs, math.max(wanted, 2 * runs.length))
      val emitted = runs(place)
      if (emitted == null) {
        runs(place) = Array(first, last)
        windows(first, last)
      } else if (emitted.length == 2 && first >= emitted(0) && first <= emitted(1) + step) {
        // Mostly a pair has one run, which goes on.
        val next = emitted(1) + step
        emitted(1) = math.max(emitted(1), last)
        windows(next, last)
      } else {
        val news = missing(emitted, first, last, step)
        if (news.nonEmpty) runs(place) = union(emitted, first, last, step)
        news.grouped(2).flatMap(run => windows(run(0), run(1)))
      }
    }

  private def windows(first: Long, last: Long): Iterator[Long] =
    if (first == last) Iterator.single(first) else Iterator.iterate(first)(_ + step).takeWhile(_ <= last)

  /** Forgets the windows that are complete when all panes before `firstOpen` are, and the pairs without other windows. */
  def forgetBefore(firstOpen: Long): Unit = {
    val windows = lengths.map(panes.firstWindowWith(firstOpen, _))
    var open = 0
    var pair = 0
    while (pair < pairs.size) {
      lengths.indices.foreach { i =>
        val place = pair * lengths.length + i
        runs(place) = from(runs(place), windows(i))
      }
      if (isHeld(pair)) open += 1
      pair += 1
    }
    if (open < pairs.size) {
      val held = new PairTable
      val itsRuns = new Array[Array[Long]](open * lengths.length)
      (0 until pairs.size).filter(isHeld).foreach { pair =>
        val to = held.intern(pairs.source(pair), pairs.target(pair), pairs.repeat(pair))
        System.arraycopy(runs, pair * lengths.length, itsRuns, to * lengths.length, lengths.length)
      }
      pairs = held
      runs = itsRuns
    }
  }

  private def isHeld(pair: Int): Boolean = {
    var i = 0
    while (i < lengths.length && runs(pair * lengths.length + i) == null) i += 1
    i < lengths.length
  }

  override def foreachId(visit: Long => Unit): Unit = {
    var pair = 0
    while (pair < pairs.size) {
      visit(pairs.source(pair))
      visit(pairs.target(pair))
      pair += 1
    }
  }

  override def save(out: BinaryWriter, shown: Long => Long = identity): Unit = {
    out.unsigned(pairs.size.toLong)
    var (sourceBefore, targetBefore, pane) = (0L, 0L, 0L)
    var pair = 0
    while (pair < pairs.size) {
      val (source, target) = (shown(pairs.source(pair)), shown(pairs.target(pair)))
      out.signed(source - sourceBefore)
      out.signed(target - targetBefore)
      out.unsigned(pairs.repeat(pair).toLong)
      sourceBefore = source
      targetBefore = target
      lengths.indices.foreach { i =>
        val emitted = runs(pair * lengths.length + i)
        out.unsigned(if (emitted == null) 0L else emitted.length / 2L)
        if (emitted != null) emitted.foreach { window =>
          out.signed(window - pane)
          pane = window
        }
      }
      pair += 1
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

  /** The windows of `emitted` from `firstOpen` on; null if there are none. */
  private def from(emitted: Array[Long], firstOpen: Long): Array[Long] =
    if (emitted == null) null
    else {
      var i = 0
      while (i < emitted.length && emitted(i + 1) < firstOpen) i += 2
      val open = if (i == 0) emitted else Arrays.copyOfRange(emitted, i, emitted.length)
      if (open.isEmpty) null
      else {
        open(0) = math.max(open(0), firstOpen)
        open
      }
    }

  /** See [[KeptPart.restore]].
    * @param known gets sources and targets in turn
    */
  def restore(
      panes: Panes,
      in: BinaryReader,
      known: Array[Long] => Array[Long] = identity
  ): EmittedWindows = {
    val emitted = new EmittedWindows(panes)
    val count = in.count("the number of emitted pairs")
    val vertices = new Array[Long](2 * count)
    val repeats = new Array[Int](count)
    emitted.runs = new Array(count * emitted.lengths.length)
    var (source, target, pane) = (0L, 0L, 0L)
    (0 until count).foreach { pair =>
      source += in.signed()
      target += in.signed()
      vertices(2 * pair) = source
      vertices(2 * pair + 1) = target
      repeats(pair) = in.below(Int.MaxValue.toLong, "how often a pair came before")
      val own = emitted.lengths.map { _ =>
        Array.fill(2 * in.count("the number of runs of emitted windows")) {
          pane += in.signed()
          pane
        }
      }
      if (own.forall(_.isEmpty) || !own.forall(areRuns(_, emitted.step)))
        throw new CorruptStateException("the emitted windows of a pair are not in rising order")
      if (own.exists(_.exists(window => panes.lastWindowBy(window) != window)))
        throw new CorruptStateException("an emitted window does not start at a multiple of the slide")
      own.indices.foreach { i =>
        if (own(i).nonEmpty) emitted.runs(pair * own.length + i) = own(i)
      }
    }
    val ids = known(vertices)
    repeats.indices.foreach { pair =>
      if (emitted.pairs.intern(ids(2 * pair), ids(2 * pair + 1), repeats(pair)) != pair)
        throw new CorruptStateException("an emitted pair is there twice")
    }
    emitted
  }

  /** Whether the runs rise, with a gap of a window at least between two runs. */
  private def areRuns(emitted: Array[Long], step: Long): Boolean = (1 until emitted.length).forall { i =>
    if (i % 2 == 1) emitted(i - 1) <= emitted(i) else emitted(i - 1) + step < emitted(i)
  }
}
