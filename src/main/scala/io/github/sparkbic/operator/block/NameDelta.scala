package io.github.sparkbic.operator.block

import java.nio.{ByteBuffer, ByteOrder}
import java.util.{Arrays, HashMap => JHashMap}

import scala.collection.mutable

import io.github.sparkbic.index.format.StateLayout.{BeginsGeneration, DeltaHeaderSize, EndsRun}

/** The names that a block adds to a dictionary that the blocks of one graph and task share. So each task sends a name once,
  * and not once a pane.
  *
  * The blocks that share a dictionary, a *run*, must be read by rising pane; each pane has at most one block of a run. The
  * dictionary numbers names from zero, for the panes of one window. The first later block begins a new *generation*, with
  * numbers from zero again. A name of the previous generation is carried over by its number, and not sent. So a reader
  * holds the names of two windows at most.
  *
  * @param begins  whether this is the first block of a generation
  * @param isLast  whether this is the last block of its run
  * @param carried for each new number the number in the previous generation, or −1 for the next name that is sent; empty if
  *                all names are sent
  */
private[operator] final class NameDelta(
    val run: Long,
    val begins: Boolean,
    val isLast: Boolean,
    val carried: Array[Int]
) {
  def toBytes: Array[Byte] = {
    val bytes = new Array[Byte](DeltaHeaderSize + 4 * carried.length)
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN)
      .putLong(run).putInt((if (begins) BeginsGeneration else 0) | (if (isLast) EndsRun else 0))
      .asIntBuffer().put(carried)
    bytes
  }
}

private[operator] object NameDelta {
  def fromBytes(bytes: Array[Byte]): NameDelta = {
    val buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN)
    val run = buffer.getLong()
    val flags = buffer.getInt()
    val carried = new Array[Int]((bytes.length - DeltaHeaderSize) / 4)
    buffer.asIntBuffer().get(carried)
    new NameDelta(run, (flags & BeginsGeneration) != 0, (flags & EndsRun) != 0, carried)
  }
}

/** Makes the deltas of a run, by rising pane: `turnTo(pane)`, then `number(name)` for all vertices of the block, then `delta`
  * and `names`. Eight bytes a name of the table. Not thread safe.
  *
  * @param table     holds all names of the run
  * @param perWindow panes in a window
  */
private[operator] final class DeltaWriter(table: NameTable, perWindow: Int, private var run: Long) {
  // For each number in the table: the last generation with this name, above the name's number in the dictionary.
  private val numbers = new Array[Long](table.size)
  // Generation zero is that of names without a number in any dictionary.
  private var generation = 1L
  private var firstPane = 0L
  private var assigned = 0
  private var begins = false
  private var isNewRun = true

  // Of the block: `NameDelta.carried` of all new numbers, and the numbers in the table of the names that are sent.
  private val carried = new mutable.ArrayBuilder.ofInt
  private val sent = new mutable.ArrayBuilder.ofInt
  private var carriesAny = false

  /** Begins another run, of any panes, which shares no name with the run before. */
  def beginRun(run: Long): Unit = {
    this.run = run
    isNewRun = true
    // The generation before the first of a run is empty.
    generation += 1
  }

  def turnTo(pane: Long): Unit = {
    // Panes rise, so the unsigned difference is right even if the signed difference overflows.
    begins = isNewRun || java.lang.Long.compareUnsigned(pane - firstPane, perWindow.toLong) >= 0
    isNewRun = false
    if (begins) {
      generation += 1
      firstPane = pane
      assigned = 0
    }
    carried.clear()
    sent.clear()
    carriesAny = false
  }

  /** The number in the dictionary of a name with the number `inTable` in the table. */
  def number(inTable: Int): Int = {
    val known = numbers(inTable)
    if ((known >>> 32) == generation) known.toInt
    else {
      val isCarried = (known >>> 32) == generation - 1
      carried += (if (isCarried) known.toInt else -1)
      if (isCarried) carriesAny = true else sent += inTable
      numbers(inTable) = generation << 32 | assigned
      assigned += 1
      assigned - 1
    }
  }

  def delta(isLast: Boolean): NameDelta =
    new NameDelta(run, begins, isLast, if (carriesAny) carried.result() else Array.empty)

  /** The names that the block has to send. */
  def names: Array[Byte] = VertexNames.pack(table, sent.result())
}

/** Reads [[NameDelta]]s: keeps, for each run being read, the numbers of its dictionary as numbers of the graph. Eight bytes
  * for each name of two windows of each run. Not thread safe.
  */
private[operator] final class SharedNumbers(names: VertexNames) {
  private val runs = new JHashMap[java.lang.Long, SharedNumbers.Run]

  /** The numbers of the graph, by number of the dictionary that this block extends. Each block of a run is read once, in the
    * order of the panes.
    */
  def read(block: PackedBlock): Array[Long] = {
    val delta = NameDelta.fromBytes(block.delta)
    val run = runs.computeIfAbsent(delta.run, _ => new SharedNumbers.Run)
    if (delta.begins) run.begin()
    run.add(names.internAll(block.names), delta.carried)
    if (delta.isLast) runs.remove(delta.run): Unit
    run.numbers
  }

  /** Visits all numbers of the graph that a later block may carry over. */
  def foreach(visit: Long => Unit): Unit = runs.values.forEach { run =>
    run.before.foreach(visit)
    (0 until run.count).foreach(i => visit(run.numbers(i)))
  }
  def size: Int = runs.size
}

private object SharedNumbers {

  /** The numbers of the previous generation, and the first `count` numbers of the current generation. */
  private final class Run {
    var before = Array.empty[Long]
    var numbers = Array.empty[Long]
    var count = 0

    def begin(): Unit = {
      before = Arrays.copyOf(numbers, count)
      numbers = Array.empty
      count = 0
    }

    /** @param sent numbers of the graph, for the names that were sent */
    def add(sent: Array[Long], carried: Array[Int]): Unit = {
      val added = math.max(sent.length, carried.length)
      if (count + added > numbers.length)
        numbers = Arrays.copyOf(numbers, math.max(count + added, numbers.length + (numbers.length >> 1)))
      var next = 0
      var i = 0
      while (i < added) {
        val isCarried = i < carried.length && carried(i) >= 0
        numbers(count + i) = if (isCarried) before(carried(i)) else sent(next)
        if (!isCarried) next += 1
        i += 1
      }
      count += added
    }
  }
}
