package io.github.sparkbic.operator.block

import java.nio.charset.StandardCharsets.UTF_8
import java.util.Arrays
import java.util.concurrent.ThreadLocalRandom

import org.apache.spark.SparkEnv
import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.index.BinaryWriter

/** Numbers strings 0, 1, 2 … in the order of their first appearance, exactly: equal hashes are told apart by the bytes.
  *
  * Open addressing with linear probing over one `Array[Long]`, in which the hash of a name and its number are
  * neighbours; the bytes of all names lie one after the other in one array. So a hit costs three cache lines (slot, start
  * and bytes), which a [[NameBatch]] fetches for many names at a time, and allocates nothing. Filled to 70 % at most: 27
  * to 50 bytes a name, and its bytes. The hash has 64 bits, so that slots of other names are passed without a look at
  * their bytes, and is seeded, so that no input can be made to collide for all users. Names cannot be removed. Not thread
  * safe.
  *
  * Slots are in the order of the hashes, the same in all tables with one seed. So names that come in this order
  * ([[inHashOrder]] of another table) are found by walking along the slots, and mostly along the bytes as well, since
  * those that came first lie in this order too: most look-ups find their lines in the cache. The price is that such names
  * crowd at the beginning of a table that is too small for all of them: [[reserve]] room first.
  *
  * @param expected names, if known
  */
private[operator] final class NameTable(seed: Long = NameTable.applicationSeed, expected: Int = 0) {
  private var shift = NameTable.shiftFor(expected)
  // slots(2i) is a hash, slots(2i + 1) the number plus one of the name that has it, zero in an empty slot.
  private var slots = new Array[Long](2 << (64 - shift))
  private var limit = NameTable.limitOf(slots)
  // Name n lies in bytes from starts(n) until starts(n + 1).
  private var starts = new Array[Int](limit + 1)
  private var bytes = new Array[Byte](math.max(256, expected))
  private var count = 0
  // What was peeked at, kept lest the compiler drops the peeking.
  private[operator] var peeked = 0L

  /** Names so far; their numbers are `0 until size`. */
  def size: Int = count

  /** Bytes of all names. */
  def totalBytes: Int = starts(count)

  /** The number of the name, whose bytes are copied if it is new: it is `size` as it was before the call then. */
  def intern(array: Array[Byte], from: Int, length: Int): Int =
    intern(array, from, length, NameTable.hash(array, from, length, seed))

  def intern(name: UTF8String): Int = {
    val bytes = name.getBytes
    intern(bytes, 0, bytes.length)
  }

  /** The same for a name of another table. */
  def intern(other: NameTable, number: Int): Int =
    intern(other.bytes, other.starts(number), other.starts(number + 1) - other.starts(number))

  /** Makes room for so many names in all. */
  def reserve(names: Int): Unit = {
    val wanted = NameTable.shiftFor(names)
    if (wanted < shift) enlarge(wanted)
  }

  /** Numbers all names of a batch, in their order. */
  def internAll(batch: NameBatch): Unit = {
    val count = batch.size
    if (batch.hashes.length < count) batch.hashes = new Array[Long](batch.starts.length)
    val (names, from, lengths, hashes) = (batch.bytes, batch.starts, batch.lengths, batch.hashes)
    val numbers = batch.numbers
    peekAtSlots(names, from, lengths, hashes, count)
    findHashes(hashes, numbers, count)
    peekAtBytes(numbers, count)
    var i = 0
    while (i < count) {
      val likely = numbers(i)
      if (likely < 0 || !equal(likely, names, from(i), lengths(i)))
        numbers(i) = intern(names, from(i), lengths(i), hashes(i))
      i += 1
    }
  }

  /** The number of `name`, or -1 if it was never interned. */
  def find(name: UTF8String): Int = {
    val bytes = name.getBytes
    val at = slotOf(bytes, 0, bytes.length, NameTable.hash(bytes, 0, bytes.length, seed))
    (slots(at + 1) - 1).toInt
  }

  /** The name with this number, as a view of the bytes held here. */
  def name(number: Int): UTF8String =
    UTF8String.fromBytes(bytes, starts(number), starts(number + 1) - starts(number))

  /** Appends the length of the name with this number, and its bytes. */
  def save(number: Int, out: BinaryWriter): Unit = {
    val start = starts(number)
    val length = starts(number + 1) - start
    out.unsigned(length.toLong)
    out.raw(bytes, start, length)
  }

  /** All numbers, by the hashes of their names. */
  def inHashOrder: Array[Int] = {
    val numbers = new Array[Int](count)
    var found = 0
    var i = 1
    while (i < slots.length) {
      if (slots(i) != 0) {
        numbers(found) = (slots(i) - 1).toInt
        found += 1
      }
      i += 2
    }
    numbers
  }

  private def peekAtSlots(
      names: Array[Byte],
      from: Array[Int],
      lengths: Array[Int],
      hashes: Array[Long],
      count: Int
  ): Unit = {
    val slots = this.slots
    val shift = this.shift
    var seen = 0L
    var i = 0
    while (i < count) {
      val hash = NameTable.hash(names, from(i), lengths(i), seed)
      hashes(i) = hash
      seen ^= slots(NameTable.first(hash, shift))
      i += 1
    }
    peeked = seen
  }

  /** The first name with each hash, mostly the one that is looked for; -1 where there is none. Many names are not where
    * the search for them begins, but on the same line or the next.
    */
  private def findHashes(hashes: Array[Long], numbers: Array[Int], count: Int): Unit = {
    val slots = this.slots
    val shift = this.shift
    val starts = this.starts
    val mask = slots.length - 1
    var seen = 0
    var i = 0
    while (i < count) {
      val hash = hashes(i)
      var at = NameTable.first(hash, shift)
      while (slots(at) != hash && slots(at + 1) != 0) at = (at + 2) & mask
      val number = slots(at + 1).toInt
      numbers(i) = number - 1
      seen ^= starts(number)
      i += 1
    }
    peeked = seen.toLong
  }

  private def peekAtBytes(numbers: Array[Int], count: Int): Unit = {
    val starts = this.starts
    val bytes = this.bytes
    var seen = 0
    var i = 0
    while (i < count) {
      val number = numbers(i)
      if (number >= 0) {
        val start = starts(number)
        val end = starts(number + 1)
        // The first and the last byte, as a name may lie on two lines.
        if (end > start) seen ^= bytes(start) ^ bytes(end - 1)
      }
      i += 1
    }
    peeked = seen.toLong
  }

  private def intern(array: Array[Byte], from: Int, length: Int, hash: Long): Int = {
    val at = slotOf(array, from, length, hash)
    val number = slots(at + 1)
    if (number != 0) (number - 1).toInt else add(array, from, length, hash, at)
  }

  /** Where the name is, or the empty slot where it would be. */
  private def slotOf(array: Array[Byte], from: Int, length: Int, hash: Long): Int = {
    val slots = this.slots
    val mask = slots.length - 1
    var at = NameTable.first(hash, shift)
    while (
      slots(at + 1) != 0 && !(slots(at) == hash && equal((slots(at + 1) - 1).toInt, array, from, length))
    )
      at = (at + 2) & mask
    at
  }

  private def equal(number: Int, array: Array[Byte], from: Int, length: Int): Boolean = {
    val start = starts(number)
    val end = starts(number + 1)
    end - start == length && Arrays.equals(bytes, start, end, array, from, from + length)
  }

  private def add(array: Array[Byte], from: Int, length: Int, hash: Long, emptySlot: Int): Int = {
    val start = starts(count)
    val end = start.toLong + length
    if (end > NameTable.MaxBytes)
      throw new IllegalStateException(
        s"the names of $count vertices of one graph take more than ${NameTable.MaxBytes} bytes; split it with `by`, " +
          "shorten the window, or give integral ids"
      )
    if (end > bytes.length)
      bytes = Arrays.copyOf(bytes, math.min(NameTable.MaxBytes, math.max(end, 2L * bytes.length)).toInt)
    System.arraycopy(array, from, bytes, start, length)
    var at = emptySlot
    if (count == limit) {
      grow()
      at = NameTable.emptySlot(slots, hash, shift)
    }
    count += 1
    starts(count) = end.toInt
    slots(at) = hash
    slots(at + 1) = count.toLong
    count - 1
  }

  private def grow(): Unit = {
    if (slots.length >= NameTable.MaxSlots)
      throw new IllegalStateException(
        s"more than $count vertices in one graph; split it with `by` or shorten the window"
      )
    enlarge(shift - 1)
  }

  private def enlarge(smallerShift: Int): Unit = {
    shift = smallerShift
    val larger = new Array[Long](2 << (64 - shift))
    var i = 0
    while (i < slots.length) {
      if (slots(i + 1) != 0) {
        val at = NameTable.emptySlot(larger, slots(i), shift)
        larger(at) = slots(i)
        larger(at + 1) = slots(i + 1)
      }
      i += 2
    }
    slots = larger
    limit = NameTable.limitOf(larger)
    starts = Arrays.copyOf(starts, limit + 1)
  }
}

private[operator] object NameTable {

  /** The memory that a table and names that wait for it take, in vertices of some 60 bytes; the bytes of short names are
    * among these.
    */
  def weight(table: NameTable, waiting: NameBatch): Int =
    table.size + (table.totalBytes >> 6) + (waiting.capacity >> 6)

  private val MaxSlots: Int = 1 << 30

  private val MaxBytes: Long = Int.MaxValue - 16L

  private def limitOf(slots: Array[Long]): Int = ((slots.length >> 1) * 7L / 10).toInt

  /** 64 minus log2 of the number of slots at which `expected` names stay below the limit. */
  private def shiftFor(expected: Int): Int =
    java.lang.Long.numberOfLeadingZeros(math.min(MaxSlots >> 1, math.max(16L, expected * 10L / 7 + 1)) - 1)

  /** Where the search for a hash begins. */
  private def first(hash: Long, shift: Int): Int = (hash >>> shift).toInt << 1

  private def emptySlot(slots: Array[Long], hash: Long, shift: Int): Int = {
    val mask = slots.length - 1
    var at = first(hash, shift)
    while (slots(at + 1) != 0) at = (at + 2) & mask
    at
  }

  /** One seed for all tables of an application, which nobody knows before it runs: so names leave one task in the order
    * in which the next one finds them quickly. What is found does not depend on it.
    */
  private def applicationSeed: Long =
    Option(SparkEnv.get).flatMap(_.conf.getOption("spark.app.id")).fold(randomSeed) { id =>
      val bytes = id.getBytes(UTF_8)
      hash(bytes, 0, bytes.length, 0x9e3779b97f4a7c15L)
    }

  private val randomSeed = ThreadLocalRandom.current().nextLong()

  /** Sixteen bytes at a time, both halves of a 128-bit product folded into one; the last sixteen overlap those before.
    * A factor that is zero hides the other one, so the seed, which nobody knows, is part of both.
    */
  private[operator] def hash(array: Array[Byte], from: Int, length: Int, seed: Long): Long = {
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
