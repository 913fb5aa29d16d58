package io.github.sparkbic.operator.block

import java.util.Arrays
import java.util.concurrent.ThreadLocalRandom

import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.index.format.BinaryWriter

/** Numbers names 0, 1, 2 … in the order of their first appearance. The numbering is exact: names with equal hashes are
  * compared by the bytes of their [[NameCode]]. Names cannot be removed. Not thread safe.
  *
  * Open addressing with linear probing over one `Array[Long]`, whose slots hold numbers. The codes lie one after the other
  * in one byte array, in the order of their numbers. So finding a name touches three places: its slot, where its code begins
  * and the code. All are prefetched for the names of a [[NameBatch]], and nothing is allocated.
  *
  * The load factor is at most 70 %: 16 to 31 bytes a name, and its code. Half of a slot holds bits of the hash, so that
  * probing rarely reads the code of another name. The hash has a random seed: no input can make names collide for all
  * users.
  */
private[operator] final class NameTable(seed: Long = NameTable.randomSeed) {
  import NameTable._

  private var shift = shiftFor(0)
  // The low half of a hash, above the number plus one; zero in an empty slot.
  private var slots = new Array[Long](1 << (64 - shift))
  private var limit = limitOf(slots)
  private var codes = new Array[Byte](256)
  // Where the code of each number begins, and where the last one ends. Negative, by the highest bit, if the code is not the
  // name itself, so that the length of most names is known without the code.
  private var starts = new Array[Int](limit + 1)
  private var count = 0
  private var knownPrefixes = Array.emptyLongArray
  private var prefixed = 0
  // The sum of the prefetched values: without a use of the values the compiler would remove the prefetching.
  private[operator] var prefetched = 0L

  /** Names so far; their numbers are `0 until size`. */
  def size: Int = count

  /** Bytes of all names. */
  def totalBytes: Int = startOf(count)
  def memory: Long =
    OwnMemory + 8L * (slots.length + knownPrefixes.length) + codes.length + 4L * starts.length

  /** The number of the name. A new name is copied, and its number is the `size` before the call. */
  def intern(name: UTF8String): Int = intern(NameCode.of(name))
  def intern(code: Array[Byte]): Int = intern(code, 0, code.length)

  def intern(other: NameTable, number: Int): Int =
    intern(other.codes, other.startOf(number), other.lengthOf(number))

  /** Makes room for so many names in all. */
  def reserve(names: Int): Unit = {
    val wanted = shiftFor(names)
    if (wanted < shift) enlarge(wanted)
  }

  /** Numbers all names of a batch, in their order. */
  def internAll(batch: NameBatch): Unit = {
    batch.hash(seed)
    val (names, from, lengths, hashes) = (batch.bytes, batch.starts, batch.lengths, batch.hashes)
    val numbers = batch.numbers
    val count = batch.size
    // Each loop touches one place per name and does little else, so that the processor waits for many cache lines at once.
    prefetchSlots(hashes, count)
    val searched = slots
    prefetchStarts(hashes, numbers, count)
    prefetchCodes(numbers, count)
    var i = 0
    while (i < count) {
      // Slots never become empty, so a search may continue where the prefetching stopped, unless the table has grown.
      val at = if (slots eq searched) numbers(i) else first(hashes(i), shift)
      numbers(i) = intern(names, from(i), lengths(i), hashes(i), at)
      i += 1
    }
  }

  /** The number of `name`, or -1 if it was never interned. */
  def find(name: UTF8String): Int = {
    val code = NameCode.of(name)
    val hash = hashOf(code, 0, code.length, seed)
    numberOf(slots(find(code, 0, code.length, hash, first(hash, shift))))
  }

  /** The name with this number, which may be a view of the bytes of this table. */
  def name(number: Int): UTF8String = NameCode.decoded(codes, startOf(number), lengthOf(number))

  /** The number of bytes of the name with this number. */
  def nameLength(number: Int): Int =
    if (starts(number) >= 0) lengthOf(number)
    else NameCode.nameLength(codes, startOf(number), lengthOf(number))

  /** Writes the name with this number to `to`, from `at` on. */
  def write(number: Int, to: Array[Byte], at: Int): Unit =
    if (starts(number) >= 0) System.arraycopy(codes, starts(number), to, at, lengthOf(number))
    else NameCode.decode(codes, startOf(number), lengthOf(number), to, at)

  /** The [[NameCode.prefix]] of each name by number, in an array that may be longer. It is kept from the first call on: a
    * prefix is read where it lies beside others, and the code that it begins waits for memory.
    */
  def prefixes: Array[Long] = {
    if (knownPrefixes.length < count) knownPrefixes = Arrays.copyOf(knownPrefixes, limit)
    while (prefixed < count) {
      knownPrefixes(prefixed) = NameCode.prefix(codes, startOf(prefixed), lengthOf(prefixed))
      prefixed += 1
    }
    knownPrefixes
  }

  /** Compares two names by their UTF-8 bytes. */
  def compare(a: Int, b: Int): Int =
    NameCode.compare(codes, startOf(a), lengthOf(a), startOf(b), lengthOf(b))

  /** Appends the length of the code of the name with this number, and the code. */
  def save(number: Int, out: BinaryWriter): Unit = {
    out.unsigned(lengthOf(number).toLong)
    out.raw(codes, startOf(number), lengthOf(number))
  }

  private def startOf(number: Int): Int = starts(number) & Int.MaxValue
  private def lengthOf(number: Int): Int = startOf(number + 1) - startOf(number)

  private def prefetchSlots(hashes: Array[Long], count: Int): Unit = {
    val slots = this.slots
    val shift = this.shift
    var sum = 0L
    var i = 0
    while (i < count) {
      sum ^= slots(first(hashes(i), shift))
      i += 1
    }
    prefetched = sum
  }

  /** Sets `found` to the slots where each name may be: mostly the slot of the name, or the empty slot for a new name. The
    * slot of a name is mostly on the cache line where probing begins, or on the next line.
    */
  private def prefetchStarts(hashes: Array[Long], found: Array[Int], count: Int): Unit = {
    val slots = this.slots
    val shift = this.shift
    val starts = this.starts
    val mask = slots.length - 1
    var sum = 0
    var i = 0
    while (i < count) {
      val hash = hashes(i)
      var at = first(hash, shift)
      while (slots(at) != 0 && !hasHash(slots(at), hash)) at = (at + 1) & mask
      found(i) = at
      // An empty slot prefetches the first name.
      sum ^= starts(math.max(0, numberOf(slots(at))))
      i += 1
    }
    prefetched = sum.toLong
  }

  private def prefetchCodes(found: Array[Int], count: Int): Unit = {
    val slots = this.slots
    val starts = this.starts
    val codes = this.codes
    var sum = 0
    var i = 0
    while (i < count) {
      val start = starts(math.max(0, numberOf(slots(found(i))))) & Int.MaxValue
      // Short names may lie on two cache lines.
      sum ^= codes(start) ^ codes(start + Slack)
      i += 1
    }
    prefetched = sum.toLong
  }

  private def intern(array: Array[Byte], from: Int, length: Int): Int = {
    val hash = hashOf(array, from, length, seed)
    intern(array, from, length, hash, first(hash, shift))
  }

  private def intern(array: Array[Byte], from: Int, length: Int, hash: Long, searchFrom: Int): Int = {
    val at = find(array, from, length, hash, searchFrom)
    if (slots(at) != 0) numberOf(slots(at)) else add(array, from, length, hash, at)
  }

  /** The slot of the name, or the empty slot where it would be.
    * @param searchFrom the first slot of the hash, or a later slot that probing reaches before the name
    */
  private def find(array: Array[Byte], from: Int, length: Int, hash: Long, searchFrom: Int): Int = {
    val slots = this.slots
    val mask = slots.length - 1
    var at = searchFrom
    while (
      slots(at) != 0 &&
      !(hasHash(slots(at), hash) && holds(numberOf(slots(at)), array, from, length))
    )
      at = (at + 1) & mask
    at
  }

  private def holds(number: Int, array: Array[Byte], from: Int, length: Int): Boolean =
    Arrays.equals(codes, startOf(number), startOf(number + 1), array, from, from + length)

  private def add(array: Array[Byte], from: Int, length: Int, hash: Long, emptySlot: Int): Int = {
    val start = startOf(count)
    val end = start.toLong + length
    if (end > MaxBytes)
      throw new IllegalStateException(
        s"the names of $count vertices of one graph take more than $MaxBytes bytes; split the graph with `by`, " +
          "shorten the window, or give integral ids"
      )
    if (end + Slack > codes.length) {
      val room = math.min(MaxBytes + Slack, math.max(end + Slack, 2L * codes.length))
      codes = Arrays.copyOf(codes, room.toInt)
    }
    System.arraycopy(array, from, codes, start, length)
    // So many different names fill `MaxBytes` before they fill 2^30^ slots, so the table can always grow.
    val free =
      if (count < limit) emptySlot
      else {
        enlarge(shift - 1)
        find(array, from, length, hash, first(hash, shift))
      }
    slots(free) = slot(hash, count)
    if (NameCode.isMarked(array, from, length)) starts(count) = start | Int.MinValue
    count += 1
    starts(count) = end.toInt
    count - 1
  }

  private def enlarge(smallerShift: Int): Unit = {
    shift = smallerShift
    slots = new Array[Long](1 << (64 - shift))
    limit = limitOf(slots)
    starts = Arrays.copyOf(starts, limit + 1)
    val mask = slots.length - 1
    var i = 0
    while (i < count) {
      val hash = hashOf(codes, startOf(i), lengthOf(i), seed)
      var at = first(hash, shift)
      while (slots(at) != 0) at = (at + 1) & mask
      slots(at) = slot(hash, i)
      i += 1
    }
  }
}

private[operator] object NameTable {

  private final val MaxSlots = 1 << 29
  private final val OwnMemory = 128L

  /** Bytes after the last code, so that prefetching and prefixes may read this far from the start of any code. */
  private final val Slack = 24
  private final val MaxBytes = Int.MaxValue - 8L - Slack
  private def limitOf(slots: Array[Long]): Int = (slots.length * 7L / 10).toInt

  /** 64 − log2 of the number of slots that `expected` names need. */
  private def shiftFor(expected: Int): Int =
    java.lang.Long.numberOfLeadingZeros(math.min(MaxSlots, math.max(16L, expected * 10L / 7 + 1)) - 1)

  /** The slot where probing for a hash begins. */
  private def first(hash: Long, shift: Int): Int = (hash >>> shift).toInt
  private def slot(hash: Long, number: Int): Long = hash << 32 | (number + 1)

  /** Whether a slot has the low half of this hash. */
  private def hasHash(slot: Long, hash: Long): Boolean = (slot >>> 32).toInt == hash.toInt

  /** The number in a slot; −1 if the slot is empty. */
  private def numberOf(slot: Long): Int = slot.toInt - 1

  private val randomSeed = ThreadLocalRandom.current().nextLong()

  /** Folds the halves of a 128-bit product for each sixteen bytes; the last sixteen bytes may be a part of two products. A
    * factor of zero would hide the other factor, so the secret seed is part of both.
    */
  private[block] def hashOf(array: Array[Byte], from: Int, length: Int, seed: Long): Long = {
    val begin = Platform.BYTE_ARRAY_OFFSET + from.toLong
    val end = begin + length
    var h = (java.lang.Long.rotateLeft(seed, 32) + length) * 0x9e3779b97f4a7c15L
    var a = 0L
    var b = 0L
    if (length >= 16) {
      var at = begin
      while (end - at > 16) {
        h = fold(Platform.getLong(array, at) ^ seed, Platform.getLong(array, at + 8) ^ h)
        at += 16
      }
      a = Platform.getLong(array, end - 16)
      b = Platform.getLong(array, end - 8)
    } else if (length >= 8) {
      a = Platform.getLong(array, begin)
      b = Platform.getLong(array, end - 8)
    } else if (length >= 4) {
      a = Platform.getInt(array, begin).toLong
      b = Platform.getInt(array, end - 4).toLong
    } else if (length > 0) {
      a = array(from).toLong
      b = ((array(from + (length >> 1)) & 0xff) << 8 | (array(from + length - 1) & 0xff)).toLong
    }
    h = fold(a ^ seed, b ^ h)
    h = (h ^ (h >>> 32)) * 0xd6e8feb86659fd93L
    h ^ (h >>> 32)
  }

  private def fold(a: Long, b: Long): Long = a * b ^ Math.multiplyHigh(a, b)
}
