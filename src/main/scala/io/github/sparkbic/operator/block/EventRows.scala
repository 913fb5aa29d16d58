package io.github.sparkbic.operator.block

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

/** Gathers events of one pane into one binary value: a [[NameColumn]] of the bytes in which Spark holds the rows. So every
  * type of column comes back as it was.
  */
private[operator] final class EventRows {
  private val rows = mutable.ArrayBuffer.empty[Array[Byte]]
  private var bytes = 0

  def add(row: UnsafeRow): Unit = {
    // The bytes of the row itself may be a buffer of Spark's.
    rows += row.copy().getBytes
    bytes += row.getSizeInBytes
  }

  /** The bytes of the rows. */
  def size: Int = bytes

  def isFull: Boolean = rows.size == EventRows.MostRows || size >= EventRows.MostBytes

  def toColumn: Array[Byte] = {
    val column = new NameColumn.Builder(rows.size, size / math.max(1, rows.size) + 1)
    rows.foreach(row => column.add(row, 0, row.length))
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
