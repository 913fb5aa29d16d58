package io.github.sparkbic.operator.state

import java.util.Arrays

import scala.collection.mutable.ArrayBuilder

import io.github.sparkbic.index.contract.{ConnectedVertices, Panes}
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}
import io.github.sparkbic.index.kernels.LongInterner

/** The windows of one graph for which the row of a vertex has come: the open windows where rows come early, and the window
  * answered last where rows are updates. Vertices are known exactly, whichever other vertices there are.
  *
  * A vertex has a run of windows for each length, and further runs where edges came out of order: a list, the latest run
  * first, in columns that all vertices share. Runs of a list neither meet nor overlap.
  *
  * Most vertices have the number in the index that they had when their last row came. So [[slotsOf]] looks there first, and
  * only other vertices are looked up by hash.
  *
  * Memory: 25 to 40 bytes a vertex, and 20 for each run. In the state: 3 bytes a vertex and its difference to the vertex
  * before. Vertices without a window stay until they are half of all.
  *
  * @param ofLast whether it is the window answered last whose rows count
  */
private[operator] final class EmittedVertices(panes: Panes, ofLast: Boolean) extends KeptPart {
  private val lengths = panes.perWindows.toArray
  private val step = panes.perSlide.toLong
  private var vertices = new LongInterner
  // By the number in the index: a slot of the vertex that last had the number, plus one.
  private var hints = Array.emptyIntArray
  // By slot and length: the latest run plus one, or zero.
  private var heads = Array.emptyIntArray
  // The first and the last window of each run, side by side; and the run before it plus one, or zero.
  private var spans = Array.emptyLongArray
  private var nexts = Array.emptyIntArray
  private var runs = 0
  // Earlier windows do not count any more.
  private val from = Array.fill(lengths.length)(Long.MinValue)

  /** The place of a length among the lengths of windows. */
  def placeOf(panesInWindow: Int): Int = {
    var i = 0
    while (lengths(i) != panesInWindow) i += 1
    i
  }

  override def size: Int = vertices.size
  override def ofVertices: EmittedVertices = this

  private def firstOf(run: Int): Long = spans(2 * run)

  private def lastOf(run: Int): Long = spans(2 * run + 1)

  /** The slots of the vertices whose `since` is not before `from`, each at its place in `found`. A vertex that is not there
    * gets a slot.
    */
  def slotsOf(found: ConnectedVertices, from: Long): Array[Int] = {
    val slots = new Array[Int](found.size)
    // Vertices are looked up by hash in blocks, so that many cache lines are waited for at once.
    val unhinted = new Array[Int](EmittedVertices.Block)
    var count = 0
    var i = 0
    while (i < found.size) {
      if (found.since(i) >= from) {
        slots(i) = hinted(found.number(i), found.vertex(i))
        if (slots(i) < 0) {
          unhinted(count) = i
          count += 1
        }
      }
      i += 1
      if (count == unhinted.length || i == found.size) {
        enterAll(found, unhinted, count, slots)
        count = 0
      }
    }
    slots
  }

  /** The slot of a vertex if the last vertex with its number was the same; else -1. */
  private def hinted(number: Int, vertex: Long): Int = {
    val hint = if (number < hints.length) hints(number) - 1 else -1
    if (hint >= 0 && vertices.id(hint) == vertex) hint else -1
  }

  /** Looks `count` vertices at some places in `found` up by hash. */
  private def enterAll(found: ConnectedVertices, places: Array[Int], count: Int, slots: Array[Int]): Unit = {
    val wanted = new Array[Long](count)
    var i = 0
    while (i < count) {
      wanted(i) = found.vertex(places(i))
      i += 1
    }
    val entered = new Array[Int](count)
    vertices.internAll(wanted, 0, count, entered, 0)
    val length = vertices.size * lengths.length
    if (length > heads.length) heads = Arrays.copyOf(heads, math.max(length, 2 * heads.length))
    i = 0
    while (i < count) {
      slots(places(i)) = entered(i)
      note(found.number(places(i)), entered(i))
      i += 1
    }
  }

  private def note(number: Int, slot: Int): Unit = {
    if (number >= hints.length) hints = Arrays.copyOf(hints, math.max(number + 1, 2 * hints.length))
    hints(number) = slot + 1
  }

  /** Whether the rows of all windows from `first` to `last` have come; true where there are no windows. */
  def contains(slot: Int, place: Int, first: Long, last: Long): Boolean =
    first > last || {
      var run = heads(slot * lengths.length + place) - 1
      // One run has all of these windows if any has.
      while (run >= 0 && firstOf(run) > first) run = nexts(run) - 1
      run >= 0 && lastOf(run) >= last
    }

  /** Notes a window; false if it was noted before. */
  def add(slot: Int, place: Int, window: Long): Boolean = {
    val head = slot * lengths.length + place
    var later = -1
    var run = heads(head) - 1
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
      } else insert(head, later, window, window, run)
      true
    }
  }

  /** Notes the windows from `first` to the last one at or before `until`, where nothing but the latest run tells of them.
    *
    * @return the first of these windows that was not noted before, which is later than `until` if all were; or
    *   [[EmittedVertices.Mixed]], and then nothing is noted
    */
  def addAll(slot: Int, place: Int, first: Long, until: Long): Long = {
    val head = slot * lengths.length + place
    val run = heads(head) - 1
    if (run < 0 || lastOf(run) < first - step) {
      insert(head, later = -1, first, lastUntil(first, until), run)
      first
    } else if (firstOf(run) > first) EmittedVertices.Mixed
    else {
      val from = lastOf(run) + step
      // Mostly all have been noted, and then nothing is divided or written.
      if (from <= until) spans(2 * run + 1) = lastUntil(first, until)
      from
    }
  }

  private def lastUntil(first: Long, until: Long): Long = until - (until - first) % step

  /** Adds a run between `later` and `earlier`, which may be -1; or in the place of `earlier`, if no run counts any more. */
  private def insert(head: Int, later: Int, first: Long, last: Long, earlier: Int): Unit =
    if (later < 0 && earlier >= 0 && !isCounted(earlier, head % lengths.length)) {
      spans(2 * earlier) = first
      spans(2 * earlier + 1) = last
      nexts(earlier) = 0
    } else append(head, later, first, last, earlier)

  private def append(head: Int, later: Int, first: Long, last: Long, earlier: Int): Unit = {
    if (runs == nexts.length) {
      val length = math.max(16, runs + (runs >> 1))
      spans = Arrays.copyOf(spans, 2 * length)
      nexts = Arrays.copyOf(nexts, length)
    }
    spans(2 * runs) = first
    spans(2 * runs + 1) = last
    nexts(runs) = earlier + 1
    runs += 1
    if (later < 0) heads(head) = runs else nexts(later) = runs
  }

  /** Notes a vertex with a row in a window; false if it had a row in the window before. */
  def addNew(slot: Int, window: Long): Boolean = {
    val had = contains(slot, 0, window - step, window - step)
    add(slot, 0, window)
    !had
  }

  /** The vertices with a row in the window before that have none in this window. */
  def leftBy(window: Long): Array[Long] = {
    val left = new ArrayBuilder.ofLong
    var slot = 0
    while (slot < vertices.size) {
      val run = heads(slot) - 1
      if (run >= 0 && lastOf(run) == window - step) left += vertices.id(slot)
      slot += 1
    }
    left.result()
  }

  override def forgetBefore(firstOpen: Long): Unit = {
    lengths.indices.foreach { i =>
      from(i) = panes.firstWindowWith(firstOpen, lengths(i)) - (if (ofLast) step else 0)
    }
    var held = 0
    var slot = 0
    while (slot < vertices.size) {
      if (isHeld(slot)) held += 1
      slot += 1
    }
    if (2 * held < vertices.size || held == 0) rebuild()
  }

  private def isHeld(slot: Int): Boolean = {
    var i = 0
    while (i < lengths.length && !isCounted(heads(slot * lengths.length + i) - 1, i)) i += 1
    i < lengths.length
  }

  /** Whether a run has a window that counts. */
  private def isCounted(run: Int, place: Int): Boolean = run >= 0 && lastOf(run) >= from(place)

  /** Leaves the vertices that are held, with the runs that count. */
  private def rebuild(): Unit = {
    val (oldVertices, oldHeads) = (vertices, heads)
    val (oldSpans, oldNexts) = (spans, nexts)
    val held = (0 until oldVertices.size).filter(isHeld)
    vertices = new LongInterner(expected = math.max(8, held.size))
    hints = Array.emptyIntArray
    heads = new Array[Int](held.size * lengths.length)
    spans = Array.emptyLongArray
    nexts = Array.emptyIntArray
    runs = 0
    held.foreach { old =>
      val slot = vertices.intern(oldVertices.id(old))
      lengths.indices.foreach { place =>
        var later = -1
        var run = oldHeads(old * lengths.length + place) - 1
        while (run >= 0 && oldSpans(2 * run + 1) >= from(place)) {
          append(slot * lengths.length + place, later, oldSpans(2 * run), oldSpans(2 * run + 1), earlier = -1)
          later = runs - 1
          run = oldNexts(run) - 1
        }
      }
    }
  }

  private def foreachHeld(visit: Int => Unit): Unit = {
    var slot = 0
    while (slot < vertices.size) {
      if (isHeld(slot)) visit(slot)
      slot += 1
    }
  }

  override def foreachId(visit: Long => Unit): Unit = foreachHeld(slot => visit(vertices.id(slot)))

  override def save(out: BinaryWriter, shown: Long => Long = identity): Unit = {
    var count = 0L
    foreachHeld(_ => count += 1)
    out.unsigned(count)
    var (before, pane) = (0L, 0L)
    foreachHeld { slot =>
      val vertex = shown(vertices.id(slot))
      out.signed(vertex - before)
      before = vertex
      var place = 0
      while (place < lengths.length) {
        val head = heads(slot * lengths.length + place) - 1
        var own = 0L
        var run = head
        while (isCounted(run, place)) {
          own += 1
          run = nexts(run) - 1
        }
        out.unsigned(own)
        run = head
        while (isCounted(run, place)) {
          out.signed(lastOf(run) - pane)
          out.signed(lastOf(run) - math.max(firstOf(run), from(place)))
          pane = lastOf(run)
          run = nexts(run) - 1
        }
        place += 1
      }
    }
  }
}

private[operator] object EmittedVertices {

  // Vertices that are looked up together.
  private final val Block = 256

  /** The answer of [[EmittedVertices.addAll]] where edges came out of order. */
  final val Mixed = Long.MinValue

  /** Reads the bytes of [[EmittedVertices.save]].
    * @param known gives ids of the graph for the vertices, as they were written
    */
  def restore(
      panes: Panes,
      ofLast: Boolean,
      in: BinaryReader,
      known: Array[Long] => Array[Long] = identity
  ): EmittedVertices = {
    val emitted = new EmittedVertices(panes, ofLast)
    val count = in.count("the number of vertices with emitted windows")
    val places = emitted.lengths.length
    emitted.heads = new Array[Int](count * places)
    val vertices = new Array[Long](count)
    var (vertex, pane) = (0L, 0L)
    (0 until count).foreach { slot =>
      vertex += in.signed()
      vertices(slot) = vertex
      (0 until places).foreach { place =>
        var later = -1
        (0 until in.count("the number of runs of emitted windows")).foreach { _ =>
          pane += in.signed()
          val first = pane - in.signed()
          if (first > pane || later >= 0 && pane >= emitted.firstOf(later) - emitted.step)
            throw new CorruptStateException("the emitted windows of a vertex are not in falling order")
          if (Seq(first, pane).exists(window => panes.lastWindowBy(window) != window))
            throw new CorruptStateException("an emitted window does not start at a multiple of the slide")
          emitted.append(slot * places + place, later, first, pane, earlier = -1)
          later = emitted.runs - 1
        }
      }
      if ((0 until places).forall(place => emitted.heads(slot * places + place) == 0))
        throw new CorruptStateException("a vertex has no emitted window")
    }
    known(vertices).zipWithIndex.foreach { case (id, slot) =>
      if (emitted.vertices.intern(id) != slot)
        throw new CorruptStateException(s"the emitted vertex $id is there twice")
    }
    emitted
  }
}
