package io.github.sparkbic.operator.state

import java.util.{Arrays, LinkedHashMap => JLinkedHashMap}
import java.util.concurrent.ThreadLocalRandom

import scala.collection.mutable

import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}
import io.github.sparkbic.index.kernels.Hash

/** A pair of the queries, exactly, whichever other pairs there are: its vertices, as ids of the graph.
  * @param repeat how often the pair came before in the queries
  */
private[operator] final case class EmittedPair(source: Long, target: Long, repeat: Int) {
  // Seeded, so no input collides for all users.
  override def hashCode: Int =
    (Hash.mix(target, Hash.mix(source, EmittedPair.seed) + repeat) >>> 32).toInt
}

private[operator] object EmittedPair {
  private val seed = ThreadLocalRandom.current().nextLong()
}

/** The open windows of one graph for which the row of a pair has come, where rows come early. Both vertices of a pair with a
  * row occur in an open window, so both have ids.
  *
  * A window that ends after the newest edge has all edges from its start on. So a pair that is connected in such a window
  * is connected in all earlier windows of this kind. Only edges out of order leave gaps, so the emitted windows of a pair
  * are mostly one run. Memory: some 150 bytes a pair; in the state 6 and, for each vertex, its difference to the vertex of
  * the pair before. A pair without an emitted window takes none.
  */
private[operator] final class EmittedWindows(panes: Panes) extends KeptPart {
  import EmittedWindows._

  private val lengths = panes.perWindows.toArray
  private val step = panes.perSlide.toLong
  // For each length of window, the first and last window of each run, rising.
  private val pairs = new JLinkedHashMap[EmittedPair, Array[Array[Long]]]

  override def size: Int = pairs.size
  override def ofPairs: EmittedWindows = this

  /** Whether the rows of a pair have come for all windows from `first` to `last`; true where there are no windows. */
  def contains(pair: EmittedPair, panesInWindow: Int, first: Long, last: Long): Boolean =
    first > last || {
      val runs = pairs.get(pair)
      runs != null && {
        val emitted = runs(lengths.indexOf(panesInWindow))
        // Runs neither meet nor overlap, so one run has all of these windows if any has.
        var i = 0
        while (i < emitted.length && emitted(i + 1) < last) i += 2
        i < emitted.length && emitted(i) <= first
      }
    }

  /** Notes the windows from `first` to `last` as emitted, and gives the windows among them that were not, rising. */
  def emit(pair: EmittedPair, panesInWindow: Int, first: Long, last: Long): Iterator[Long] =
    if (first > last) Iterator.empty
    else {
      val runs = pairs.computeIfAbsent(pair, _ => lengths.map(_ => Array.emptyLongArray))
      val length = lengths.indexOf(panesInWindow)
      val emitted = runs(length)
      // The runs from i until j meet the new run or overlap it, and become one with it.
      var i = 0
      while (i < emitted.length && emitted(i + 1) < first - step) i += 2
      val news = mutable.ArrayBuffer.empty[(Long, Long)]
      var start = first
      var next = first
      var j = i
      while (j < emitted.length && emitted(j) <= last + step) {
        if (next < emitted(j)) news += next -> (emitted(j) - step)
        start = math.min(start, emitted(j))
        next = math.max(next, emitted(j + 1) + step)
        j += 2
      }
      if (next <= last) news += next -> last
      runs(length) = emitted.take(i) ++ Array(start, math.max(last, next - step)) ++ emitted.drop(j)
      news.iterator.flatMap { case (from, until) => Iterator.iterate(from)(_ + step).takeWhile(_ <= until) }
    }

  /** Forgets the windows that are complete when all panes before `firstOpen` are, and the pairs without other windows. */
  override def forgetBefore(firstOpen: Long): Unit = {
    val windows = lengths.map(panes.firstWindowWith(firstOpen, _))
    pairs.values.removeIf { runs =>
      runs.indices.foreach(i => runs(i) = from(runs(i), windows(i)))
      runs.forall(_.isEmpty)
    }: Unit
  }

  override def foreachId(visit: Long => Unit): Unit = pairs.keySet.forEach { pair =>
    visit(pair.source)
    visit(pair.target)
  }

  override def save(out: BinaryWriter, shown: Long => Long = identity): Unit = {
    out.unsigned(size.toLong)
    var (sourceBefore, targetBefore, pane) = (0L, 0L, 0L)
    pairs.forEach { (pair, runs) =>
      val (source, target) = (shown(pair.source), shown(pair.target))
      out.signed(source - sourceBefore)
      out.signed(target - targetBefore)
      out.unsigned(pair.repeat.toLong)
      sourceBefore = source
      targetBefore = target
      runs.foreach { emitted =>
        out.unsigned(emitted.length / 2L)
        emitted.foreach { window =>
          out.signed(window - pane)
          pane = window
        }
      }
    }
  }
}

private[operator] object EmittedWindows {

  /** The windows of `emitted` from `firstOpen` on. */
  private def from(emitted: Array[Long], firstOpen: Long): Array[Long] = {
    var i = 0
    while (i < emitted.length && emitted(i + 1) < firstOpen) i += 2
    val open = if (i == 0) emitted else Arrays.copyOfRange(emitted, i, emitted.length)
    if (open.nonEmpty) open(0) = math.max(open(0), firstOpen)
    open
  }

  /** Reads the bytes of [[EmittedWindows.save]].
    * @param known gives ids of the graph for sources and targets in turn, as they were written
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
    var (source, target, pane) = (0L, 0L, 0L)
    val runs = Array.tabulate(count) { pair =>
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
      own
    }
    val ids = known(vertices)
    runs.indices.foreach { i =>
      if (emitted.pairs.put(EmittedPair(ids(2 * i), ids(2 * i + 1), repeats(i)), runs(i)) != null)
        throw new CorruptStateException("an emitted pair is there twice")
    }
    emitted
  }

  /** Whether the runs rise, with a gap of a window at least between two runs. */
  private def areRuns(emitted: Array[Long], step: Long): Boolean = (1 until emitted.length).forall { i =>
    if (i % 2 == 1) emitted(i - 1) <= emitted(i) else emitted(i - 1) + step < emitted(i)
  }
}
