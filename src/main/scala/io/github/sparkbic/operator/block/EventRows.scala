package io.github.sparkbic.operator.block

import java.util.Arrays

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.unsafe.Platform

/** Gathers events of one pane into one binary value: a [[NameColumn]] of the bytes in which Spark holds the rows. So every
  * type of column comes back as it was, and a row costs one copy.
  */
private[operator] final class EventRows {
  private var bytes = new Array[Byte](256)
  private var lengths = new Array[Int](4)
  private var count = 0
  private var used = 0

  def add(row: UnsafeRow): Unit = {
    val length = row.getSizeInBytes
    val until = used + length
    if (until > bytes.length) bytes = Arrays.copyOf(bytes, math.max(until, 2 * bytes.length))
    if (count == lengths.length) lengths = Arrays.copyOf(lengths, 2 * count)
    row.writeToMemory(bytes, Platform.BYTE_ARRAY_OFFSET + used.toLong)
    used = until
    lengths(count) = length
    count += 1
  }

  /** The bytes of the rows. */
  def size: Int = used

  def isFull: Boolean = count == EventRows.MostRows || size >= EventRows.MostBytes

  def toColumn: Array[Byte] = {
    val column = new NameColumn.Builder(count, used / math.max(1, count) + 1)
    var start = 0
    (0 until count).foreach { i =>
      column.add(bytes, start, lengths(i))
      start += lengths(i)
    }
    column.toBytes
  }
}

private[operator] object EventRows {

  /** Rows of a block: some 64 KiB for two columns of integral answers. */
  final val MostRows = 4096

  /** Bytes of a block, from which on no further row is added. */
  final val MostBytes = 1 << 20

  /** What a block takes in memory beside its rows. */
  final val Weight = 512
}
