package io.github.sparkbic.operator.block

import java.util.Arrays

import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.UTF8String

/** Names that wait to be looked up together, in [[NameTable.internAll]]: a loop that only peeks waits for many cache
  * lines at once, where one look-up after the other waits for each.
  *
  * Names are copied in one by one, since Spark overwrites what a row points to; or they are ranges of an array that is
  * there already. No allocation but when it grows; it begins with room for a few, as there may be a hundred thousand.
  */
private[operator] final class NameBatch {
  // Name i is bytes(starts(i) until starts(i) + lengths(i)).
  private[operator] var bytes = NameBatch.NoBytes
  private[operator] var starts = new Array[Int](NameBatch.FirstNames)
  private[operator] var lengths = new Array[Int](NameBatch.FirstNames)
  private[operator] var hashes = NameBatch.NoHashes

  /** The numbers of the names, after they were looked up. */
  private[operator] var numbers = new Array[Int](NameBatch.FirstNames)
  private var count = 0
  private var own = NameBatch.NoBytes
  private var used = 0

  def size: Int = count

  /** Whether they should be looked up now. */
  def isFull: Boolean = count == NameBatch.MaxNames || used >= NameBatch.MaxBytes

  /** The bytes copied in take as much memory. */
  def capacity: Int = own.length

  def clear(): Unit = {
    count = 0
    used = 0
  }

  /** Copies a name in. */
  def add(name: UTF8String): Unit = {
    val length = name.numBytes
    val end = Math.addExact(used, length)
    if (end > own.length)
      own = Arrays.copyOf(own, math.max(end, math.max(64, math.min(2 * own.length, 1 << 24))))
    name.getBaseObject match {
      case array: Array[Byte] =>
        System.arraycopy(array, (name.getBaseOffset - Platform.BYTE_ARRAY_OFFSET).toInt, own, used, length)
      case _ => name.writeToMemory(own, Platform.BYTE_ARRAY_OFFSET + used.toLong)
    }
    bytes = own
    put(used, length)
    used = end
  }

  /** Adds the name `array(from until from + length)`, which must not change before it is looked up. All names of a batch
    * are in one array.
    */
  def add(array: Array[Byte], from: Int, length: Int): Unit = {
    bytes = array
    put(from, length)
  }

  private def put(start: Int, length: Int): Unit = {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, 2 * count)
      lengths = Arrays.copyOf(lengths, 2 * count)
      numbers = new Array[Int](2 * count)
    }
    starts(count) = start
    lengths(count) = length
    count += 1
  }
}

private[operator] object NameBatch {

  /** An even number, as names of edges come in pairs. */
  final val MaxNames = 256
  private final val FirstNames = 8
  private final val MaxBytes = 1 << 15
  private val NoBytes = new Array[Byte](0)
  private val NoHashes = new Array[Long](0)
}
