package io.github.sparkbic.operator.block

import java.util.BitSet
import java.util.concurrent.ThreadLocalRandom

import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.index.kernels.Prefetch

/** Numbers names 0, 1, 2 … in the order of their first appearance; the lowest number of a removed name comes first. The
  * numbering is exact: names with equal hashes are compared by the bytes of their [[NameCode]]. Not thread safe.
  *
  * Open addressing with linear probing over one `Array[Int]`, whose slots hold numbers. So finding a name touches two places:
  * its slot, and the cell of its code in [[NameCodes]]; a long code is a third. All are prefetched for the names of a
  * [[NameBatch]], and nothing is allocated. The slot of a removed name stays until the slots are filled anew. Searches pass
  * over it, or find the name that has its number now.
  *
  * The load factor is at most 70 %: 6 to 12 bytes a name if none was removed, beside [[NameCodes]]. The bits of a slot that
  * its number does not need hold bits of the hash, so that probing rarely reads the code of another name. The hash has a
  * random seed: no input can make names collide for all users.
  */
private[operator] final class NameTable(seed: Long = NameTable.randomSeed) {
  import NameTable._

  private[block] val codes = new NameCodes
  private var shift = shiftFor(0)
  // As many low bits as number the slots hold the number plus one, and those above the low bits of the hash; zero if empty.
  private var slots = new Array[Int](1 << (64 - shift))
  // Slots that are not empty, and how many may be.
  private var used = 0
  private var limit = limitOf(slots)

  /** Names held. Their numbers are `0 until size` if no name has been removed. */
  def size: Int = codes.size
  def memory: Long = OwnMemory + 4L * slots.length + codes.memory

  /** Adds a new name, of this code and with a number that is above all others. Gives whether the name is new. */
  def append(array: Array[Byte], from: Int, length: Int, number: Int): Boolean = {
    reserve(number + 1)
    val hash = hashOf(array, from, length, seed)
    val at = find(array, from, length, hash, first(hash, shift))
    val isNew = slots(at) == 0
    if (isNew) fill(at, hash, codes.add(number, array, from, length)): Unit
    isNew
  }

  /** Makes room in the slots for so many names in all. */
  def reserve(names: Int): Unit = {
    val wanted = shiftFor(names)
    if (wanted < shift) rehash(wanted)
  }

  /** Removes all names but those of these numbers. */
  def retain(kept: BitSet): Unit = {
    codes.foreach(number => if (!kept.get(number)) codes.remove(number))
    val isCompacted = codes.compact()
    // A number must fit in the bits of a slot that are for numbers.
    val least = shiftFor(codes.numberLimit)
    if (least > shift + 2) rehash(least - 1) else if (isCompacted) rehash(shift)
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
    prefetchCells(hashes, numbers, count)
    if (codes.hasOverflow) prefetchCodes(numbers, count)
    var i = 0
    while (i < count) {
      // No name is removed here, so a search may continue where the prefetching stopped, unless the slots were filled anew.
      val at = if (slots eq searched) numbers(i) else first(hashes(i), shift)
      numbers(i) = intern(names, from(i), lengths(i), hashes(i), at)
      i += 1
    }
  }

  /** The number of `name`, or -1 if it was never interned. */
  def find(name: UTF8String): Int = {
    val code = NameCode.of(name)
    val hash = hashOf(code, 0, code.length, seed)
    numberOf(slots(find(code, 0, code.length, hash, first(hash, shift))), slots.length - 1)
  }

  private def prefetchSlots(hashes: Array[Long], count: Int): Unit = {
    val slots = this.slots
    val shift = this.shift
    var sum = 0
    var i = 0
    while (i < count) {
      sum ^= slots(first(hashes(i), shift))
      i += 1
    }
    Prefetch.keep(sum.toLong)
  }

  /** Sets `found` to the slots where each name may be: mostly the slot of the name, or the empty slot for a new name. The
    * slot of a name is mostly on the cache line where probing begins, or on the next line.
    */
  private def prefetchCells(hashes: Array[Long], found: Array[Int], count: Int): Unit = {
    val slots = this.slots
    val shift = this.shift
    val cells = codes.cells
    val width = codes.width
    val mask = slots.length - 1
    var sum = 0
    var i = 0
    while (i < count) {
      val tag = hashes(i).toInt << (64 - shift)
      var at = first(hashes(i), shift)
      while (slots(at) != 0 && !hasTag(slots(at), tag, mask)) at = (at + 1) & mask
      found(i) = at
      // An empty slot prefetches the first cell. A cell may lie on two cache lines.
      val cell = width * math.max(0, numberOf(slots(at), mask))
      sum ^= cells(cell) ^ cells(cell + width - 1)
      i += 1
    }
    Prefetch.keep(sum.toLong)
  }

  private def prefetchCodes(found: Array[Int], count: Int): Unit = {
    val mask = slots.length - 1
    var sum = 0L
    var i = 0
    while (i < count) {
      sum ^= codes.readAhead(math.max(0, numberOf(slots(found(i)), mask)))
      i += 1
    }
    Prefetch.keep(sum)
  }

  private def intern(array: Array[Byte], from: Int, length: Int, hash: Long, searchFrom: Int): Int = {
    val at = find(array, from, length, hash, searchFrom)
    if (slots(at) != 0) numberOf(slots(at), slots.length - 1)
    else {
      val free =
        if (used < limit) at
        else {
          // Many slots may be of removed names. Numbers stay below 2^27^, so 2^28^ slots suffice.
          rehash(if (codes.size > limit / 3 * 2) shift - 1 else shift)
          find(array, from, length, hash, first(hash, shift))
        }
      fill(free, hash, codes.add(array, from, length))
    }
  }

  /** The slot of the name, or the empty slot where it would be.
    * @param searchFrom the first slot of the hash, or a later slot that probing reaches before the name
    */
  private def find(array: Array[Byte], from: Int, length: Int, hash: Long, searchFrom: Int): Int = {
    val slots = this.slots
    val mask = slots.length - 1
    val tag = hash.toInt << (64 - shift)
    var at = searchFrom
    while (
      slots(at) != 0 &&
      !(hasTag(slots(at), tag, mask) && codes.isCode(numberOf(slots(at), mask), array, from, length))
    )
      at = (at + 1) & mask
    at
  }

  /** Fills new slots with the numbers of all names. */
  private def rehash(wanted: Int): Unit = {
    slots = new Array[Int](1 << (64 - wanted))
    shift = wanted
    used = 0
    limit = limitOf(slots)
    val numbers = new Array[Int](math.min(codes.size, NameBatch.MaxNames))
    val hashes = new Array[Long](numbers.length)
    var count = 0
    codes.foreach { number =>
      if (count == numbers.length) {
        fillAll(numbers, hashes, count)
        count = 0
      }
      numbers(count) = number
      hashes(count) = codes.hash(number, seed)
      count += 1
    }
    fillAll(numbers, hashes, count)
  }

  /** Fills slots with the numbers of names that the slots lack, of these hashes. */
  private def fillAll(numbers: Array[Int], hashes: Array[Long], count: Int): Unit = {
    prefetchSlots(hashes, count)
    val mask = slots.length - 1
    var i = 0
    while (i < count) {
      var at = first(hashes(i), shift)
      while (slots(at) != 0) at = (at + 1) & mask
      fill(at, hashes(i), numbers(i))
      i += 1
    }
  }

  /** Fills an empty slot, and returns the number. */
  private def fill(at: Int, hash: Long, number: Int): Int = {
    slots(at) = hash.toInt << (64 - shift) | (number + 1)
    used += 1
    number
  }
}

private[operator] object NameTable {

  private final val MaxSlots = 1 << 28

  /** Bytes that a number takes at most, whether or not it has a name: a cell, and three slots. */
  final val MaxBytesOfNumber = NameCodes.MaxWidth + 12
  private final val OwnMemory = 240L

  private def limitOf(slots: Array[Int]): Int = (slots.length * 7L / 10).toInt

  /** 64 − log2 of the number of slots that `expected` names need. */
  private def shiftFor(expected: Int): Int =
    java.lang.Long.numberOfLeadingZeros(math.min(MaxSlots, math.max(16L, expected * 10L / 7 + 1)) - 1)

  /** The slot where probing for a hash begins. */
  private def first(hash: Long, shift: Int): Int = (hash >>> shift).toInt

  private def hasTag(slot: Int, tag: Int, mask: Int): Boolean = ((slot ^ tag) & ~mask) == 0

  /** The number in a slot; −1 if the slot is empty. */
  private def numberOf(slot: Int, mask: Int): Int = (slot & mask) - 1

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
