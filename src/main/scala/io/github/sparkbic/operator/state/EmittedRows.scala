package io.github.sparkbic.operator.state

import java.util.Arrays

import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}

/** The windows of one graph for which a row has come, by pair or by vertex: the open windows where rows come early, and the
  * window answered last where rows are updates. Each pair or vertex has a slot, exactly, whichever others there are.
  *
  * A slot has a list of windows for each length: runs of windows that follow one another, the latest run first. Runs of a list
  * neither meet nor overlap. A window that ends after the newest edge has all edges from its start on. So what is connected
  * in such a window is connected in all earlier windows of this kind, and a list is one run unless edges came out of order.
  *
  * All lists share columns. Memory: 4 bytes a slot and length, and 20 for each run. Slots without a window stay until they are
  * half of all; then the rows are saved and read again, which leaves such slots and earlier windows out.
  *
  * @param ofLast whether it is the window answered last whose rows count
  * @param what   what has a slot, in an error
  * @param width  how many vertices that is
  */
private[operator] abstract class EmittedRows(panes: Panes, ofLast: Boolean, what: String, width: Int)
    extends KeptPart {
  import EmittedRows.Mixed

  protected final val lengths: Array[Int] = panes.perWindows.toArray
  protected final val step: Long = panes.perSlide.toLong
  // By list: its latest run plus one, or zero.
  private var heads = Array.emptyIntArray
  // The first and the last window of each run, side by side; and the run before it plus one, or zero.
  private var spans = Array.emptyLongArray
  private var nexts = Array.emptyIntArray
  private var runs = 0
  // Earlier windows do not count any more.
  private val from = Array.fill(lengths.length)(Long.MinValue)

  /** Vertex `i` of a slot. */
  protected def vertexOf(slot: Int, i: Int): Long

  /** How often the pair of a slot came before in the queries. */
  protected def repeatOf(slot: Int): Int

  /** The slot of the pair or vertex that begins at `vertices(at)`; a new one if it has none. */
  protected def enter(vertices: Array[Long], at: Int, repeat: Int): Int

  /** Removes all slots.
    * @param expected how many slots will follow
    */
  protected def clearSlots(expected: Int): Unit

  /** The place of a length among the lengths of windows. */
  final def placeOf(panesInWindow: Int): Int = {
    var i = 0
    while (lengths(i) != panesInWindow) i += 1
    i
  }

  private def listOf(slot: Int, place: Int): Int = slot * lengths.length + place

  private def firstOf(run: Int): Long = spans(2 * run)

  private def lastOf(run: Int): Long = spans(2 * run + 1)

  /** Makes room for so many slots. */
  protected final def reserve(slots: Int): Unit = {
    val lists = slots * lengths.length
    if (lists > heads.length) heads = Arrays.copyOf(heads, math.max(lists, 2 * heads.length))
  }

  /** The latest window whose row has come; `Long.MinValue` if none has. */
  protected final def latest(slot: Int, place: Int): Long = {
    val run = heads(listOf(slot, place)) - 1
    if (run < 0) Long.MinValue else lastOf(run)
  }

  /** Whether the rows of all windows from `first` to `last` have come; true where there are no windows. */
  final def contains(slot: Int, place: Int, first: Long, last: Long): Boolean = first > last || {
    var run = heads(listOf(slot, place)) - 1
    // One run has all of these windows if any has.
    while (run >= 0 && firstOf(run) > first) run = nexts(run) - 1
    run >= 0 && lastOf(run) >= last
  }

  /** Notes a window; false if it was noted before. */
  final def add(slot: Int, place: Int, window: Long): Boolean = {
    val list = listOf(slot, place)
    var later = -1
    var run = heads(list) - 1
    while (run >= 0 && firstOf(run) > window + step) {
      later = run
      run = nexts(run) - 1
    }
    if (run >= 0 && firstOf(run) <= window && window <= lastOf(run)) false
    else {
      // No run begins right after the window, or it would be `run`.
      if (run >= 0 && window == lastOf(run) + step) spans(2 * run + 1) = window
      else if (run >= 0 && firstOf(run) == window + step) {
        spans(2 * run) = window
        val earlier = nexts(run) - 1
        if (earlier >= 0 && lastOf(earlier) == window - step) {
          spans(2 * run) = firstOf(earlier)
          nexts(run) = nexts(earlier)
        }
      } else if (later < 0) insertLatest(list, window, window, from(place))
      else insert(list, later, window, window, run)
      true
    }
  }

  /** Notes the windows from `first` to the last one at or before `until`, where nothing but the latest run tells of them.
    *
    * @return the first of these windows that was not noted, which is later than `until` if all were; or
    *   [[EmittedRows.Mixed]], and then nothing is noted
    */
  final def addAll(slot: Int, place: Int, first: Long, until: Long): Long = {
    val list = listOf(slot, place)
    val run = heads(list) - 1
    if (run < 0 || lastOf(run) < first - step) {
      insertLatest(list, first, lastUntil(first, until), from(place))
      first
    } else if (firstOf(run) > first) Mixed
    else {
      val added = lastOf(run) + step
      // Mostly all are there, and then nothing is divided or written.
      if (added <= until) spans(2 * run + 1) = lastUntil(first, until)
      added
    }
  }

  private def lastUntil(first: Long, until: Long): Long = until - (until - first) % step

  /** Adds the latest run of a list; in the place of all runs if none counts any more. */
  private def insertLatest(list: Int, first: Long, last: Long, from: Long): Unit = {
    val run = heads(list) - 1
    if (run < 0 || lastOf(run) >= from) insert(list, later = -1, first, last, run): Unit
    else {
      spans(2 * run) = first
      spans(2 * run + 1) = last
      nexts(run) = 0
    }
  }

  /** Adds a run between the runs `later` and `earlier`, which may be -1; gives its number. */
  private def insert(list: Int, later: Int, first: Long, last: Long, earlier: Int): Int = {
    if (runs == nexts.length) {
      val length = math.max(16, runs + (runs >> 1))
      spans = Arrays.copyOf(spans, 2 * length)
      nexts = Arrays.copyOf(nexts, length)
    }
    spans(2 * runs) = first
    spans(2 * runs + 1) = last
    nexts(runs) = earlier + 1
    runs += 1
    if (later < 0) heads(list) = runs else nexts(later) = runs
    runs - 1
  }

  final override def forgetBefore(firstOpen: Long): Unit = {
    lengths.indices.foreach { i =>
      from(i) = panes.firstWindowWith(firstOpen, lengths(i)) - (if (ofLast) step else 0)
    }
    val held = countHeld
    if (2 * held < size || held == 0) {
      val out = new BinaryWriter
      save(out)
      restore(new BinaryReader(out.toBytes)): Unit
    }
  }

  private def countHeld: Int = {
    var held = 0
    foreachHeld(_ => held += 1)
    held
  }

  /** Visits the slots that have a window. */
  private def foreachHeld(visit: Int => Unit): Unit = {
    var slot = 0
    while (slot < size) {
      var place = 0
      while (place < lengths.length && !isCounted(heads(listOf(slot, place)) - 1, place)) place += 1
      if (place < lengths.length) visit(slot)
      slot += 1
    }
  }

  private def isCounted(run: Int, place: Int): Boolean = run >= 0 && lastOf(run) >= from(place)

  final override def foreachId(visit: Long => Unit): Unit = foreachHeld { slot =>
    var i = 0
    while (i < width) {
      visit(vertexOf(slot, i))
      i += 1
    }
  }

  final override def save(out: BinaryWriter, shown: Long => Long = identity): Unit = {
    out.unsigned(countHeld.toLong)
    val before = new Array[Long](width)
    var window = 0L
    foreachHeld { slot =>
      var i = 0
      while (i < width) {
        val vertex = shown(vertexOf(slot, i))
        out.signed(vertex - before(i))
        before(i) = vertex
        i += 1
      }
      if (width > 1) out.unsigned(repeatOf(slot).toLong)
      var place = 0
      while (place < lengths.length) {
        window = saveRuns(heads(listOf(slot, place)) - 1, place, window, out)
        place += 1
      }
    }
  }

  /** Writes a run and the runs before it, by their difference to `window`; gives the last window of the last one. */
  private def saveRuns(latest: Int, place: Int, window: Long, out: BinaryWriter): Long = {
    var count = 0L
    var run = latest
    while (isCounted(run, place)) {
      count += 1
      run = nexts(run) - 1
    }
    out.unsigned(count)
    var before = window
    run = latest
    while (isCounted(run, place)) {
      out.signed(lastOf(run) - before)
      out.signed(lastOf(run) - math.max(firstOf(run), from(place)))
      before = lastOf(run)
      run = nexts(run) - 1
    }
    before
  }

  private[state] final override def restore(in: BinaryReader, known: Array[Long] => Array[Long]): KeptPart = {
    val count = in.count("the number of emitted rows")
    clearSlots(count)
    heads = new Array[Int](count * lengths.length)
    spans = new Array[Long](2 * count)
    nexts = new Array[Int](count)
    runs = 0
    val (vertices, repeats) = (new Array[Long](count * width), new Array[Int](count))
    var window = 0L
    var slot = 0
    while (slot < count) {
      var at = slot * width
      while (at < (slot + 1) * width) {
        vertices(at) = in.signed() + (if (slot == 0) 0 else vertices(at - width))
        at += 1
      }
      if (width > 1) repeats(slot) = in.below(Int.MaxValue.toLong, "how often a pair came before")
      val before = runs
      var place = 0
      while (place < lengths.length) {
        window = restoreRuns(slot, place, window, in)
        place += 1
      }
      if (runs == before) throw new CorruptStateException(s"a $what has no emitted window")
      slot += 1
    }
    val ids = known(vertices)
    repeats.indices.foreach { slot =>
      if (enter(ids, slot * width, repeats(slot)) != slot)
        throw new CorruptStateException(s"an emitted $what is there twice")
    }
    this
  }

  private def restoreRuns(slot: Int, place: Int, window: Long, in: BinaryReader): Long = {
    var later = -1
    var last = window
    var before = Long.MaxValue
    var left = in.count("the number of runs of emitted windows")
    while (left > 0) {
      last += in.signed()
      val first = last - in.signed()
      if (first > last || later >= 0 && last >= before - step)
        throw new CorruptStateException(s"the emitted windows of a $what are not in falling order")
      if (panes.lastWindowBy(first) != first || panes.lastWindowBy(last) != last)
        throw new CorruptStateException("an emitted window does not start at a multiple of the slide")
      later = insert(listOf(slot, place), later, first, last, earlier = -1)
      before = first
      left -= 1
    }
    last
  }
}

private[operator] object EmittedRows {

  /** The answer of [[EmittedRows.addAll]] where windows were noted out of order. */
  final val Mixed = Long.MinValue
}
