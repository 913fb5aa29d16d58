package io.github.sparkbic.operator.block

import java.util.Arrays

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.UTF8String

/** Many names as one binary value of a row: for each name where it begins and how long it is, then the bytes of the names.
  * A name that comes again at once is there once. Spark copies such a value as a whole, and an array of names item by item.
  * @param expected bytes of the names
  */
private[sparkbic] final class NameColumn(count: Int, expected: Long) {
  import NameColumn._

  private var bytes = new Array[Byte](math.min(MaxBytes, count * PlaceSize + expected).toInt)
  private var used = count * PlaceSize
  private var added = 0

  /** Room for a name of at most so many bytes, which [[addedAt]] adds once they are written at [[end]]. */
  private[block] def room(length: Int): Array[Byte] = {
    if (used.toLong + length > bytes.length)
      bytes = Arrays.copyOf(
        bytes,
        math.min(MaxBytes, math.max(2L * bytes.length, used.toLong + length)).toInt
      )
    bytes
  }

  private[block] def end: Int = used

  private[block] def addedAt(length: Int): Unit = {
    place(used, length)
    used += length
  }

  def add(name: Array[Byte]): Unit = {
    System.arraycopy(name, 0, room(name.length), used, name.length)
    addedAt(name.length)
  }

  /** Adds the name that was added last. */
  def repeat(): Unit = place(start(bytes, added - 1), length(bytes, added - 1))

  def toBytes: Array[Byte] = if (used == bytes.length) bytes else Arrays.copyOf(bytes, used)

  private def place(start: Int, length: Int): Unit = {
    NameColumn.place(bytes, added, start, length)
    added += 1
  }
}

private[sparkbic] object NameColumn {
  private final val PlaceSize = 8
  private final val MaxBytes = Int.MaxValue - 8L

  /** A column of values that lie one after the other.
    * @param ends where each value ends
    */
  def of(values: Array[Byte], ends: Array[Int], count: Int): Array[Byte] = {
    val places = count * PlaceSize
    val length = if (count == 0) 0 else ends(count - 1)
    val column = new Array[Byte](places + length)
    var start = 0
    var i = 0
    while (i < count) {
      place(column, i, places + start, ends(i) - start)
      start = ends(i)
      i += 1
    }
    System.arraycopy(values, 0, column, places, length)
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
        if (
          end >= 0 && start(bytes, i) == end && length(bytes, i) >= 0 && length(
            bytes,
            i
          ) <= bytes.length - end
        )
          end + length(bytes, i)
        else -1
      }
      ends.reduce((_, last) => last) == bytes.length
    }
  }

  /** How many names a column has, which is not empty. */
  def count(column: Array[Byte]): Int = start(column, 0) / PlaceSize

  /** A view of the bytes of the column. */
  def name(column: Array[Byte], i: Int): UTF8String =
    UTF8String.fromAddress(
      column,
      Platform.BYTE_ARRAY_OFFSET + start(column, i).toLong,
      length(column, i)
    )

  private def place(column: Array[Byte], i: Int, start: Int, length: Int): Unit = {
    Platform.putInt(column, Platform.BYTE_ARRAY_OFFSET + i.toLong * PlaceSize, start)
    Platform.putInt(column, Platform.BYTE_ARRAY_OFFSET + i.toLong * PlaceSize + 4, length)
  }

  private def start(column: Array[Byte], i: Int): Int =
    Platform.getInt(column, Platform.BYTE_ARRAY_OFFSET + i.toLong * PlaceSize)

  private def length(column: Array[Byte], i: Int): Int =
    Platform.getInt(column, Platform.BYTE_ARRAY_OFFSET + i.toLong * PlaceSize + 4)
}
