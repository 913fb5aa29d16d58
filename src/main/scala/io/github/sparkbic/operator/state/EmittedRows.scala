package io.github.sparkbic.operator.state

import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}

/** The windows of one graph for which a row has come, by pair or by vertex: the open windows where rows come early, and the
  * window answered last where rows are updates. Each pair or vertex has a slot, exactly, whichever others there are.
  *
  * A slot has a list of windows for each length ([[WindowRuns]]). A window that ends after the newest edge has all edges from
  * its start on. So what is connected in such a window is connected in all earlier windows of this kind, and a list is one
  * run unless edges came out of order.
  *
  * Memory: 4 bytes a slot and length, and 20 for each run. Slots without a window stay until they are half of all.
  *
  * @param ofLast whether it is the window answered last whose rows count
  * @param what   what has a slot, in an error
  */
private[operator] abstract class EmittedRows(panes: Panes, ofLast: Boolean, what: String) extends KeptPart {
  protected final val lengths: Array[Int] = panes.perWindows.toArray
  protected final val step: Long = panes.perSlide.toLong
  // A list for each slot and length.
  private var windows = new WindowRuns(step)
  // Earlier windows do not count any more.
  private val from = Array.fill(lengths.length)(Long.MinValue)

  /** Leaves these slots alone, which become 0, 1, 2 … */
  protected def keep(slots: Array[Int]): Unit

  /** Writes pairs or vertices, by rising slot. */
  protected def saver(out: BinaryWriter, shown: Long => Long): Int => Unit

  /** The place of a length among the lengths of windows. */
  final def placeOf(panesInWindow: Int): Int = {
    var i = 0
    while (lengths(i) != panesInWindow) i += 1
    i
  }

  private def listOf(slot: Int, place: Int): Int = slot * lengths.length + place

  /** Makes room for so many slots. */
  protected final def reserve(slots: Int): Unit = windows.reserve(slots * lengths.length)

  /** Whether the rows of all windows from `first` to `last` have come; true where there are no windows. */
  final def contains(slot: Int, place: Int, first: Long, last: Long): Boolean =
    first > last || windows.contains(listOf(slot, place), first, last)

  /** Notes a window; false if it was noted before. */
  final def add(slot: Int, place: Int, window: Long): Boolean =
    windows.add(listOf(slot, place), window, from(place))

  /** Notes windows as [[WindowRuns.addAll]] does. */
  final def addAll(slot: Int, place: Int, first: Long, until: Long): Long =
    windows.addAll(listOf(slot, place), first, until, from(place))

  /** The latest window of the first length whose row has come; `Long.MinValue` if none has. */
  protected final def latest(slot: Int): Long = windows.latest(listOf(slot, 0))

  final override def forgetBefore(firstOpen: Long): Unit = {
    lengths.indices.foreach { i =>
      from(i) = panes.firstWindowWith(firstOpen, lengths(i)) - (if (ofLast) step else 0)
    }
    val held = countHeld
    if (2 * held < size || held == 0) rebuild(held)
  }

  private def countHeld: Int = {
    var held = 0
    foreachHeld(_ => held += 1)
    held
  }

  /** Visits the slots that have a window. */
  protected final def foreachHeld(visit: Int => Unit): Unit = {
    var slot = 0
    while (slot < size) {
      if (isHeld(slot)) visit(slot)
      slot += 1
    }
  }

  private def isHeld(slot: Int): Boolean = {
    var place = 0
    while (place < lengths.length && !isCounted(listOf(slot, place), from(place))) place += 1
    place < lengths.length
  }

  private def isCounted(list: Int, from: Long): Boolean =
    !windows.isEmpty(list) && windows.latest(list) >= from

  /** Leaves the slots that have a window, with the windows that count. */
  private def rebuild(held: Int): Unit = {
    val slots = new Array[Int](held)
    val kept = new WindowRuns(step)
    kept.reserve(held * lengths.length)
    var to = 0
    foreachHeld { slot =>
      var place = 0
      while (place < lengths.length) {
        kept.appendAll(listOf(to, place), windows, listOf(slot, place), from(place))
        place += 1
      }
      slots(to) = slot
      to += 1
    }
    windows = kept
    keep(slots)
  }

  final override def save(out: BinaryWriter, shown: Long => Long = identity): Unit = {
    out.unsigned(countHeld.toLong)
    val saveKey = saver(out, shown)
    var pane = 0L
    foreachHeld { slot =>
      saveKey(slot)
      var place = 0
      while (place < lengths.length) {
        pane = windows.save(listOf(slot, place), from(place), pane, out)
        place += 1
      }
    }
  }

  /** Reads the windows of `count` slots, each behind its pair or vertex. */
  protected[state] final def restore(count: Int, in: BinaryReader)(readKey: Int => Unit): Unit = {
    reserve(count)
    var pane = 0L
    (0 until count).foreach { slot =>
      readKey(slot)
      lengths.indices.foreach { place =>
        var (later, before) = (-1, Long.MaxValue)
        (0 until in.count("the number of runs of emitted windows")).foreach { _ =>
          pane += in.signed()
          val first = pane - in.signed()
          if (first > pane || later >= 0 && pane >= before - step)
            throw new CorruptStateException(s"the emitted windows of a $what are not in falling order")
          if (Seq(first, pane).exists(window => panes.lastWindowBy(window) != window))
            throw new CorruptStateException("an emitted window does not start at a multiple of the slide")
          later = windows.append(listOf(slot, place), later, first, pane)
          before = first
        }
      }
      if (!isHeld(slot)) throw new CorruptStateException(s"a $what has no emitted window")
    }
  }
}
