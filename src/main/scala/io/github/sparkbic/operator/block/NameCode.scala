package io.github.sparkbic.operator.block

import java.nio.ByteOrder
import java.util.Arrays

import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.index.format.StateLayout.{EscapeMark, UuidCodeSize, UuidMark}

/** The code of a name: the bytes that are hashed, compared, sent and saved in its place. The code is the name in UTF-8, with
  * two exceptions ([[io.github.sparkbic.index.format.StateLayout]]): UUIDs take 17 bytes, and names that begin with a mark
  * are escaped.
  * Codes and names correspond one to one, and codes of UUIDs have the order of the names. Coding a UUID takes some 10 ns,
  * less than hashing, comparing and keeping 36 bytes, and allocates nothing.
  */
private[operator] object NameCode {
  final val UuidChars = 36
  private final val Hyphen = '-'.toByte
  private val BigEndian = ByteOrder.nativeOrder == ByteOrder.BIG_ENDIAN

  /** The most bytes that a code is longer than its name. */
  final val MaxGrowth = 1

  /** Writes the code of the name at `offset` of `base` to `to`, from `at` on, and gives the length of the code. */
  def put(base: AnyRef, offset: Long, length: Int, to: Array[Byte], at: Int): Int =
    if (length == UuidChars && putUuid(base, offset, to, at)) UuidCodeSize
    else {
      val escaped = if (length > 0 && isMark(Platform.getByte(base, offset))) 1 else 0
      if (escaped > 0) to(at) = EscapeMark
      base match {
        case array: Array[Byte] =>
          System.arraycopy(array, (offset - Platform.BYTE_ARRAY_OFFSET).toInt, to, at + escaped, length)
        case _ =>
          Platform.copyMemory(
            base,
            offset,
            to,
            Platform.BYTE_ARRAY_OFFSET + at.toLong + escaped,
            length.toLong
          )
      }
      length + escaped
    }

  def of(name: UTF8String): Array[Byte] = {
    val code = new Array[Byte](name.numBytes + MaxGrowth)
    Arrays.copyOf(code, put(name.getBaseObject, name.getBaseOffset, name.numBytes, code, 0))
  }

  /** The name of the code `bytes(from until from + length)`: a view of these bytes, unless they are a UUID's. */
  def decoded(bytes: Array[Byte], from: Int, length: Int): UTF8String =
    if (!isMarked(bytes, from, length)) UTF8String.fromBytes(bytes, from, length)
    else if (bytes(from) == EscapeMark) UTF8String.fromBytes(bytes, from + 1, length - 1)
    else {
      val name = new Array[Byte](UuidChars)
      decode(bytes, from, length, name, 0)
      UTF8String.fromBytes(name)
    }

  /** The length of the name of a code. */
  def nameLength(bytes: Array[Byte], from: Int, length: Int): Int =
    if (!isMarked(bytes, from, length)) length
    else if (bytes(from) == EscapeMark) length - 1
    else UuidChars

  /** Writes the name of a code to `to`, from `at` on. */
  def decode(bytes: Array[Byte], from: Int, length: Int, to: Array[Byte], at: Int): Unit =
    if (!isMarked(bytes, from, length)) System.arraycopy(bytes, from, to, at, length)
    else if (bytes(from) == EscapeMark) System.arraycopy(bytes, from + 1, to, at, length - 1)
    else {
      val (high, low) = (first(bytes, from + 1), first(bytes, from + 9))
      val middle = hex(high & 0xffffffffL)
      val right = hex(low >>> 32)
      val last = hex(low & 0xffffffffL)
      val hyphen = Hyphen.toLong
      // aaaaaaaa|-bbbb-cc|cc-dddd-|eeeeeeee|eeee: each word is written once, since whoever reads a word next would wait for
      // one that is put together in parts.
      putFirst(to, at, hex(high >>> 32))
      putFirst(to, at + 8, hyphen << 56 | middle >>> 32 << 24 | hyphen << 16 | middle >>> 16 & 0xffffL)
      putFirst(to, at + 16, middle << 48 | hyphen << 40 | right >>> 32 << 8 | hyphen)
      putFirst(to, at + 24, right << 32 | last >>> 32)
      val four = if (BigEndian) last.toInt else Integer.reverseBytes(last.toInt)
      Platform.putInt(to, Platform.BYTE_ARRAY_OFFSET + at + 32L, four)
    }

  /** Whether `bytes(from until from + length)` is the code of a name. */
  def isCode(bytes: Array[Byte], from: Int, length: Int): Boolean =
    if (length == 0) true
    else if (bytes(from) == UuidMark) length == UuidCodeSize
    else if (bytes(from) == EscapeMark) length > 1 && isMark(bytes(from + 1))
    // A UUID has one code, which is not its text.
    else length != UuidChars || of(UTF8String.fromBytes(bytes, from, length)).length == UuidChars

  /** Compares the names of two codes, by their UTF-8 bytes. */
  def compare(a: Array[Byte], fromA: Int, lengthA: Int, b: Array[Byte], fromB: Int, lengthB: Int): Int = {
    val markA = isMarked(a, fromA, lengthA)
    val markB = isMarked(b, fromB, lengthB)
    // Codes with the same mark, or without a mark, have the order of their names.
    if (markA == markB) Arrays.compareUnsigned(a, fromA, fromA + lengthA, b, fromB, fromB + lengthB)
    else SparkInternals.compare(decoded(a, fromA, lengthA), decoded(b, fromB, lengthB))
  }

  /** Eight bytes of the name of a code as a number, with zeros after a shorter name. Different prefixes have the order of the
    * names. Eight bytes must follow the code.
    * @param shared bytes with which the codes of all names begin that are compared, at most `length`
    */
  def prefix(bytes: Array[Byte], from: Int, length: Int, shared: Int = 0): Long = {
    val mark = if (length == 0) 0 else bytes(from)
    if (mark == UuidMark && shared == 0) ordered(hex(first(bytes, from + 1) >>> 32))
    else {
      // Codes that begin with one byte have the order of the names.
      val skipped = if (shared > 0) shared else if (mark == EscapeMark) 1 else 0
      val known = length - skipped
      val all = first(bytes, from + skipped)
      ordered(if (known >= 8) all else if (known == 0) 0L else all & (-1L << (64 - 8 * known)))
    }
  }

  /** Numbers that compare as these do without a sign. */
  private def ordered(prefix: Long): Long = prefix ^ Long.MinValue

  /** Eight bytes, the first of them highest. */
  private def first(bytes: Array[Byte], from: Int): Long = {
    val read = Platform.getLong(bytes, Platform.BYTE_ARRAY_OFFSET + from.toLong)
    if (BigEndian) read else java.lang.Long.reverseBytes(read)
  }

  /** Writes eight bytes, the highest of them first. */
  private def putFirst(bytes: Array[Byte], at: Int, value: Long): Unit = Platform.putLong(
    bytes,
    Platform.BYTE_ARRAY_OFFSET + at.toLong,
    if (BigEndian) value else java.lang.Long.reverseBytes(value)
  )

  /** The eight characters of 32 bits in hexadecimal digits, the first character highest. */
  private def hex(bits: Long): Long = {
    var x = (bits | bits << 16) & 0x0000ffff0000ffffL
    x = (x | x << 8) & 0x00ff00ff00ff00ffL
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0fL
    val letters = ((x + 0x0606060606060606L) >>> 4) & 0x0101010101010101L
    x + 0x3030303030303030L + letters * 0x27
  }

  /** Whether a code is not the name itself. */
  def isMarked(bytes: Array[Byte], from: Int, length: Int): Boolean = length > 0 && isMark(bytes(from))

  private def isMark(byte: Byte): Boolean = byte == UuidMark || byte == EscapeMark

  /** Writes the code of the 36 bytes if they are a UUID. Reads eight digits at a time, the first in the lowest byte. */
  private def putUuid(base: AnyRef, offset: Long, to: Array[Byte], at: Int): Boolean = {
    def eight(from: Int): Long = {
      val chars = Platform.getLong(base, offset + from)
      if (BigEndian) java.lang.Long.reverseBytes(chars) else chars
    }
    def fourAndFour(from: Int): Long = eight(from) & 0xffffffffL | eight(from + 5) << 32
    val a = eight(0)
    val b = fourAndFour(9)
    val c = fourAndFour(19)
    val d = eight(28)
    val isUuid = isHyphen(base, offset + 8) && isHyphen(base, offset + 13) && isHyphen(base, offset + 18) &&
      isHyphen(base, offset + 23) && isHex(a) && isHex(b) && isHex(c) && isHex(d)
    if (isUuid) {
      to(at) = UuidMark
      putFirst(to, at + 1, packed(a) << 32 | packed(b))
      putFirst(to, at + 9, packed(c) << 32 | packed(d))
    }
    isUuid
  }

  private def isHyphen(base: AnyRef, offset: Long): Boolean = Platform.getByte(base, offset) == Hyphen

  /** Whether each of eight characters is one of 0 to 9 or a to f. */
  private def isHex(chars: Long): Boolean = {
    val digits = digitsOf(chars)
    val letters = ((digits + 0x0606060606060606L) >>> 4) & 0x0101010101010101L
    (digits & 0xf0f0f0f0f0f0f0f0L) == 0 && digits + 0x3030303030303030L + letters * 0x27 == chars
  }

  /** The value of each character that is a digit; at most 24 for any other character. */
  private def digitsOf(chars: Long): Long =
    (chars & 0x0f0f0f0f0f0f0f0fL) + ((chars >>> 6) & 0x0101010101010101L) * 9

  /** Eight digits as 32 bits, the first digit highest. */
  private def packed(chars: Long): Long = {
    var x = java.lang.Long.reverseBytes(digitsOf(chars))
    x = (x | x >>> 4) & 0x00ff00ff00ff00ffL
    x = (x | x >>> 8) & 0x0000ffff0000ffffL
    (x | x >>> 16) & 0xffffffffL
  }
}
