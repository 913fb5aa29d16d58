package io.github.sparkbic.operator.block

import java.nio.{ByteBuffer, ByteOrder}
import java.util.{Arrays, HashMap => JHashMap}

import io.github.sparkbic.index.format.StateLayout.{BeginsGeneration, DeltaHeaderSize, EndsRun}

/** What a block adds to a dictionary of names that the blocks of one graph and task share: so a name is sent once a task,
  * and not once a pane.
  *
  * The blocks that share a dictionary, a *run*, must be read by rising pane; each pane has one block of a run at most. A
  * dictionary numbers names from zero, and grows with each block. A dictionary lasts for the panes of one window, and the
  * first later block begins the next *generation*, whose numbers start at zero again. A name of the generation before is
  * carried over by its number, without being sent or looked up. So a reader holds the names of two windows at most.
  *
  * @param begins  whether this is the first block of a generation
  * @param isLast  whether this is the last block of its run
  * @param carried for each new number the number in the generation before, or −1 if its name is the next one of those that
  *                are sent; empty if all are sent
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

/** Makes the deltas of a run: numbers the names of its blocks, in the order of their panes. Eight bytes a name of the
  * table. Not thread safe.
  *
  * {{{
  * turnTo(pane), then number(name) for all that the block of the pane holds, then delta and names
  * }}}
  *
  * @param table     holds all names of the run
  * @param perWindow panes in a window
  */
private[operator] final class DeltaWriter(table: NameTable, perWindow: Int, private var run: Long) {
  // By number in the table: the generation in which the name has a number in the dictionary, above that number.
  private val numbers = new Array[Long](table.size)
  // Generations count from one: what was never numbered is of generation zero.
  private var generation = 1L
  private var firstPane = 0L
  private var assigned = 0
  private var begins = false
  private var isNewRun = true

  // Of the block: what is new in the dictionary, and the numbers in the table of the names that are sent.
  private var carried = new Array[Int](16)
  private var fresh = 0
  private var sent = new Array[Int](16)
  private var sending = 0

  /** Begins another run, of which a reader knows nothing yet: its panes may be those of the run before. */
  def beginRun(run: Long): Unit = {
    this.run = run
    isNewRun = true
    // The generation before its first one is empty.
    generation += 1
  }

  def turnTo(pane: Long): Unit = {
    // Panes rise, so the difference is right as an unsigned number.
    begins = isNewRun || java.lang.Long.compareUnsigned(pane - firstPane, perWindow.toLong) >= 0
    isNewRun = false
    if (begins) {
      generation += 1
      firstPane = pane
      assigned = 0
    }
    fresh = 0
    sending = 0
  }

  /** The number in the dictionary of a name that has `inTable` in the table. */
  def number(inTable: Int): Int = {
    val known = numbers(inTable)
    if ((known >>> 32) == generation) known.toInt
    else {
      assign(inTable, if ((known >>> 32) == generation - 1) known.toInt else -1)
      assigned - 1
    }
  }

  def delta(isLast: Boolean): NameDelta =
    new NameDelta(run, begins, isLast, Arrays.copyOf(carried, if (sending == fresh) 0 else fresh))

  /** The names that the block has to send. */
  def names: Array[Byte] = VertexNames.pack(table, Arrays.copyOf(sent, sending))

  /** @param before the number in the generation before, or −1 */
  private def assign(inTable: Int, before: Int): Unit = {
    if (fresh == carried.length) carried = Arrays.copyOf(carried, 2 * fresh)
    carried(fresh) = before
    fresh += 1
    if (before < 0) {
      if (sending == sent.length) sent = Arrays.copyOf(sent, 2 * sending)
      sent(sending) = inTable
      sending += 1
    }
    numbers(inTable) = generation << 32 | assigned
    assigned += 1
  }
}

/** The reader of [[NameDelta]]s: for each run that is being read, the numbers of its dictionary as numbers of the graph.
  * Eight bytes for each name of two windows of each run. Not thread safe.
  */
private[operator] final class SharedNumbers(names: VertexNames) {
  private val runs = new JHashMap[java.lang.Long, SharedNumbers.Run]

  /** The numbers of the graph, by number of the dictionary, to which this block adds. Blocks of a run come in the order in
    * which they were made, each of them once.
    */
  def read(block: PackedBlock): Array[Long] = {
    val delta = NameDelta.fromBytes(block.delta)
    val run = runs.computeIfAbsent(delta.run, _ => new SharedNumbers.Run)
    if (delta.begins) run.begin()
    run.add(names.internAll(block.names), delta.carried)
    if (delta.isLast) runs.remove(delta.run): Unit
    run.numbers
  }

  /** Visits all numbers of the graph that a block to come may mean. */
  def foreach(visit: Long => Unit): Unit = runs.values.forEach { run =>
    run.before.foreach(visit)
    (0 until run.count).foreach(i => visit(run.numbers(i)))
  }

  /** Runs that are being read. */
  def size: Int = runs.size
}

private object SharedNumbers {

  /** The numbers of two generations, of which the second one has `count` so far. */
  private final class Run {
    var before = Array.empty[Long]
    var numbers = Array.empty[Long]
    var count = 0

    def begin(): Unit = {
      before = Arrays.copyOf(numbers, count)
      numbers = Array.empty
      count = 0
    }

    /** @param sent numbers of the graph of the names that were sent */
    def add(sent: Array[Long], carried: Array[Int]): Unit = {
      val added = math.max(sent.length, carried.length)
      if (count + added > numbers.length)
        numbers = Arrays.copyOf(numbers, math.max(count + added, numbers.length + (numbers.length >> 1)))
      var next = 0
      var i = 0
      while (i < added) {
        numbers(count + i) =
          if (i < carried.length && carried(i) >= 0) before(carried(i))
          else {
            next += 1
            sent(next - 1)
          }
        i += 1
      }
      count += added
    }
  }
}
