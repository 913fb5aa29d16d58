package io.github.sparkbic.operator.state

import java.util.Arrays
import java.util.stream.IntStream

import io.github.sparkbic.index.contract.{ConnectedVertices, Panes}
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}
import io.github.sparkbic.index.kernels.LongInterner

/** The windows of one graph for which a row has come, by pair or by vertex: the open windows where rows come early, and the
  * window answered last where rows are updates. Each pair or vertex has a slot, exactly, whichever others there are. A pair
  * that the queries have several times has as many slots, told apart by how often the pair came before. Both vertices of a
  * pair with a row occur in an open window, so both have ids.
  *
  * A slot has a list of windows for each length: runs of windows that follow one another, the latest run first. Runs of a list
  * neither meet nor overlap. A window that ends after the newest edge has all edges from its start on. So what is connected
  * in such a window is connected in all earlier windows of this kind, and a list is one run unless edges came out of order.
  *
  * Memory: 50 to 75 bytes a vertex or 130 a pair, and 16 for each further run. Slots without a window stay until they are
  * half of all; then the rows are saved and read again, which leaves such slots and earlier windows out.
  *
  * @param ofLast whether it is the window answered last whose rows count
  */
private[operator] final class EmittedRows(panes: Panes, ofPairs: Boolean, ofLast: Boolean = false)
    extends KeptPart {
  // Vertices that are looked up together.
  private final val Block = 256
  private val (what, width) = if (ofPairs) ("pair", 2) else ("vertex", 1)
  private val lengths = panes.perWindows.toArray
  private val step = panes.perSlide.toLong
  // By slot the vertex; or the number of a pair, beside how often it came before. A pair is two numbers of vertices.
  private var slots, pairs, vertices = new LongInterner
  // By the number in the index: a slot of the vertex that last had the number, plus one.
  private var hints = Array.emptyIntArray
  // By list the first and the last window of each run, side by side; null for no run.
  private var lists = new Array[Array[Long]](0)
  // Earlier windows do not count any more.
  private val from = Array.fill(lengths.length)(Long.MinValue)

  override def size: Int = slots.size
  override def emitted: EmittedRows = this

  def placeOf(panesInWindow: Int): Int = lengths.indexOf(panesInWindow)

  private def listOf(slot: Int, place: Int): Int = slot * lengths.length + place

  private def runsOf(slot: Int, place: Int): Array[Long] = {
    val runs = lists(listOf(slot, place))
    if (runs == null) Array.emptyLongArray else runs
  }

  /** The slot of a pair; -1 if it has none. */
  def find(source: Long, target: Long, repeat: Int): Int = {
    val (s, t) = (vertices.find(source), vertices.find(target))
    val pair = if (s < 0 || t < 0) -1 else pairs.find(s.toLong << 32 | t)
    if (pair < 0) -1 else slots.find(pair.toLong << 32 | repeat)
  }

  /** The slot of a pair, which gets one. */
  def enter(source: Long, target: Long, repeat: Int): Int = {
    val pair = pairs.intern(vertices.intern(source).toLong << 32 | vertices.intern(target))
    val slot = slots.intern(pair.toLong << 32 | repeat)
    reserveLists()
    slot
  }

  /** The slots of the vertices whose `since` is not before `from`, each at its place in `found`. A vertex that is not there
    * gets a slot.
    *
    * Most vertices have the number in the index that they had when their last row came. Only the others are looked up by
    * hash, in blocks, so that many cache lines are waited for at once.
    */
  def slotsOf(found: ConnectedVertices, from: Long): Array[Int] = {
    val slotsFound, places = new Array[Int](found.size)
    var count = 0
    var i = 0
    while (i < found.size) {
      if (found.since(i) >= from) {
        val (number, vertex) = (found.number(i), found.vertex(i))
        val hint = if (number < hints.length) hints(number) - 1 else -1
        if (hint >= 0 && slots.id(hint) == vertex) slotsFound(i) = hint
        else {
          places(count) = i
          count += 1
        }
      }
      i += 1
    }
    (0 until count by Block).foreach { start =>
      val block = Arrays.copyOfRange(places, start, math.min(start + Block, count))
      val entered = new Array[Int](block.length)
      slots.internAll(block.map(found.vertex(_)), 0, block.length, entered)
      reserveLists()
      block.indices.foreach { i =>
        val number = found.number(block(i))
        if (number >= hints.length) hints = Arrays.copyOf(hints, math.max(number + 1, 2 * hints.length))
        hints(number) = entered(i) + 1
        slotsFound(block(i)) = entered(i)
      }
    }
    slotsFound
  }

  private def reserveLists(): Unit = {
    val wanted = size * lengths.length
    if (wanted > lists.length) lists = Arrays.copyOf(lists, math.max(wanted, 2 * lists.length))
  }

  /** Whether the rows of all windows that start from `first` to `last` have come; true where there are no windows.
    * @param slot -1 where no row has come
    */
  def contains(slot: Int, place: Int, first: Long, last: Long): Boolean = first > last || slot >= 0 && {
    val runs = runsOf(slot, place)
    var at = 0
    // One run has all of these windows if any has.
    while (at < runs.length && runs(at) > first) at += 2
    at < runs.length && runs(at + 1) > last - step
  }

  /** Notes a window; false if it was noted before. */
  def add(slot: Int, place: Int, window: Long): Boolean = {
    val runs = runsOf(slot, place)
    var at = 0
    while (at < runs.length && runs(at) > window + step) at += 2
    val hasRun = at < runs.length
    if (hasRun && runs(at) <= window && window <= runs(at + 1)) false
    else {
      // No run begins right after the window, or it would be this one.
      if (hasRun && window == runs(at + 1) + step) runs(at + 1) = window
      else if (hasRun && runs(at) == window + step) {
        val meets = at + 2 < runs.length && runs(at + 3) == window - step
        runs(at) = if (meets) runs(at + 2) else window
        if (meets) lists(listOf(slot, place)) = runs.patch(at + 2, Nil, 2)
      } else {
        val counted = countedLength(runs, place)
        lists(listOf(slot, place)) =
          if (counted == 0) Array(window, window)
          else runs.take(counted).patch(at, Seq(window, window), 0)
      }
      true
    }
  }

  /** The vertices whose latest row is that of a window. */
  def latestIn(window: Long): Array[Long] = IntStream.range(0, size).filter { slot =>
    val runs = runsOf(slot, 0)
    runs.length > 0 && runs(1) == window
  }.mapToLong(slots.id(_)).toArray

  override def forgetBefore(firstOpen: Long): Unit = {
    lengths.indices.foreach { i =>
      from(i) = panes.firstWindowWith(firstOpen, lengths(i)) - (if (ofLast) step else 0)
    }
    val count = held.length
    if (2 * count < size || count == 0) {
      val out = new BinaryWriter
      save(out)
      restore(new BinaryReader(out.toBytes)): Unit
    }
  }

  /** The slots that have a window. */
  private def held: Array[Int] = IntStream.range(0, size).filter { slot =>
    var place = 0
    while (place < lengths.length && countedLength(runsOf(slot, place), place) == 0) place += 1
    place < lengths.length
  }.toArray

  /** The length of the part of a list whose runs have windows that still count. */
  private def countedLength(runs: Array[Long], place: Int): Int = {
    var length = 0
    while (length < runs.length && runs(length + 1) >= from(place)) length += 2
    length
  }

  private def vertexOf(slot: Int, i: Int): Long =
    if (!ofPairs) slots.id(slot)
    else {
      val pair = pairs.id((slots.id(slot) >>> 32).toInt)
      vertices.id((if (i == 0) pair >>> 32 else pair).toInt)
    }

  override def foreachId(visit: Long => Unit): Unit =
    held.foreach(slot => (0 until width).foreach(i => visit(vertexOf(slot, i))))

  override def save(out: BinaryWriter, shown: Long => Long = identity): Unit = {
    val saved = held
    out.unsigned(saved.length.toLong)
    val before = new Array[Long](width)
    var window = 0L
    saved.foreach { slot =>
      (0 until width).foreach { i =>
        val vertex = shown(vertexOf(slot, i))
        out.signed(vertex - before(i))
        before(i) = vertex
      }
      if (ofPairs) out.unsigned(slots.id(slot) & Int.MaxValue)
      lengths.indices.foreach { place =>
        val runs = runsOf(slot, place)
        val length = countedLength(runs, place)
        out.unsigned(length / 2L)
        (0 until length by 2).foreach { at =>
          out.signed(runs(at + 1) - window)
          out.signed(runs(at + 1) - math.max(runs(at), from(place)))
          window = runs(at + 1)
        }
      }
    }
  }

  private[state] override def restore(in: BinaryReader, known: Array[Long] => Array[Long]): KeptPart = {
    val count = in.count("the number of emitted rows")
    slots = new LongInterner(math.max(8, count))
    pairs = new LongInterner
    vertices = new LongInterner
    hints = Array.emptyIntArray
    lists = new Array[Array[Long]](count * lengths.length)
    val (ends, repeats) = (new Array[Long](count * width), new Array[Int](count))
    var window = 0L
    (0 until count).foreach { slot =>
      (slot * width until (slot + 1) * width).foreach { at =>
        ends(at) = in.signed() + (if (slot == 0) 0 else ends(at - width))
      }
      if (ofPairs) repeats(slot) = in.below(Int.MaxValue.toLong, "how often a pair came before")
      lengths.indices.foreach { place =>
        val runs = restoreRuns(window, in)
        if (runs.nonEmpty) {
          lists(listOf(slot, place)) = runs
          window = runs.last
        }
      }
      if (lengths.indices.forall(runsOf(slot, _).isEmpty))
        throw new CorruptStateException(s"a $what has no emitted window")
    }
    val ids = known(ends)
    (0 until count).foreach { slot =>
      val entered =
        if (ofPairs) enter(ids(2 * slot), ids(2 * slot + 1), repeats(slot)) else slots.intern(ids(slot))
      if (entered != slot) throw new CorruptStateException(s"an emitted $what is there twice")
    }
    this
  }

  private def restoreRuns(window: Long, in: BinaryReader): Array[Long] = {
    val runs = new Array[Long](2 * in.count("the number of runs of emitted windows"))
    runs.indices.by(2).foreach { at =>
      val last = in.signed() + (if (at == 0) window else runs(at - 1))
      val first = last - in.signed()
      if (first > last || at > 0 && last >= runs(at - 2) - step)
        throw new CorruptStateException(s"the emitted windows of a $what are not in falling order")
      if (panes.lastWindowBy(first) != first || panes.lastWindowBy(last) != last)
        throw new CorruptStateException("an emitted window does not start at a multiple of the slide")
      runs(at) = first
      runs(at + 1) = last
    }
    runs
  }
}
