package io.github.sparkbic.operator.block

import java.nio.ByteOrder
import java.util.Arrays

import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.UTF8String

/** The bytes that stand for a name wherever it is hashed, compared, sent or saved: its UTF-8 bytes, but for UUIDs of 36
  * characters in lower case, of which 17 bytes are left.
  *
  * {{{
  * a UUID as `java.util.UUID.toString` writes it      0xFE, its 16 bytes
  * other names that begin with 0xFE or 0xFF           0xFF, the name
  * all others                                         the name
  * }}}
  *
  * So two names have the same code only if they are the same, and a name can be told from its code. No character of
  * UTF-8 has a byte of 0xFE or 0xFF, so the second kind is that of binary data called a string. Codes of UUIDs are in
  * the order of the names. Coding a UUID takes some ten nanoseconds, which is less than what hashing, comparing and
  * keeping 36 bytes takes; nothing is allocated for it.
  */
private[operator] object NameCode {
  private final val Uuid: Byte = -2
  private final val Escape: Byte = -1
  private final val UuidChars = 36
  private final val UuidCode = 17
  private val BigEndian = ByteOrder.nativeOrder == ByteOrder.BIG_ENDIAN

  /** How many bytes more than its name a code has at most. */
  final val MaxGrowth = 1

  /** Writes the code of a name to `to`, from `at` on; gives its length. */
  def put(name: UTF8String, to: Array[Byte], at: Int): Int = {
    val length = name.numBytes
    if (length == UuidChars && putUuid(name.getBaseObject, name.getBaseOffset, to, at)) UuidCode
    else if (length > 0 && isMark(Platform.getByte(name.getBaseObject, name.getBaseOffset))) {
      to(at) = Escape
      copy(name, to, at + 1)
      length + 1
    } else {
      copy(name, to, at)
      length
    }
  }

  def of(name: UTF8String): Array[Byte] = {
    val code = new Array[Byte](name.numBytes + MaxGrowth)
    Arrays.copyOf(code, put(name, code, 0))
  }

  /** The name of the code `bytes(from until from + length)`; a view of these bytes if they are those of the name. */
  def decoded(bytes: Array[Byte], from: Int, length: Int): UTF8String =
    if (length == 0 || !isMark(bytes(from))) UTF8String.fromBytes(bytes, from, length)
    else if (bytes(from) == Escape) UTF8String.fromBytes(bytes, from + 1, length - 1)
    else uuid(bytes, from + 1)

  /** Whether `bytes(from until from + length)` is the code of a name. */
  def isCode(bytes: Array[Byte], from: Int, length: Int): Boolean =
    if (length == 0) true
    else if (bytes(from) == Uuid) length == UuidCode
    else if (bytes(from) == Escape) length > 1 && isMark(bytes(from + 1))
    // A UUID has one code, which is not its text.
    else length != UuidChars || of(UTF8String.fromBytes(bytes, from, length)).length == UuidChars

  /** As the names of two codes compare, by their UTF-8 bytes. */
  def compare(bytes: Array[Byte], a: Int, lengthA: Int, b: Int, lengthB: Int): Int = {
    val markA = lengthA > 0 && isMark(bytes(a))
    val markB = lengthB > 0 && isMark(bytes(b))
    // Of two codes with the same mark, what follows is in the order of the names; and so are the marks themselves.
    if (markA == markB)
      Arrays.compareUnsigned(bytes, a, a + lengthA, bytes, b, b + lengthB)
    else decoded(bytes, a, lengthA).binaryCompare(decoded(bytes, b, lengthB))
  }

  private def isMark(byte: Byte): Boolean = byte == Uuid || byte == Escape

  private def copy(name: UTF8String, to: Array[Byte], at: Int): Unit = name.getBaseObject match {
    case array: Array[Byte] =>
      System.arraycopy(array, (name.getBaseOffset - Platform.BYTE_ARRAY_OFFSET).toInt, to, at, name.numBytes)
    case _ => name.writeToMemory(to, Platform.BYTE_ARRAY_OFFSET + at.toLong)
  }

  /** Whether the 36 bytes there are a UUID, whose code is written then. Eight digits at a time. */
  private def putUuid(base: AnyRef, offset: Long, to: Array[Byte], at: Int): Boolean = {
    val a = littleEndian(Platform.getLong(base, offset))
    val b = fourAndFour(Platform.getInt(base, offset + 9), Platform.getInt(base, offset + 14))
    val c = fourAndFour(Platform.getInt(base, offset + 19), Platform.getInt(base, offset + 24))
    val d = littleEndian(Platform.getLong(base, offset + 28))
    val isUuid = isHyphen(base, offset + 8) && isHyphen(base, offset + 13) && isHyphen(base, offset + 18) &&
      isHyphen(base, offset + 23) && isHex(a) && isHex(b) && isHex(c) && isHex(d)
    if (isUuid) {
      to(at) = Uuid
      val code = Platform.BYTE_ARRAY_OFFSET + at + 1L
      Platform.putLong(to, code, bigEndian(packed(a) << 32 | packed(b)))
      Platform.putLong(to, code + 8, bigEndian(packed(c) << 32 | packed(d)))
    }
    isUuid
  }

  private def uuid(bytes: Array[Byte], from: Int): UTF8String = {
    val code = Platform.BYTE_ARRAY_OFFSET + from.toLong
    val high = bigEndian(Platform.getLong(bytes, code))
    val low = bigEndian(Platform.getLong(bytes, code + 8))
    val chars = new Array[Byte](UuidChars)
    Arrays.fill(chars, '-'.toByte)
    putDigits(high >>> 32, chars, 0)
    putDigits(high, chars, 9)
    // The second half of these four digits is written again, where it belongs.
    moveFour(chars, 13)
    putDigits(low >>> 32, chars, 19)
    moveFour(chars, 23)
    putDigits(low, chars, 28)
    UTF8String.fromBytes(chars)
  }

  private def isHyphen(base: AnyRef, offset: Long): Boolean = Platform.getByte(base, offset) == '-'

  /** Eight characters, the first one in the lowest byte, of which each must be 0 to 9 or a to f. */
  private def isHex(chars: Long): Boolean = {
    val digits = digitsOf(chars)
    (digits & 0xf0f0f0f0f0f0f0f0L) == 0 && charsOf(digits) == chars
  }

  /** What each character stands for if it is a digit; no more than 24. */
  private def digitsOf(chars: Long): Long =
    (chars & 0x0f0f0f0f0f0f0f0fL) + ((chars >>> 6) & 0x0101010101010101L) * 9

  /** The characters of digits below 16. */
  private def charsOf(digits: Long): Long = {
    val letters = ((digits + 0x0606060606060606L) >>> 4) & 0x0101010101010101L
    digits + 0x3030303030303030L + letters * 0x27
  }

  /** Eight characters as 32 bits, the first one the highest. */
  private def packed(chars: Long): Long = {
    var x = java.lang.Long.reverseBytes(digitsOf(chars))
    x = (x | x >>> 4) & 0x00ff00ff00ff00ffL
    x = (x | x >>> 8) & 0x0000ffff0000ffffL
    (x | x >>> 16) & 0xffffffffL
  }

  /** Writes the lower 32 bits as eight characters. */
  private def putDigits(bits: Long, to: Array[Byte], at: Int): Unit = {
    var x = bits & 0xffffffffL
    x = (x | x << 16) & 0x0000ffff0000ffffL
    x = (x | x << 8) & 0x00ff00ff00ff00ffL
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0fL
    val chars = charsOf(java.lang.Long.reverseBytes(x))
    Platform.putLong(to, Platform.BYTE_ARRAY_OFFSET + at.toLong, littleEndian(chars))
  }

  /** Moves four characters one on, and puts a hyphen before them. */
  private def moveFour(chars: Array[Byte], at: Int): Unit = {
    System.arraycopy(chars, at, chars, at + 1, 4)
    chars(at) = '-'
  }

  private def fourAndFour(first: Int, second: Int): Long =
    if (BigEndian)
      (java.lang.Integer.reverseBytes(first) & 0xffffffffL) |
        java.lang.Integer.reverseBytes(second).toLong << 32
    else (first & 0xffffffffL) | second.toLong << 32

  private def littleEndian(x: Long): Long = if (BigEndian) java.lang.Long.reverseBytes(x) else x

  private def bigEndian(x: Long): Long = if (BigEndian) x else java.lang.Long.reverseBytes(x)
}
