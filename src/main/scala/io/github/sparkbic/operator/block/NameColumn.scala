package io.github.sparkbic.operator.block

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.unsafe.Platform

/** Many names as one binary value of a row: for each name where it begins and how long it is, then the bytes of the names.
  * A name that comes again at once is there once. Spark copies such a value as a whole, and an array of names item by item.
  */
private[sparkbic] object NameColumn {
  private final val PlaceSize = 8

  /** In place of the length of a name: it is the name before. */
  final val Repeated = -1

  /** A column of names that lie one after the other in the first `size` of some bytes. */
  def of(lengths: Array[Int], names: Array[Byte], size: Int): Array[Byte] = {
    val first = lengths.length * PlaceSize
    val column = new Array[Byte](Math.addExact(first, size))
    System.arraycopy(names, 0, column, first, size)
    var from = first
    var end = first
    var i = 0
    while (i < lengths.length) {
      if (lengths(i) != Repeated) {
        from = end
        end += lengths(i)
      }
      Platform.putInt(column, Platform.BYTE_ARRAY_OFFSET + i.toLong * PlaceSize, from)
      Platform.putInt(column, Platform.BYTE_ARRAY_OFFSET + i.toLong * PlaceSize + 4, end - from)
      i += 1
    }
    column
  }

  /** Has `row` view the bytes of a value, which are those of a row. */
  def point(row: UnsafeRow, column: Array[Byte], i: Int): Unit =
    row.pointTo(column, Platform.BYTE_ARRAY_OFFSET + start(column, i).toLong, length(column, i))

  /** Whether these bytes are those of [[of]], with a value or more. */
  def isColumn(bytes: Array[Byte]): Boolean = bytes.length >= PlaceSize && {
    val places = start(bytes, 0)
    places > 0 && places % PlaceSize == 0 && places <= bytes.length && {
      val ends = Iterator.range(0, places / PlaceSize).scanLeft(places) { (end, i) =>
        val size = length(bytes, i)
        if (end >= 0 && start(bytes, i) == end && size >= 0 && size <= bytes.length - end) end + size else -1
      }
      ends.reduce((_, last) => last) == bytes.length
    }
  }

  /** How many names a column has, which is not empty. */
  def count(column: Array[Byte]): Int = start(column, 0) / PlaceSize

  /** Where the bytes of a name begin. */
  def start(column: Array[Byte], i: Int): Int =
    Platform.getInt(column, Platform.BYTE_ARRAY_OFFSET + i.toLong * PlaceSize)

  def length(column: Array[Byte], i: Int): Int =
    Platform.getInt(column, Platform.BYTE_ARRAY_OFFSET + i.toLong * PlaceSize + 4)
}
