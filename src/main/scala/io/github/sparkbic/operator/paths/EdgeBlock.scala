package io.github.sparkbic.operator.paths

import java.nio.{ByteBuffer, ByteOrder}
import java.util.Arrays

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.util.GenericArrayData
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

/** Edges of one window in one task: sources, targets and times one after the other. String ids are places in `names`. */
private[paths] final class EdgeBlock(strings: Boolean) {
  private var numbers = new Array[Long](3 * 16)
  private var used = 0
  private var nullRows = 0L
  private lazy val names = new NameNumbers

  /** Counts an edge with a null endpoint. */
  def addNull(): Unit = nullRows += 1

  def add(source: Long, target: Long, time: Long): Unit = {
    if (used == numbers.length) numbers = Arrays.copyOf(numbers, 2 * used)
    numbers(used) = source
    numbers(used + 1) = target
    numbers(used + 2) = time
    used += 3
  }

  def add(source: UTF8String, target: UTF8String, time: Long): Unit =
    add(names.number(source).toLong, names.number(target).toLong, time)

  def toRow: InternalRow = {
    val bytes = ByteBuffer.allocate(8 * used).order(ByteOrder.nativeOrder())
    bytes.asLongBuffer().put(numbers, 0, used)
    val dictionary = if (strings) new GenericArrayData(names.toArray) else null
    InternalRow(bytes.array, dictionary, used / 3 + nullRows, nullRows)
  }
}

private[paths] object EdgeBlock {
  val fields: Seq[StructField] = Seq(
    StructField("edges", BinaryType, nullable = false),
    StructField("names", ArrayType(StringType, containsNull = false)),
    StructField("rows", LongType, nullable = false),
    StructField("nullRows", LongType, nullable = false)
  )

  /** The numbers of a block: for each edge source, target and time. */
  def numbers(bytes: Array[Byte]): Array[Long] = {
    val found = new Array[Long](bytes.length / 8)
    ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).asLongBuffer().get(found)
    found
  }
}
