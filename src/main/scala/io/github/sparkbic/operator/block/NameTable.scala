package io.github.sparkbic.operator.block

import java.nio.charset.StandardCharsets.UTF_8
import java.util.Arrays
import java.util.concurrent.ThreadLocalRandom

import org.apache.spark.SparkEnv
import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.index.BinaryWriter

/** Numbers names 0, 1, 2 … in the order of their first appearance, exactly: equal hashes are told apart by the bytes,
  * which are those of [[NameCode]].
  *
  * Open addressing with linear probing over one `Array[Long]`, whose slots point to records: number, length and bytes of
  * a name, one after the other in one array. So a hit costs two places in memory, slot and record, which a [[NameBatch]]
  * fetches for many names at a time, and allocates nothing. Filled to 70 % at most: 24 to 39 bytes a name, and its bytes.
  * Half of a slot is a part of the hash, so that names that are others are mostly passed without a look at their records;
  * the hash is seeded, so that no input can be made to collide for all users. Names cannot be removed. Not thread safe.
  *
  * Slots are in the order of the hashes, the same in all tables with one seed. So names that come in this order
  * ([[inHashOrder]] of another table) are found by walking along the slots, and mostly along the records as well, since
  * those that came first lie in this order too: most look-ups find their lines in the cache. The price is that such names
  * crowd at the beginning of a table that is too small for all of them: [[reserve]] room first.
  *
  * @param expected names, if known
  */
private[operator] final class NameTable(seed: Long = NameTable.applicationSeed, expected: Int = 0) {
  import NameTable.{first, hasHash, lengthAt, numberAt, HeaderSize}

  private var shift = NameTable.shiftFor(expected)
  // The low half of a hash above where the record begins, plus one; zero in an empty slot.
  private var slots = new Array[Long](1 << (64 - shift))
  private var limit = NameTable.limitOf(slots)
  private var records = new Array[Byte](math.max(256, HeaderSize * expected))
  private var used = 0
  // Where the record of each number begins.
  private var starts = new Array[Int](limit)
  private var count = 0
  // What was peeked at, kept lest the compiler drops the peeking.
  private[operator] var peeked = 0L

  /** Names so far; their numbers are `0 until size`. */
  def size: Int = count

  /** Bytes of all names. */
  def totalBytes: Int = used - HeaderSize * count

  /** Bytes of memory that this takes. */
  def memory: Long = NameTable.OwnMemory + 8L * slots.length + records.length + 4L * starts.length

  /** The number of the name, which is copied if it is new: it is `size` as it was before the call then. */
  def intern(name: UTF8String): Int = intern(NameCode.of(name))

  /** The same for the code of a name. */
  def intern(code: Array[Byte]): Int = intern(code, 0, code.length)

  /** The same for a name of another table. */
  def intern(other: NameTable, number: Int): Int = {
    val record = other.starts(number)
    intern(other.records, record + HeaderSize, lengthAt(other.records, record))
  }

  /** Makes room for so many names in all. */
  def reserve(names: Int): Unit = {
    val wanted = NameTable.shiftFor(names)
    if (wanted < shift) enlarge(wanted)
  }

  /** Numbers all names of a batch, in their order. */
  def internAll(batch: NameBatch): Unit = {
    batch.hash(seed)
    val (names, from, lengths, hashes) = (batch.bytes, batch.starts, batch.lengths, batch.hashes)
    val numbers = batch.numbers
    val count = batch.size
    // One loop for each place in memory, with little else in it, so that the processor waits for many at once.
    peekAtSlots(hashes, count)
    val searched = slots
    peekAtRecords(hashes, numbers, count)
    var i = 0
    while (i < count) {
      // Where the search stopped is right as long as the slots are those that were searched: they only fill.
      val at = if (slots eq searched) numbers(i) else first(hashes(i), shift)
      numbers(i) = intern(names, from(i), lengths(i), hashes(i), at)
      i += 1
    }
  }

  /** The number of `name`, or -1 if it was never interned. */
  def find(name: UTF8String): Int = {
    val code = NameCode.of(name)
    val hash = NameBytes.hash(code, 0, code.length, seed)
    val at = slotOf(code, 0, code.length, hash, first(hash, shift))
    if (slots(at) == 0) -1 else numberAt(records, NameTable.recordOf(slots(at)))
  }

  /** The name with this number; a view of the bytes held here where they are those of the name. */
  def name(number: Int): UTF8String = {
    val record = starts(number)
    NameCode.decoded(records, record + HeaderSize, lengthAt(records, record))
  }

  /** As [[name]]s compare, by their UTF-8 bytes. */
  def compare(a: Int, b: Int): Int = {
    val (x, y) = (starts(a), starts(b))
    NameCode.compare(
      records,
      x + HeaderSize,
      lengthAt(records, x),
      y + HeaderSize,
      lengthAt(records, y)
    )
  }

  /** Appends the length of the code of the name with this number, and the code. */
  def save(number: Int, out: BinaryWriter): Unit = {
    val record = starts(number)
    val length = lengthAt(records, record)
    out.unsigned(length.toLong)
    out.raw(records, record + HeaderSize, length)
  }

  /** All numbers, by the hashes of their names. */
  def inHashOrder: Array[Int] = {
    val numbers = new Array[Int](count)
    var found = 0
    var i = 0
    while (i < slots.length) {
      if (slots(i) != 0) {
        numbers(found) = numberAt(records, NameTable.recordOf(slots(i)))
        found += 1
      }
      i += 1
    }
    numbers
  }

  private def peekAtSlots(hashes: Array[Long], count: Int): Unit = {
    val slots = this.slots
    val shift = this.shift
    var seen = 0L
    var i = 0
    while (i < count) {
      seen ^= slots(first(hashes(i), shift))
      i += 1
    }
    peeked = seen
  }

  /** Leaves in `found` where the search for each hash stops: mostly at the name, or the empty slot for it, seldom before.
    * Many names are not where the search for them begins, but on the same line or the next.
    */
  private def peekAtRecords(hashes: Array[Long], found: Array[Int], count: Int): Unit = {
    val slots = this.slots
    val shift = this.shift
    val records = this.records
    val mask = slots.length - 1
    var seen = 0
    var i = 0
    while (i < count) {
      val hash = hashes(i)
      var at = first(hash, shift)
      while (slots(at) != 0 && !hasHash(slots(at), hash)) at = (at + 1) & mask
      found(i) = at
      // An empty slot peeks at the first record. Short names may lie on two lines.
      val record = math.max(0, NameTable.recordOf(slots(at)))
      seen ^= records(record) ^ records(record + NameTable.Slack)
      i += 1
    }
    peeked = seen.toLong
  }

  private def intern(array: Array[Byte], from: Int, length: Int): Int = {
    val hash = NameBytes.hash(array, from, length, seed)
    intern(array, from, length, hash, first(hash, shift))
  }

  private def intern(array: Array[Byte], from: Int, length: Int, hash: Long, searchFrom: Int): Int = {
    val at = slotOf(array, from, length, hash, searchFrom)
    val slot = slots(at)
    if (slot != 0) numberAt(records, NameTable.recordOf(slot)) else add(array, from, length, hash, at)
  }

  /** Where the name is, or the empty slot where it would be.
    *
    * @param searchFrom where the search begins, or any place that it comes to
    */
  private def slotOf(array: Array[Byte], from: Int, length: Int, hash: Long, searchFrom: Int): Int = {
    val slots = this.slots
    val mask = slots.length - 1
    var at = searchFrom
    while (
      slots(at) != 0 &&
      !(hasHash(slots(at), hash) && equal(NameTable.recordOf(slots(at)), array, from, length))
    )
      at = (at + 1) & mask
    at
  }

  private def equal(record: Int, array: Array[Byte], from: Int, length: Int): Boolean =
    lengthAt(records, record) == length && NameBytes.equal(records, record + HeaderSize, array, from, length)

  private def add(array: Array[Byte], from: Int, length: Int, hash: Long, emptySlot: Int): Int = {
    val record = used
    val end = record.toLong + HeaderSize + length
    if (end > NameTable.MaxBytes)
      throw new IllegalStateException(
        s"the names of $count vertices of one graph take more than ${NameTable.MaxBytes} bytes; split it with `by`, " +
          "shorten the window, or give integral ids"
      )
    if (end + NameTable.Slack > records.length)
      records =
        Arrays.copyOf(
          records,
          math.min(
            NameTable.MaxBytes + NameTable.Slack,
            math.max(end + NameTable.Slack, 2L * records.length)
          ).toInt
        )
    val at = Platform.BYTE_ARRAY_OFFSET + record.toLong
    Platform.putInt(records, at, count)
    Platform.putInt(records, at + 4, length)
    System.arraycopy(array, from, records, record + HeaderSize, length)
    used = end.toInt
    // There are fewer names than slots at the most, as each takes bytes.
    if (count == limit) {
      enlarge(shift - 1)
      slots(NameTable.emptySlot(slots, hash, shift)) = NameTable.slot(hash, record)
    } else slots(emptySlot) = NameTable.slot(hash, record)
    starts(count) = record
    count += 1
    count - 1
  }

  private def enlarge(smallerShift: Int): Unit = {
    shift = smallerShift
    val larger = new Array[Long](1 << (64 - shift))
    var i = 0
    while (i < count) {
      val record = starts(i)
      val hash = NameBytes.hash(records, record + HeaderSize, lengthAt(records, record), seed)
      larger(NameTable.emptySlot(larger, hash, shift)) = NameTable.slot(hash, record)
      i += 1
    }
    slots = larger
    limit = NameTable.limitOf(larger)
    starts = Arrays.copyOf(starts, limit)
  }
}

private[operator] object NameTable {

  /** Number and length of a name, before its bytes. */
  private final val HeaderSize = 8

  private val MaxSlots: Int = 1 << 29

  private final val OwnMemory = 128L

  /** Bytes after the last record, so that one can be read so far from the beginning of any. */
  private final val Slack = 24

  private val MaxBytes: Long = Int.MaxValue - 8L - Slack

  private def limitOf(slots: Array[Long]): Int = (slots.length * 7L / 10).toInt

  /** 64 minus log2 of the number of slots at which `expected` names stay below the limit. */
  private def shiftFor(expected: Int): Int =
    java.lang.Long.numberOfLeadingZeros(math.min(MaxSlots, math.max(16L, expected * 10L / 7 + 1)) - 1)

  /** Where the search for a hash begins. */
  private def first(hash: Long, shift: Int): Int = (hash >>> shift).toInt

  private def slot(hash: Long, record: Int): Long = hash << 32 | (record + 1)

  /** Whether a slot holds the half of this hash that slots have. */
  private def hasHash(slot: Long, hash: Long): Boolean = (slot >>> 32).toInt == hash.toInt

  /** Where the record of a slot begins; -1 if it is empty. */
  private def recordOf(slot: Long): Int = slot.toInt - 1

  private def numberAt(records: Array[Byte], record: Int): Int =
    Platform.getInt(records, Platform.BYTE_ARRAY_OFFSET + record.toLong)

  private def lengthAt(records: Array[Byte], record: Int): Int =
    Platform.getInt(records, Platform.BYTE_ARRAY_OFFSET + record.toLong + 4)

  private def emptySlot(slots: Array[Long], hash: Long, shift: Int): Int = {
    val mask = slots.length - 1
    var at = first(hash, shift)
    while (slots(at) != 0) at = (at + 1) & mask
    at
  }

  /** One seed for all tables of an application, which nobody knows before it runs: so names leave one task in the order
    * in which the next one finds them quickly. What is found does not depend on it.
    */
  private def applicationSeed: Long =
    Option(SparkEnv.get).flatMap(_.conf.getOption("spark.app.id")).fold(randomSeed) { id =>
      val bytes = id.getBytes(UTF_8)
      NameBytes.hash(bytes, 0, bytes.length, 0x9e3779b97f4a7c15L)
    }

  private val randomSeed = ThreadLocalRandom.current().nextLong()
}
