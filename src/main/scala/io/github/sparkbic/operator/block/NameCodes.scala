package io.github.sparkbic.operator.block

import java.util.Arrays

import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.index.format.BinaryWriter
import io.github.sparkbic.index.format.StateLayout.UuidMark

/** The [[NameCode]] of each name by its number. Numbers are 0, 1, 2 …; the number of a removed name is given to a new name,
  * the lowest such number first.
  *
  * The codes lie one after the other in one byte array, and take at most half of it with the bytes of removed names. Eight
  * to eleven bytes a name, and its code. Not thread safe.
  */
private[block] final class NameCodes {
  import NameCodes._

  private[block] var bytes = new Array[Byte](256)
  private var bytesEnd = 0
  // Bytes of removed names before `bytesEnd`.
  private var unused = 0

  /** By number: where the code begins, above its length. The highest bit is set if the code is not the name itself, so that
    * the length of a name is known without the code; so is the highest bit of the length if it is a UUID's. `NoName` if
    * the name has been removed.
    */
  private[block] var places = new Array[Long](8)
  private var end = 0
  // Of the numbers below, each has a name.
  private var firstFree = 0
  private var count = 0
  // By number; empty until they are asked for.
  private var knownPrefixes = Array.emptyLongArray

  def size: Int = count

  /** All numbers are less. */
  def numberLimit: Int = end
  def totalBytes: Int = bytesEnd - unused
  def memory: Long = bytes.length + 8L * (places.length + knownPrefixes.length)

  def holds(number: Long): Boolean = number >= 0 && number < end && places(number.toInt) != NoName

  def foreach(visit: Int => Unit): Unit = {
    var number = 0
    while (number < end) {
      if (places(number) != NoName) visit(number)
      number += 1
    }
  }

  /** Copies a code, and gives its number. */
  def add(array: Array[Byte], from: Int, length: Int): Int = {
    while (firstFree < end && places(firstFree) != NoName) firstFree += 1
    add(firstFree, array, from, length)
  }

  /** Copies a code, whose number has no name. */
  def add(number: Int, array: Array[Byte], from: Int, length: Int): Int = {
    makeRoom(length)
    reserve(number + 1)
    if (number > end) Arrays.fill(places, end, number, NoName)
    end = math.max(end, number + 1)
    count += 1
    System.arraycopy(array, from, bytes, bytesEnd, length)
    places(number) = place(bytesEnd, length, kindOf(array, from, length))
    bytesEnd += length
    if (knownPrefixes.length > 0) setPrefix(number)
    number
  }

  /** Makes room for numbers below `limit`. */
  private def reserve(limit: Int): Unit = if (limit > places.length) {
    places = Arrays.copyOf(places, math.max(limit, places.length + (places.length >> 1)))
    if (knownPrefixes.length > 0) knownPrefixes = Arrays.copyOf(knownPrefixes, places.length)
  }

  def remove(number: Int): Unit = {
    unused += lengthOf(places(number))
    places(number) = NoName
    firstFree = math.min(firstFree, number)
    count -= 1
    while (end > 0 && places(end - 1) == NoName) end -= 1
  }

  /** Gives back memory after names were removed. */
  def compact(): Unit = {
    if (unused > bytesEnd / 2) copyTo(totalBytes)
    if (end < places.length / 4) {
      places = Arrays.copyOf(places, math.max(8, end))
      if (knownPrefixes.length > 0) knownPrefixes = Arrays.copyOf(knownPrefixes, places.length)
    }
  }

  def isCode(number: Int, array: Array[Byte], from: Int, length: Int): Boolean = {
    val start = startOf(places(number))
    Arrays.equals(bytes, start, start + lengthOf(places(number)), array, from, from + length)
  }

  def hash(number: Int, seed: Long): Long =
    NameTable.hashOf(bytes, startOf(places(number)), lengthOf(places(number)), seed)

  /** The name, which may be a view of the bytes here. */
  def name(number: Int): UTF8String =
    NameCode.decoded(bytes, startOf(places(number)), lengthOf(places(number)))

  /** The number of bytes of the name. */
  def nameLength(number: Int): Int = {
    val place = places(number)
    if (place >= 0) lengthOf(place)
    else if ((place & Uuid) != 0) NameCode.UuidChars
    else lengthOf(place) - NameCode.MaxGrowth
  }

  /** Reads where the code begins. */
  def readAhead(number: Int): Long = bytes(startOf(places(number))).toLong

  /** Writes the name to `to`, from `at` on. */
  def write(number: Int, to: Array[Byte], at: Int): Unit = {
    val place = places(number)
    if (place >= 0) System.arraycopy(bytes, startOf(place), to, at, lengthOf(place))
    else NameCode.decode(bytes, startOf(place), lengthOf(place), to, at)
  }

  /** The [[NameCode.prefix]] of each name by number, in an array that may be longer. It is kept from the first call on: a
    * prefix is read where it lies beside others, and the code that it begins waits for memory.
    */
  def prefixes: Array[Long] = {
    if (knownPrefixes.length == 0) {
      knownPrefixes = new Array[Long](places.length)
      foreach(setPrefix)
    }
    knownPrefixes
  }

  /** Compares two names by their UTF-8 bytes. */
  def compare(a: Int, b: Int): Int = {
    val (placeA, placeB) = (places(a), places(b))
    NameCode.compare(bytes, startOf(placeA), lengthOf(placeA), startOf(placeB), lengthOf(placeB))
  }

  /** Appends the length of the code, and the code. */
  def save(number: Int, out: BinaryWriter): Unit = {
    out.unsigned(lengthOf(places(number)).toLong)
    out.raw(bytes, startOf(places(number)), lengthOf(places(number)))
  }

  private def setPrefix(number: Int): Unit =
    knownPrefixes(number) = NameCode.prefix(bytes, startOf(places(number)), lengthOf(places(number)))

  private def makeRoom(length: Int): Unit = {
    val wanted = totalBytes.toLong + length
    if (wanted > MaxBytes)
      throw new IllegalStateException(
        s"the names of $count vertices of one graph take more than $MaxBytes bytes; split the graph with `by`, " +
          "shorten the window, or give integral ids"
      )
    if (bytesEnd.toLong + length + Slack > bytes.length) copyTo(math.min(MaxBytes, 2 * wanted).toInt)
  }

  /** Moves the codes to an array with room for so many bytes, in the order of their numbers. */
  private def copyTo(room: Int): Unit = {
    val moved = new Array[Byte](room + Slack + 1)
    var at = 0
    foreach { number =>
      val place = places(number)
      System.arraycopy(bytes, startOf(place), moved, at, lengthOf(place))
      places(number) = NameCodes.place(at, lengthOf(place), place & (Marked | Uuid))
      at += lengthOf(place)
    }
    bytes = moved
    bytesEnd = at
    unused = 0
  }
}

private[block] object NameCodes {

  /** Bytes after the last code and one more, so that prefetching and prefixes may read this far from the start of any code. */
  final val Slack = 24
  private final val MaxBytes = Int.MaxValue - 8L - Slack

  /** In place of the place of a removed name. */
  private final val NoName = -1L

  private final val Marked = Long.MinValue
  private final val Uuid = 1L << 31

  private def kindOf(code: Array[Byte], from: Int, length: Int): Long =
    if (!NameCode.isMarked(code, from, length)) 0L
    else if (code(from) == UuidMark) Marked | Uuid
    else Marked

  private def place(start: Int, length: Int, kind: Long): Long = kind | start.toLong << 32 | length

  /** Where a code begins. Any bits, also those of no name, give a number that is not negative. */
  def startOf(place: Long): Int = (place >>> 32).toInt & Int.MaxValue
  private def lengthOf(place: Long): Int = place.toInt & Int.MaxValue
}
