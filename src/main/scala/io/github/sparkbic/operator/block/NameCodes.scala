package io.github.sparkbic.operator.block

import java.util.Arrays

import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.index.format.BinaryWriter
import io.github.sparkbic.index.kernels.Prefetch

/** The [[NameCode]] of each name by its number. Numbers are 0, 1, 2 …; the number of a removed name is given to a new name,
  * the lowest such number first.
  *
  * Each number has a cell, and all cells have one width. A code that fits in its cell mostly costs one cache miss:
  * {{{
  * | length, 1 byte | the code                                                    |
  * | Overflow, 1    | first byte of the code, 1 | unused, 2 | length, 4 | start, 4 |      a longer code, in `overflow`
  * | Free, 1        |                                                             |      a number without a name
  * }}}
  * When cells run out, and after a sweep, the width is chosen anew: at least half of the codes fit. It is at most 40 bytes;
  * for UUIDs it is 24. If fewer codes would fit, the width stays. Memory: 1.2 cells a number, and `overflow`. Not thread safe.
  */
private[block] final class NameCodes {
  import NameCodes._

  private[block] var width = Widths(0)
  private[block] var cells = new Array[Byte](FirstCells * width + Behind)
  private var overflow = Array.emptyByteArray
  private var overflowEnd = 0
  // Bytes of removed names before `overflowEnd`.
  private var unused = 0
  private var end = 0
  // Of the numbers below, each has a name.
  private var firstFree = 0
  // Names by the narrowest cell for their codes, the last of them without one.
  private val fitting = new Array[Int](Widths.length + 1)
  private var count = 0
  // The codes of all names begin with so many bytes of an array.
  private var shared = Array.emptyByteArray
  private var sharedLength = 0

  def size: Int = count

  /** All numbers are less. */
  def numberLimit: Int = end

  def memory: Long = cells.length.toLong + overflow.length

  /** With so many bytes the codes of some names begin, or with more. */
  def sharedBytes(numbers: Array[Int]): Int = {
    val first = numbers(0)
    var most = math.min(MostShared, lengthOf(first))
    var i = 1
    while (i < numbers.length && most > 0) {
      val number = numbers(i)
      most = math.min(most, lengthOf(number))
      val (a, b) = (startOf(first), startOf(number))
      val differing = Arrays.mismatch(bytesOf(first), a, a + most, bytesOf(number), b, b + most)
      if (differing >= 0) most = differing
      i += 1
    }
    most
  }

  /** The numbers that have a name, in their order. */
  def numbers: Array[Int] = {
    val all = new Array[Int](count)
    var next = 0
    foreach { number =>
      all(next) = number
      next += 1
    }
    all
  }

  /** Whether there are codes that do not fit in their cells. */
  def hasOverflow: Boolean = overflowEnd > unused

  def holds(number: Long): Boolean = number >= 0 && number < end && head(number.toInt) != Free

  def foreach(visit: Int => Unit): Unit = {
    var number = 0
    while (number < end) {
      if (head(number) != Free) visit(number)
      number += 1
    }
  }

  /** Copies a code, and gives its number. */
  def add(array: Array[Byte], from: Int, length: Int): Int = {
    while (firstFree < end && head(firstFree) != Free) firstFree += 1
    add(firstFree, array, from, length)
  }

  /** Copies a code, whose number has no name. */
  def add(number: Int, array: Array[Byte], from: Int, length: Int): Int = {
    if ((number + 1L) * width + Behind > cells.length) makeRoom(number + 1)
    while (end <= number) {
      cells(end * width) = Free
      end += 1
    }
    put(number, array, from, length)
    share(array, from, length)
    fitting(fittingOf(length)) += 1
    count += 1
    number
  }

  /** Notes with which bytes the codes of all names begin. */
  private def share(array: Array[Byte], from: Int, length: Int): Unit =
    if (count == 0) {
      shared = Arrays.copyOfRange(array, from, from + math.min(length, MostShared))
      sharedLength = shared.length
    } else if (sharedLength > 0) {
      val most = math.min(sharedLength, length)
      val differing = Arrays.mismatch(shared, 0, most, array, from, from + most)
      sharedLength = if (differing < 0) most else differing
    }

  private def put(number: Int, array: Array[Byte], from: Int, length: Int): Unit = {
    val at = number * width
    if (length < width) {
      cells(at) = length.toByte
      System.arraycopy(array, from, cells, at + 1, length)
    } else {
      makeRoomInOverflow(length)
      System.arraycopy(array, from, overflow, overflowEnd, length)
      cells(at) = Overflow
      cells(at + 1) = array(from)
      Platform.putInt(cells, Platform.BYTE_ARRAY_OFFSET + at + 4L, length)
      Platform.putInt(cells, Platform.BYTE_ARRAY_OFFSET + at + 8L, overflowEnd)
      overflowEnd += length
    }
  }

  def remove(number: Int): Unit = {
    val length = lengthOf(number)
    if (head(number) == Overflow) unused += length
    fitting(fittingOf(length)) -= 1
    count -= 1
    cells(number * width) = Free
    firstFree = math.min(firstFree, number)
    while (end > 0 && head(end - 1) == Free) end -= 1
  }

  /** A [[NameColumn]] of the names with these numbers; −1 is an empty name. */
  def column(numbers: Array[Long]): Array[Byte] = {
    val column = new NameColumn.Builder(numbers.length, width + expectedOverflow(1))
    readingAhead(numbers) { i =>
      val number = numbers(i).toInt
      if (i > 0 && numbers(i) == numbers(i - 1)) column.repeat()
      else if (number < 0) column.add(Array.emptyByteArray, 0, 0)
      else if (head(number) == Overflow) column.add(overflow, startOf(number), lengthOf(number))
      else column.add(cells, number * width + 1, head(number).toInt)
    }
    column.toBytes
  }

  /** A copy in which the name `numbers(i)` has the number `i`. */
  def pick(numbers: Array[Long]): NameCodes = {
    val picked = new NameCodes
    picked.width = width
    picked.cells = new Array[Byte](numbers.length * width + Behind)
    picked.overflow = new Array[Byte](expectedOverflow(numbers.length))
    picked.count = numbers.length
    readingAhead(numbers) { i =>
      val number = numbers(i).toInt
      picked.put(i, bytesOf(number), startOf(number), lengthOf(number))
    }
    picked
  }

  /** The bytes in `overflow` of so many names, roughly. */
  private def expectedOverflow(names: Int): Int =
    ((overflowEnd - unused).toLong * names / math.max(1, count)).min(MaxBytes.toLong).toInt

  /** Visits all positions of `numbers`. The cells of a block of names are read first, so that the core waits for many cache
    * lines at once.
    */
  private def readingAhead(numbers: Array[Long])(visit: Int => Unit): Unit = {
    var from = 0
    while (from < numbers.length) {
      val until = math.min(numbers.length, from + Block)
      var read = 0L
      var i = from
      while (i < until) {
        read ^= readAhead(math.max(0, numbers(i).toInt))
        i += 1
      }
      Prefetch.keep(read)
      while (from < until) {
        visit(from)
        from += 1
      }
    }
  }

  /** Gives back memory after names were removed. Returns whether there may be no cell for a removed number now. */
  def compact(): Boolean = {
    val room = cells.length / width
    val isSparse = end < room / 4
    val wanted = widthFor(room)
    // To copy all cells for few bytes would take long.
    val isDue = isSparse || wanted != width || unused > math.max(overflowEnd / 2, cells.length / 4)
    if (isDue) rebuild(wanted, if (isSparse) math.max(FirstCells, end) else room)
    isSparse
  }

  /** Whether this is the code with the number, which may have no name. */
  def isCode(number: Int, array: Array[Byte], from: Int, length: Int): Boolean = {
    val at = number * width
    val head = cells(at)
    if (head >= 0) head == length && Arrays.equals(cells, at + 1, at + 1 + length, array, from, from + length)
    else
      head == Overflow && lengthOf(number) == length && {
        val start = startOf(number)
        Arrays.equals(overflow, start, start + length, array, from, from + length)
      }
  }

  def hash(number: Int, seed: Long): Long =
    NameTable.hashOf(bytesOf(number), startOf(number), lengthOf(number), seed)

  /** The name, which may be a view of the bytes here, valid until the number has another name. */
  def name(number: Int): UTF8String = NameCode.decoded(bytesOf(number), startOf(number), lengthOf(number))

  /** Reads the first byte of a long code, and else the cell, which may lie on two cache lines. */
  def readAhead(number: Int): Long = {
    val at = number * width
    (if (cells(at) == Overflow) overflow(startOf(number)) else cells(at)).toLong ^ cells(at + width - 1)
  }

  /** The [[NameCode.prefix]] of a name, behind what all names begin with. */
  def prefix(number: Int): Long =
    NameCode.prefix(bytesOf(number), startOf(number), lengthOf(number), sharedLength)

  /** Compares two names by their UTF-8 bytes. */
  def compare(a: Int, b: Int): Int =
    NameCode.compare(bytesOf(a), startOf(a), lengthOf(a), bytesOf(b), startOf(b), lengthOf(b))

  /** Appends the bytes of the code from `from` on, before `until`. */
  def write(number: Int, from: Int, until: Int, out: BinaryWriter): Unit =
    out.raw(bytesOf(number), startOf(number) + from, until - from)

  private def head(number: Int): Byte = cells(number * width)

  // Where the code of a number lies.
  private def bytesOf(number: Int): Array[Byte] = if (head(number) == Overflow) overflow else cells
  private def startOf(number: Int): Int =
    if (head(number) == Overflow) intAt(number, 8) else number * width + 1
  def lengthOf(number: Int): Int =
    if (head(number) == Overflow) intAt(number, 4) else head(number).toInt
  private def intAt(number: Int, offset: Int): Int =
    Platform.getInt(cells, Platform.BYTE_ARRAY_OFFSET + number * width.toLong + offset)

  /** The width of cells in which at least half of the codes fit, if so many cells fit in an array; else the width now. */
  private def widthFor(cells: Int): Int =
    Widths.indices.find(i => 2 * fitting.take(i + 1).sum >= count).map(Widths(_))
      .filter(cells <= MaxBytes / _).getOrElse(width)

  /** Makes room for numbers below `limit`. */
  private def makeRoom(limit: Int): Unit = {
    val wanted = math.max(width, widthFor(limit))
    val most = MaxBytes / wanted
    if (limit > most) refuse()
    val room = math.min(most, math.max(limit, end + end / 5 + FirstCells))
    if (wanted > width) rebuild(wanted, room) else cells = Arrays.copyOf(cells, room * width + Behind)
  }

  private def makeRoomInOverflow(length: Int): Unit = {
    if (overflowEnd.toLong + length + Behind > MaxBytes && unused > 0) rebuild(width, cells.length / width)
    val wanted = overflowEnd.toLong + length + Behind
    if (wanted > MaxBytes) refuse()
    if (wanted > overflow.length)
      overflow = Arrays.copyOf(overflow, math.min(MaxBytes.toLong, wanted + wanted / 4).toInt)
  }

  private def refuse(): Nothing = throw new IllegalStateException(
    s"the names of $count vertices of one graph do not fit in an array of $MaxBytes bytes; split the graph with `by`, " +
      "shorten the window, or give integral ids"
  )

  /** Copies all codes to new cells; those without a code are marked, since a slot of [[NameTable]] may have their number. */
  private def rebuild(width: Int, room: Int): Unit = {
    val (from, fromWidth, fromOverflow) = (cells, this.width, overflow)
    cells = new Array[Byte](room * width + Behind)
    this.width = width
    overflow = new Array[Byte](overflowEnd - unused + Behind)
    overflowEnd = 0
    unused = 0
    var number = end
    while (number < room) {
      cells(number * width) = Free
      number += 1
    }
    number = 0
    while (number < end) {
      val at = number * fromWidth
      def int(offset: Int) = Platform.getInt(from, Platform.BYTE_ARRAY_OFFSET + at.toLong + offset)
      from(at) match {
        case Free     => cells(number * width) = Free
        case Overflow => put(number, fromOverflow, int(8), int(4))
        case length   => put(number, from, at + 1, length.toInt)
      }
      number += 1
    }
  }
}

private[block] object NameCodes {

  /** Bytes of a cell. */
  private val Widths = Array(16, 24, 32, MaxWidth)
  private final val FirstCells = 8

  /** Bytes behind the last code in an array, for [[NameCode.prefix]]. */
  private final val Behind = 8

  /** Bytes that names begin with are noted up to here. */
  private[block] final val MostShared = 64

  /** Names that are read ahead together. */
  private[block] final val Block = 256

  // In place of the length.
  private final val Free: Byte = -1
  private final val Overflow: Byte = -2

  private final val MaxBytes = Int.MaxValue - 8 - Behind

  /** All numbers are less. */
  val MaxNames: Int = MaxBytes / Widths(0)

  /** The most bytes of a cell. */
  final val MaxWidth = 40

  /** The position of the narrowest width that is above this length. */
  private def fittingOf(length: Int): Int = math.max(0, math.min(Widths.length, (length - 8) / 8))
}
