package io.github.sparkbic.operator.block

import java.lang.Long.compareUnsigned
import java.util.Arrays

import scala.collection.mutable

/** Numbers names for the blocks of a task. The blocks of a graph share a dictionary: a block sends only the names that no
  * block of the same dictionary has had within the last window.
  *
  * The blocks of a graph come by rising pane, and no two of them are of one pane. In a batch, writer and reader forget a
  * dictionary after the panes of two windows; in a stream it is for one block. A name that a block does not send is a vertex
  * of the last window, and the reader holds these names for its index. So a dictionary keeps no name.
  *
  * Measured on batches over four million edges between a million names such as acct-123456, with ten panes a window, in
  * CPU time of one core, with uniform ends (and R-MAT):
  * {{{
  * as here                                                            3.8 s (2.6 s)
  * each block sends all its names                            4.8 s to 5.2 s (3.1 s)
  * a dictionary takes over names of the dictionary before, by number  3.7 s (2.7 s)
  * }}}
  *
  * Memory: 12 bytes a name of the table. Not thread safe.
  *
  * @param table     holds all names of the blocks
  * @param perWindow panes in a window
  * @param numbers   gives numbers of dictionaries, which are unique in a shuffle
  */
private[operator] final class DictionaryWriter(table: NameTable, perWindow: Int, numbers: () => Long) {
  // For each number in the table: the last block with this name, counted from one, above the name's position in the
  // dictionary.
  private val places = new Array[Long](table.size)
  private var blocks = 0L
  // The panes of the blocks of the dictionary within the last window, and the first of these blocks.
  private val recentPanes = mutable.Queue.empty[Long]
  private var firstRecent = 1L
  private var size = 0
  private var firstPane = 0L
  private var number = 0L
  private var segment = 0L
  private var isOpen = false
  // The names that the block sends.
  private val sent = new Array[Int](table.size)
  private var sentCount = 0

  /** Ends the dictionary of a graph, all of whose blocks are made. */
  def close(): Unit = isOpen = false

  /** Begins a block. Blocks of another segment have another reader, and so another dictionary. */
  def turnTo(pane: Long, segment: Long): Unit = {
    while (recentPanes.headOption.exists(Dictionary.isOver(_, perWindow, pane))) recentPanes.dequeue()
    val isOver = recentPanes.isEmpty || Dictionary.isOver(firstPane, Dictionary.panes(perWindow), pane)
    if (!isOpen || segment != this.segment || isOver) {
      firstPane = pane
      this.segment = segment
      isOpen = true
      recentPanes.clear()
      size = 0
      number = numbers()
    }
    recentPanes += pane
    blocks += 1
    firstRecent = blocks - recentPanes.size + 1
    sentCount = 0
  }

  /** The position in the dictionary of a name with the number `inTable` in the table. */
  def position(inTable: Long): Int = {
    val place = places(inTable.toInt)
    val isKnown = (place >>> 32) >= firstRecent
    val position = if (isKnown) place.toInt else size
    places(inTable.toInt) = blocks << 32 | position
    if (!isKnown) {
      sent(sentCount) = inTable.toInt
      sentCount += 1
      size += 1
    }
    position
  }

  /** The block of a pane whose vertices are the [[position]]s since [[turnTo]]. */
  def block(pane: Long, edges: Long, edgeSet: Array[Byte]): PackedBlock =
    PackedBlock(pane, edges, edgeSet, PackedNames.toBytes(table, Arrays.copyOf(sent, sentCount)), number)
}

/** A dictionary as a reader has it: the number of each name, in the order of the dictionary. A name that left the windows may
  * have lost its number to another name, but then no block refers to it any more.
  */
private[block] final class Dictionary(firstPane: Long) {
  var numbers = Array.emptyLongArray
  private var count = 0

  def isOver(panes: Int, pane: Long): Boolean = Dictionary.isOver(firstPane, panes, pane)

  def append(added: Array[Long]): Unit = {
    val wanted = count + added.length
    if (wanted > numbers.length)
      numbers = Arrays.copyOf(numbers, math.max(wanted, numbers.length + (numbers.length >> 1)))
    System.arraycopy(added, 0, numbers, count, added.length)
    count = wanted
  }
}

private[operator] object Dictionary {

  /** The panes of a dictionary: those of two windows. */
  def panes(perWindow: Int): Int = math.min(2L * perWindow, Int.MaxValue.toLong).toInt

  /** Whether the block of `pane` belongs to a later dictionary. Panes rise, so the unsigned difference is right even if the
    * signed difference overflows.
    */
  def isOver(firstPane: Long, panes: Int, pane: Long): Boolean =
    compareUnsigned(pane - firstPane, panes.toLong) >= 0
}
