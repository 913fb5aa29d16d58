package io.github.sparkbic.operator.block

import java.util.Arrays

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.unsafe.Platform

/** Many values as one binary value of a row: for each value where it begins and how long it is, then the bytes of the values.
  * A value that comes again at once is there once. Spark copies such a value as a whole, and an array item by item. Values
  * are the codes of names ([[NameCode]]), or events ([[EventRows]]).
  */
private[sparkbic] object NameColumn {
  private final val PlaceSize = 8

  /** Writes a column of `count` values, in their order.
    * @param expected the bytes of a value, roughly
    */
  final class Builder(count: Int, expected: Int) {
    private var column = new Array[Byte](Math.multiplyExact(count, PlaceSize + expected))
    private var place = 0
    private var from, end = count * PlaceSize

    /** Adds the value `bytes(start until start + length)`. */
    def add(bytes: Array[Byte], start: Int, length: Int): Unit = {
      from = end
      end = Math.addExact(end, length)
      if (end > column.length) column = Arrays.copyOf(column, (end + end / 4L).min(Int.MaxValue - 8L).toInt)
      System.arraycopy(bytes, start, column, from, length)
      repeat()
    }

    /** Adds the value before once more. */
    def repeat(): Unit = {
      Platform.putInt(column, Platform.BYTE_ARRAY_OFFSET + place.toLong, from)
      Platform.putInt(column, Platform.BYTE_ARRAY_OFFSET + place.toLong + 4, end - from)
      place += PlaceSize
    }

    def toBytes: Array[Byte] = Arrays.copyOf(column, end)
  }

  /** Has `row` view the bytes of a value, which are those of a row. */
  def point(row: UnsafeRow, column: Array[Byte], i: Int): Unit =
    row.pointTo(column, Platform.BYTE_ARRAY_OFFSET + start(column, i).toLong, length(column, i))

  /** Whether these bytes are those of a [[Builder]], with a value or more. */
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

  /** How many values a column has, which is not empty. */
  def count(column: Array[Byte]): Int = start(column, 0) / PlaceSize

  /** Start and length of a value as one number. */
  def place(column: Array[Byte], i: Int): Long =
    Platform.getLong(column, Platform.BYTE_ARRAY_OFFSET + i.toLong * PlaceSize)

  /** Where the bytes of a value begin. */
  def start(column: Array[Byte], i: Int): Int =
    Platform.getInt(column, Platform.BYTE_ARRAY_OFFSET + i.toLong * PlaceSize)

  def length(column: Array[Byte], i: Int): Int =
    Platform.getInt(column, Platform.BYTE_ARRAY_OFFSET + i.toLong * PlaceSize + 4)
}
