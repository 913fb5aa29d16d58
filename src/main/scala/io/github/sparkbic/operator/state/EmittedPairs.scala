package io.github.sparkbic.operator.state

import java.lang.{Integer => JInteger}
import java.util.{HashMap => JHashMap}
import java.util.concurrent.ThreadLocalRandom

import scala.collection.mutable.ArrayBuffer

import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}
import io.github.sparkbic.index.kernels.Hash

/** A pair of the queries: its vertices, as ids of the graph.
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

/** [[EmittedRows]] of pairs. Both vertices of a pair with a row occur in an open window, so both have ids. Memory: some 150
  * bytes a pair. In the state: 6 bytes and, for each vertex, its difference to the vertex of the pair before.
  */
private[operator] final class EmittedPairs(panes: Panes) extends EmittedRows(panes, ofLast = false, "pair") {
  private val slots = new JHashMap[EmittedPair, JInteger]
  private val pairs = ArrayBuffer.empty[EmittedPair]

  override def size: Int = pairs.size
  override def ofPairs: EmittedPairs = this

  /** Whether the rows of a pair have come for all windows from `first` to `last`; true where there are no windows. */
  def contains(pair: EmittedPair, panesInWindow: Int, first: Long, last: Long): Boolean =
    first > last || {
      val slot = slots.get(pair)
      slot != null && contains(slot.intValue, placeOf(panesInWindow), first, last)
    }

  /** Notes the windows from `first` to `last` as emitted, and gives the windows among them that were not, rising. */
  def emit(pair: EmittedPair, panesInWindow: Int, first: Long, last: Long): Iterator[Long] =
    if (first > last) Iterator.empty
    else {
      val (slot, place) = (enter(pair), placeOf(panesInWindow))
      val added = addAll(slot, place, first, last)
      def windows(start: Long) = Iterator.iterate(start)(_ + step).takeWhile(_ <= last)
      if (added == WindowRuns.Mixed) windows(first).filter(add(slot, place, _)).toArray.iterator
      else windows(added)
    }

  private def enter(pair: EmittedPair): Int = {
    val known = slots.putIfAbsent(pair, pairs.size)
    if (known != null) known.intValue
    else {
      pairs += pair
      reserve(pairs.size)
      pairs.size - 1
    }
  }

  override protected def keep(held: Array[Int]): Unit = {
    val kept = held.map(pairs(_))
    slots.clear()
    pairs.clear()
    kept.foreach(enter)
  }

  override def foreachId(visit: Long => Unit): Unit = foreachHeld { slot =>
    visit(pairs(slot).source)
    visit(pairs(slot).target)
  }

  override protected def saver(out: BinaryWriter, shown: Long => Long): Int => Unit = {
    var sourceBefore, targetBefore = 0L
    slot => {
      val (source, target) = (shown(pairs(slot).source), shown(pairs(slot).target))
      out.signed(source - sourceBefore)
      out.signed(target - targetBefore)
      out.unsigned(pairs(slot).repeat.toLong)
      sourceBefore = source
      targetBefore = target
    }
  }
}

private[operator] object EmittedPairs {

  /** Reads the bytes of [[EmittedPairs.save]].
    * @param known gives ids of the graph for sources and targets in turn, as they were written
    */
  def restore(
      panes: Panes,
      in: BinaryReader,
      known: Array[Long] => Array[Long] = identity
  ): EmittedPairs = {
    val emitted = new EmittedPairs(panes)
    val count = in.count("the number of emitted pairs")
    val vertices = new Array[Long](2 * count)
    val repeats = new Array[Int](count)
    var source, target = 0L
    emitted.restore(count, in) { pair =>
      source += in.signed()
      target += in.signed()
      vertices(2 * pair) = source
      vertices(2 * pair + 1) = target
      repeats(pair) = in.below(Int.MaxValue.toLong, "how often a pair came before")
    }
    val ids = known(vertices)
    repeats.indices.foreach { i =>
      if (emitted.enter(EmittedPair(ids(2 * i), ids(2 * i + 1), repeats(i))) != i)
        throw new CorruptStateException("an emitted pair is there twice")
    }
    emitted
  }
}
