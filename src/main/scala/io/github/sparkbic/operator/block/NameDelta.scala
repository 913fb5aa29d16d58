package io.github.sparkbic.operator.block

import java.nio.{ByteBuffer, ByteOrder}
import java.util.Arrays

/** What a block adds to a dictionary of names that the blocks of one graph and task share: so a name is sent once a task,
  * and not once a pane.
  *
  * The blocks that share a dictionary, a *run*, must be read in the order in which they were made, which is that of their
  * panes; each pane has one block of a run at most. A dictionary numbers names from zero, and grows by the numbers of one
  * block after the other. It lasts for the panes of one window: the first block after these begins another one, a
  * *generation*, whose numbers start at zero again. Names that are in the generation before are taken over from there by
  * their number, without being sent or looked up; others are sent again. So a reader holds no more of a run than what it
  * brought for two windows, however long the run is.
  *
  * In bytes, little-endian: the run, flags, and for each new number of the dictionary the number that it had in the
  * generation before, or -1 if its name is the next one of the block's names. No such numbers at all stand for -1 only.
  *
  * @param begins  whether this is the first block of a generation
  * @param isLast  whether this is the last block of its run
  * @param carried for each new number the one in the generation before, or -1
  */
private[operator] final class NameDelta(
    val run: Long,
    val begins: Boolean,
    val isLast: Boolean,
    val carried: Array[Int]
) {
  def toBytes: Array[Byte] = {
    val bytes = new Array[Byte](NameDelta.HeaderSize + 4 * carried.length)
    val buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN)
    buffer.putLong(run)
    buffer.putInt((if (begins) NameDelta.Begins else 0) | (if (isLast) NameDelta.IsLast else 0))
    buffer.asIntBuffer().put(carried)
    bytes
  }
}

private[operator] object NameDelta {
  private val HeaderSize = 12
  private val Begins = 1
  private val IsLast = 2

  def fromBytes(bytes: Array[Byte]): NameDelta = {
    val buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN)
    val run = buffer.getLong()
    val flags = buffer.getInt()
    val carried = new Array[Int]((bytes.length - HeaderSize) / 4)
    buffer.asIntBuffer().get(carried)
    new NameDelta(run, (flags & Begins) != 0, (flags & IsLast) != 0, carried)
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
  // By number in the table: in which generation it has a number in the dictionary, and below that this number.
  private val numbers = new Array[Long](table.size)
  private var generation = 0L
  private var firstPane = 0L
  private var assigned = 0
  private var begins = false
  private var newRun = true

  // Of the block: what is new in the dictionary, and the numbers in the table of those that are sent.
  private var carried = new Array[Int](DeltaWriter.FirstNames)
  private var fresh = 0
  private var sent = new Array[Int](DeltaWriter.FirstNames)
  private var sending = 0

  /** Begins another run, of which a reader knows nothing yet: its panes may be those of the run before. */
  def beginRun(run: Long): Unit = {
    this.run = run
    newRun = true
    // The generation before its first one is empty.
    generation += 1
  }

  def turnTo(pane: Long): Unit = {
    // Panes rise, so the difference is right as an unsigned number.
    begins = newRun || java.lang.Long.compareUnsigned(pane - firstPane, perWindow.toLong) >= 0
    newRun = false
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
    if ((known >>> 32) == generation) known.toInt else assign(inTable, known)
  }

  def delta(isLast: Boolean): NameDelta = new NameDelta(
    run,
    begins,
    isLast,
    if (sending == fresh) DeltaWriter.AllSent else Arrays.copyOf(carried, fresh)
  )

  /** The names that the block has to send. */
  def names: Array[Byte] = VertexNames.pack(table, Arrays.copyOf(sent, sending))

  private def assign(inTable: Int, known: Long): Int = {
    if (fresh == carried.length) carried = Arrays.copyOf(carried, 2 * fresh)
    // Generations count from one, and what was never numbered is of generation zero.
    if (known != 0 && (known >>> 32) == generation - 1) carried(fresh) = known.toInt
    else {
      carried(fresh) = -1
      if (sending == sent.length) sent = Arrays.copyOf(sent, 2 * sending)
      sent(sending) = inTable
      sending += 1
    }
    fresh += 1
    numbers(inTable) = generation << 32 | assigned
    assigned += 1
    assigned - 1
  }
}

private object DeltaWriter {
  private val FirstNames = 16
  private val AllSent = new Array[Int](0)
}
