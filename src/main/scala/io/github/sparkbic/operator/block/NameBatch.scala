package io.github.sparkbic.operator.block

import java.util.Arrays

import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.index.format.BinaryReader

/** Names that [[NameTable.internAll]] finds together: a loop that only prefetches waits for many cache lines at once, and
  * separate calls wait for each line in turn.
  * Names are copied in, since Spark overwrites the bytes behind a row. Memory is allocated only for growth. A batch begins
  * with room for few names, as there may be 100,000 batches.
  */
private[operator] final class NameBatch {
  // The code of name i is bytes(starts(i) until starts(i) + lengths(i)).
  private[operator] var bytes = Array.emptyByteArray
  private[operator] var starts, lengths = new Array[Int](NameBatch.FirstNames)
  private[operator] var hashes = Array.emptyLongArray

  /** The numbers of the names, filled in by [[NameTable.internAll]]. */
  private[operator] var numbers = new Array[Int](NameBatch.FirstNames)
  private var count = 0
  private var used = 0
  def size: Int = count

  /** Whether the batch must be interned before the next pair of names. */
  def isFull: Boolean = count == NameBatch.MaxNames || used >= NameBatch.MaxBytes

  def memory: Long = NameBatch.OwnMemory + bytes.length + 12L * starts.length + 8L * hashes.length

  def clear(): Unit = {
    count = 0
    used = 0
  }

  /** Copies a name in, as its [[NameCode]]. */
  def add(name: UTF8String): Unit = add(name.getBaseObject, name.getBaseOffset, name.numBytes)

  /** Copies in the name whose bytes lie at an offset of `base`, as its [[NameCode]]. */
  def add(base: AnyRef, offset: Long, length: Int): Unit = {
    makeRoom(length + NameCode.MaxGrowth)
    note(NameCode.put(base, offset, length, bytes, used))
  }

  /** Copies in the name whose code is `beginning` and so many bytes of `in`. */
  def add(beginning: Array[Byte], in: BinaryReader, length: Int): Unit = {
    makeRoom(beginning.length + length)
    System.arraycopy(beginning, 0, bytes, used, beginning.length)
    in.raw(bytes, used + beginning.length, length)
    note(beginning.length + length)
  }

  private def makeRoom(length: Int): Unit = {
    val end = Math.addExact(used, length)
    if (end > bytes.length)
      bytes = Arrays.copyOf(bytes, math.max(end, math.max(64, math.min(2 * bytes.length, 1 << 24))))
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, 2 * count)
      lengths = Arrays.copyOf(lengths, 2 * count)
      numbers = new Array[Int](2 * count)
    }
  }

  /** Notes that a code of this length was written. */
  private def note(length: Int): Unit = {
    starts(count) = used
    lengths(count) = length
    count += 1
    used += length
  }

  private[operator] def hash(seed: Long): Unit = {
    if (this.hashes.length < count) this.hashes = new Array[Long](this.starts.length)
    val (bytes, starts, lengths, hashes) = (this.bytes, this.starts, this.lengths, this.hashes)
    var i = 0
    while (i < count) {
      hashes(i) = NameTable.hashOf(bytes, starts(i), lengths(i), seed)
      i += 1
    }
  }
}

private[operator] object NameBatch {

  /** Even, as names of edges come in pairs. */
  final val MaxNames = 256
  private final val FirstNames = 8
  private final val OwnMemory = 160L
  private final val MaxBytes = 1 << 15
}
