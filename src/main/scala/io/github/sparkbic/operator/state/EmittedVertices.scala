package io.github.sparkbic.operator.state

import java.util.Arrays

import scala.collection.mutable.ArrayBuilder

import io.github.sparkbic.index.contract.{ConnectedVertices, Panes}
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}
import io.github.sparkbic.index.kernels.LongInterner

/** The windows of one graph for which the row of a vertex has come: the open windows where rows come early, and the window
  * answered last where rows are updates. Vertices are known exactly, whichever other vertices there are.
  *
  * A vertex has a list of windows for each length ([[WindowRuns]]), which is one run unless edges came out of order.
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
  // A list for each slot and length.
  private var windows = new WindowRuns(step)
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

  private def listOf(slot: Int, place: Int): Int = slot * lengths.length + place

  /** The slots of the vertices whose `since` is not before `from`, each at its place in `found`. A vertex that is not there
    * gets a slot.
    */
  def slotsOf(found: ConnectedVertices, from: Long): Array[Int] = {
    val slots = new Array[Int](found.size)
    // Vertices are looked up by hash in blocks, so that many cache lines are waited for at once.
    val unhinted = new Array[Int](EmittedVertices.Block)
    var begin = 0
    while (begin < found.size) {
      val end = math.min(found.size, begin + unhinted.length)
      var count = 0
      var i = begin
      while (i < end) {
        if (found.since(i) >= from) {
          slots(i) = hinted(found.number(i), found.vertex(i))
          if (slots(i) < 0) {
            unhinted(count) = i
            count += 1
          }
        }
        i += 1
      }
      if (count > 0) enterAll(found, unhinted, count, slots)
      begin = end
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
    windows.reserve(vertices.size * lengths.length)
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
    first > last || windows.contains(listOf(slot, place), first, last)

  /** Notes a window; false if it was noted before. */
  def add(slot: Int, place: Int, window: Long): Boolean =
    windows.add(listOf(slot, place), window, from(place))

  /** Notes windows as [[WindowRuns.addAll]] does. */
  def addAll(slot: Int, place: Int, first: Long, until: Long): Long =
    windows.addAll(listOf(slot, place), first, until, from(place))

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
      if (windows.latest(slot) == window - step) left += vertices.id(slot)
      slot += 1
    }
    left.result()
  }

  override def forgetBefore(firstOpen: Long): Unit = {
    lengths.indices.foreach { i =>
      from(i) = panes.firstWindowWith(firstOpen, lengths(i)) - (if (ofLast) step else 0)
    }
    val held = countHeld
    if (2 * held < vertices.size || held == 0) rebuild(held)
  }

  private def countHeld: Int = {
    var held = 0
    var slot = nextHeld(0)
    while (slot < vertices.size) {
      held += 1
      slot = nextHeld(slot + 1)
    }
    held
  }

  /** The first slot from `slot` on whose vertex is held; the number of slots if there is none. */
  private def nextHeld(slot: Int): Int = {
    var next = slot
    while (next < vertices.size && !isHeld(next)) next += 1
    next
  }

  private def isHeld(slot: Int): Boolean = {
    var place = 0
    while (place < lengths.length && !isCounted(listOf(slot, place), from(place))) place += 1
    place < lengths.length
  }

  private def isCounted(list: Int, from: Long): Boolean =
    !windows.isEmpty(list) && windows.latest(list) >= from

  /** Leaves the vertices that are held, with the windows that count. */
  private def rebuild(held: Int): Unit = {
    val kept = new LongInterner(expected = math.max(8, held))
    val ofKept = new WindowRuns(step)
    ofKept.reserve(held * lengths.length)
    var slot = nextHeld(0)
    while (slot < vertices.size) {
      val to = kept.intern(vertices.id(slot))
      var place = 0
      while (place < lengths.length) {
        ofKept.appendAll(listOf(to, place), windows, listOf(slot, place), from(place))
        place += 1
      }
      slot = nextHeld(slot + 1)
    }
    vertices = kept
    windows = ofKept
    hints = Array.emptyIntArray
  }

  override def foreachId(visit: Long => Unit): Unit = {
    var slot = nextHeld(0)
    while (slot < vertices.size) {
      visit(vertices.id(slot))
      slot = nextHeld(slot + 1)
    }
  }

  override def save(out: BinaryWriter, shown: Long => Long = identity): Unit = {
    out.unsigned(countHeld.toLong)
    var before, pane = 0L
    var slot = nextHeld(0)
    while (slot < vertices.size) {
      val vertex = shown(vertices.id(slot))
      out.signed(vertex - before)
      before = vertex
      var place = 0
      while (place < lengths.length) {
        pane = windows.save(listOf(slot, place), from(place), pane, out)
        place += 1
      }
      slot = nextHeld(slot + 1)
    }
  }
}

private[operator] object EmittedVertices {

  // Vertices that are looked up together.
  private final val Block = 256

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
    emitted.windows.reserve(count * places)
    val vertices = new Array[Long](count)
    var (vertex, pane) = (0L, 0L)
    (0 until count).foreach { slot =>
      vertex += in.signed()
      vertices(slot) = vertex
      (0 until places).foreach { place =>
        var (later, before) = (-1, Long.MaxValue)
        (0 until in.count("the number of runs of emitted windows")).foreach { _ =>
          pane += in.signed()
          val first = pane - in.signed()
          if (first > pane || later >= 0 && pane >= before - emitted.step)
            throw new CorruptStateException("the emitted windows of a vertex are not in falling order")
          if (Seq(first, pane).exists(window => panes.lastWindowBy(window) != window))
            throw new CorruptStateException("an emitted window does not start at a multiple of the slide")
          later = emitted.windows.append(slot * places + place, later, first, pane)
          before = first
        }
      }
      if ((0 until places).forall(place => emitted.windows.isEmpty(slot * places + place)))
        throw new CorruptStateException("a vertex has no emitted window")
    }
    known(vertices).zipWithIndex.foreach { case (id, slot) =>
      if (emitted.vertices.intern(id) != slot)
        throw new CorruptStateException(s"the emitted vertex $id is there twice")
    }
    emitted
  }
}
