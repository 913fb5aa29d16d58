package io.github.sparkbic.operator.block

import java.util.Arrays
import java.util.concurrent.ThreadLocalRandom

import org.apache.spark.sql.catalyst.expressions.XXH64
import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.array.ByteArrayMethods
import org.apache.spark.unsafe.types.UTF8String

/** Numbers strings 0, 1, 2 … in the order of their first appearance, exactly: equal hashes are told apart by the bytes.
  *
  * Open addressing with linear probing over one `Array[Long]`, in which the hash of a name and its number are
  * neighbours; the bytes of all names lie one after the other in one array. So a hit costs three cache lines (slot, start
  * and bytes) and allocates nothing. Filled to 70 % at most: 27 to 50 bytes a name, and its bytes. The hash has 64 bits,
  * so that slots of other names are passed without a look at their bytes, and is seeded, so that no input can be made to
  * collide for all users. Names cannot be removed. Not thread safe.
  */
private[operator] final class NameTable(seed: Long = ThreadLocalRandom.current().nextLong()) {
  // slots(2i) is a hash, slots(2i + 1) the number plus one of the name that has it, zero in an empty slot.
  private var slots = new Array[Long](32)
  private var limit = NameTable.limitOf(slots)
  // Name n lies in bytes from starts(n) until starts(n + 1).
  private var starts = new Array[Int](limit + 1)
  private var bytes = new Array[Byte](256)
  private var count = 0

  /** Names so far; their numbers are `0 until size`. */
  def size: Int = count

  /** The number of `name`, whose bytes are copied if it is new: it is `size` as it was before the call then. */
  def intern(name: UTF8String): Int = intern(name.getBaseObject, name.getBaseOffset, name.numBytes)

  /** The same for bytes that lie in an array. */
  def intern(array: Array[Byte], from: Int, length: Int): Int =
    intern(array, Platform.BYTE_ARRAY_OFFSET + from.toLong, length)

  /** The number of `name`, or -1 if it was never interned. */
  def find(name: UTF8String): Int = {
    val hash = XXH64.hashUnsafeBytes(name.getBaseObject, name.getBaseOffset, name.numBytes, seed)
    val at = slotOf(name.getBaseObject, name.getBaseOffset, name.numBytes, hash)
    (slots(at + 1) - 1).toInt
  }

  /** The name with this number, as a view of the bytes held here. */
  def name(number: Int): UTF8String =
    UTF8String.fromBytes(bytes, starts(number), starts(number + 1) - starts(number))

  private def intern(base: AnyRef, offset: Long, length: Int): Int = {
    val hash = XXH64.hashUnsafeBytes(base, offset, length, seed)
    val at = slotOf(base, offset, length, hash)
    val number = slots(at + 1)
    if (number != 0) (number - 1).toInt else add(base, offset, length, hash)
  }

  /** Where the name is, or the empty slot where it would be. */
  private def slotOf(base: AnyRef, offset: Long, length: Int, hash: Long): Int = {
    val slots = this.slots
    val mask = slots.length - 1
    var at = (hash.toInt << 1) & mask
    while (
      slots(at + 1) != 0 && !(slots(at) == hash && equal((slots(at + 1) - 1).toInt, base, offset, length))
    ) at = (at + 2) & mask
    at
  }

  private def equal(number: Int, base: AnyRef, offset: Long, length: Int): Boolean = {
    val start = starts(number)
    starts(number + 1) - start == length &&
    ByteArrayMethods.arrayEquals(
      base,
      offset,
      bytes,
      Platform.BYTE_ARRAY_OFFSET + start.toLong,
      length.toLong
    )
  }

  private def add(base: AnyRef, offset: Long, length: Int, hash: Long): Int = {
    if (count == limit) grow()
    val start = starts(count)
    val end = start.toLong + length
    if (end > NameTable.MaxBytes)
      throw new IllegalStateException(
        s"the names of $count vertices of one graph take more than ${NameTable.MaxBytes} bytes; split it with `by`, " +
          "shorten the window, or give integral ids"
      )
    if (end > bytes.length)
      bytes = Arrays.copyOf(bytes, math.min(NameTable.MaxBytes, math.max(end, 2L * bytes.length)).toInt)
    Platform.copyMemory(base, offset, bytes, Platform.BYTE_ARRAY_OFFSET + start.toLong, length.toLong)
    count += 1
    starts(count) = end.toInt
    put(slots, hash, count.toLong)
    count - 1
  }

  private def put(slots: Array[Long], hash: Long, number: Long): Unit = {
    val mask = slots.length - 1
    var at = (hash.toInt << 1) & mask
    while (slots(at + 1) != 0) at = (at + 2) & mask
    slots(at) = hash
    slots(at + 1) = number
  }

  private def grow(): Unit = {
    if (slots.length >= NameTable.MaxSlots)
      throw new IllegalStateException(
        s"more than $count vertices in one graph; split it with `by` or shorten the window"
      )
    val larger = new Array[Long](slots.length * 2)
    var i = 0
    while (i < slots.length) {
      if (slots(i + 1) != 0) put(larger, slots(i), slots(i + 1))
      i += 2
    }
    slots = larger
    limit = NameTable.limitOf(larger)
    starts = Arrays.copyOf(starts, limit + 1)
  }
}

private object NameTable {
  val MaxSlots: Int = 1 << 30

  val MaxBytes: Long = Int.MaxValue - 16L

  private def limitOf(slots: Array[Long]): Int = ((slots.length >> 1) * 7L / 10).toInt
}
