package io.github.sparkbic.index.format

import java.nio.{ByteBuffer, ByteOrder}
import java.util.Arrays

private[index] object BinaryFormat {

  /** Signed numbers as unsigned numbers: 0, -1, 1, -2, 2 … */
  def zigzag(value: Long): Long = (value << 1) ^ (value >> 63)

  def unzigzag(value: Long): Long = (value >>> 1) ^ -(value & 1)

  /** The fewest bytes that hold an unsigned number: 0 to 8. */
  def bytesOf(value: Long): Int = (71 - java.lang.Long.numberOfLeadingZeros(value)) >>> 3

  /** A view of `bytes` that reads and writes numbers little-endian. */
  def littleEndian(bytes: Array[Byte]): ByteBuffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN)
}

/** A growing byte array with the few encodings that the state format uses.
  *
  * Unsigned numbers are LEB128 varints of up to ten bytes; signed numbers are zigzag-coded first. Many numbers of like size
  * are written as a column, without a branch for each number.
  */
final class BinaryWriter(expected: Int = 256) {
  private var bytes = new Array[Byte](math.max(16, expected))
  private var view = BinaryFormat.littleEndian(bytes)
  private var end = 0

  def size: Int = end

  def toBytes: Array[Byte] = toBytesBehind(0)

  /** What was written, behind so many bytes that are still to be filled in. */
  def toBytesBehind(before: Int): Array[Byte] = {
    val copy = new Array[Byte](before + end)
    System.arraycopy(bytes, 0, copy, before, end)
    copy
  }

  def unsigned(value: Long): Unit = {
    reserve(10)
    val to = bytes
    var at = end
    var rest = value
    while ((rest & ~0x7fL) != 0) {
      to(at) = (rest | 0x80).toByte
      at += 1
      rest >>>= 7
    }
    to(at) = rest.toByte
    end = at + 1
  }

  def signed(value: Long): Unit = unsigned(BinaryFormat.zigzag(value))

  /** An unsigned number with a bit of its own; numbers below 64 take a byte. */
  def marked(value: Long, mark: Boolean): Unit = {
    reserve(1)
    val rest = value >>> 6
    val more = if (rest == 0) 0 else 0x80
    bytes(end) = (more | (value << 1).toInt & 0x7e | (if (mark) 1 else 0)).toByte
    end += 1
    if (rest != 0) unsigned(rest)
  }

  /** The unsigned numbers `values(from until until)` in one width: a byte with the width, 0 to 8, then so many bytes each.
    *
    * Eight bytes are stored for each number, and the next number overwrites what the width leaves out.
    *
    * @param least the least width: 1 for a column whose length is to bound its count
    */
  def column(values: Array[Long], from: Int, until: Int, least: Int = 0): Unit = {
    var all = 0L
    var i = from
    while (i < until) {
      all |= values(i)
      i += 1
    }
    val width = math.max(least, BinaryFormat.bytesOf(all))
    reserve(1L + (until - from).toLong * width + 8)
    bytes(end) = width.toByte
    val to = view
    var at = end + 1
    i = from
    while (i < until) {
      to.putLong(at, values(i))
      at += width
      i += 1
    }
    end = at
  }

  def fixedInt(value: Int): Unit = {
    reserve(4)
    view.putInt(end, value)
    end += 4
  }

  def raw(source: Array[Byte]): Unit = raw(source, 0, source.length)

  def raw(source: Array[Byte], from: Int, length: Int): Unit = {
    reserve(length)
    System.arraycopy(source, from, bytes, end, length)
    end += length
  }

  private def reserve(more: Long): Unit =
    if (bytes.length - end < more) {
      val wanted = math.max(bytes.length.toLong * 2, end + more)
      if (end + more > BinaryWriter.MaxSize)
        throw new IllegalStateException(
          s"the state of one graph would exceed ${BinaryWriter.MaxSize} bytes; split the graph with `by`, shorten " +
            "the window, or have a backlog read in several micro-batches (maxFilesPerTrigger, maxOffsetsPerTrigger)"
        )
      bytes = Arrays.copyOf(bytes, math.min(wanted, BinaryWriter.MaxSize.toLong).toInt)
      view = BinaryFormat.littleEndian(bytes)
    }
}

object BinaryWriter {

  /** The longest array that every JVM allocates, less the size of a frame around the bytes. */
  val MaxSize: Int = Int.MaxValue - 64
}

/** Reads `bytes(from until until)` as [[BinaryWriter]] wrote them; malformed bytes are a [[CorruptStateException]]. */
final class BinaryReader(bytes: Array[Byte], from: Int, until: Int) {
  private var at = from

  def this(bytes: Array[Byte]) = this(bytes, 0, bytes.length)

  def remaining: Int = until - at

  def unsigned(): Long = {
    var value = 0L
    var shift = 0
    var more = true
    while (more) {
      val b = peek()
      if (shift > 63) throw new CorruptStateException("a number is longer than 64 bits")
      at += 1
      value |= (b & 0x7fL) << shift
      shift += 7
      more = b < 0
    }
    value
  }

  def signed(): Long = BinaryFormat.unzigzag(unsigned())

  /** Whether the number that [[marked]] will read next has the mark. */
  def hasMark: Boolean = (peek() & 1) != 0

  /** What [[BinaryWriter.marked]] wrote, without the mark. */
  def marked(): Long = {
    val first = peek()
    at += 1
    val low = (first & 0x7eL) >>> 1
    if (first >= 0) low else low | unsigned() << 6
  }

  /** Reads `count` numbers that [[BinaryWriter.column]] wrote to the front of `values`. */
  def column(values: Array[Long], count: Int): Unit = {
    val width = peek() & 0xff
    if (width > 8) throw new CorruptStateException(s"numbers of $width bytes, where 8 are the most")
    at += 1
    val first = skip(count * width)
    // Eight bytes are read for each number, which the last numbers may not have.
    val fits = first + count.toLong * width + 8 <= bytes.length
    val padded = if (fits) bytes else Arrays.copyOfRange(bytes, first, first + count * width + 8)
    val from = BinaryFormat.littleEndian(padded)
    val mask = if (width == 0) 0L else -1L >>> (64 - 8 * width)
    var place = if (fits) first else 0
    var i = 0
    while (i < count) {
      values(i) = from.getLong(place) & mask
      place += width
      i += 1
    }
  }

  private def peek(): Byte = {
    if (at >= until) throw new CorruptStateException("it ends within a number")
    bytes(at)
  }

  def below(bound: Long, name: String): Int = BinaryReader.below(bound, unsigned(), name)

  /** A number of items that each take at least one byte, so that no corrupt count allocates more than the input. */
  def count(name: String): Int = below(remaining.toLong + 1, name)

  def fixedInt(): Int = {
    if (remaining < 4) throw new CorruptStateException("it ends within a number")
    BinaryFormat.littleEndian(bytes).getInt(skip(4))
  }

  def raw(length: Int): Array[Byte] = Arrays.copyOfRange(bytes, skip(length), at)

  /** Reads so many bytes to `to`, from `start` on. */
  def raw(to: Array[Byte], start: Int, length: Int): Unit =
    System.arraycopy(bytes, skip(length), to, start, length)

  /** Passes over so many bytes; gives where they begin. */
  def skip(length: Int): Int = {
    if (length > remaining) throw new CorruptStateException(s"a part of $length bytes has only $remaining")
    at += length
    at - length
  }

  def expectEnd(): Unit =
    if (remaining != 0) throw new CorruptStateException(s"$remaining bytes are left over")
}

object BinaryReader {

  /** A number that was read, which must be below `bound`. */
  def below(bound: Long, value: Long, name: String): Int = {
    if (value < 0 || value >= bound)
      throw new CorruptStateException(s"$name is $value, but must be below $bound")
    value.toInt
  }
}

/** The bytes are damaged, or were saved for another query. The message completes "the state cannot be read: …".
  *
  * @param remedy the user's next step, as sentences
  */
final class CorruptStateException(message: String, val remedy: String = CorruptStateException.Damaged)
    extends RuntimeException(message)

object CorruptStateException {
  private val StartAnew = "give the query a new checkpointLocation and replay the input."

  val Damaged: String = s"The checkpoint is damaged: go back to a copy of it, or $StartAnew"

  val OtherQuery: String = s"Restart the query as it was when the checkpoint was written, or $StartAnew"

  val OtherRelease: String = s"Run the query with the release that wrote the checkpoint, or $StartAnew"
}
