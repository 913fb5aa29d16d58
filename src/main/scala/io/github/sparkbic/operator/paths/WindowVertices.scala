package io.github.sparkbic.operator.paths

import java.util.{HashMap => JHashMap}

import scala.collection.mutable

import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData
import org.apache.spark.sql.catalyst.util.{ArrayData, GenericArrayData}
import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.index.kernels.LongInterner

/** Numbers the vertices of one window 0, 1, 2 … in the order of their first appearance. */
private[paths] trait WindowVertices {
  def size: Int

  /** The number of the vertex in a column, which is a new number if the vertex is new. */
  def number(row: InternalRow, column: Int): Int

  /** The numbers of these vertices, as [[number]] gives them. */
  def numberAll(vertices: ArrayData): Array[Int]

  /** The number of the vertex in a column; -1 if the vertex is null or has no number. */
  def find(row: InternalRow, column: Int): Int

  /** The vertex with this number, as Spark keeps it. */
  def vertex(number: Int): Any

  /** The user's order of two vertices. */
  def compare(a: Int, b: Int): Int

  /** All vertices in the order of their numbers. */
  def toArray: ArrayData
}

private[paths] object WindowVertices {
  def create(strings: Boolean): WindowVertices = if (strings) new OfStrings else new OfNumbers

  private final class OfNumbers extends WindowVertices {
    private val ids = new LongInterner

    override def size: Int = ids.size
    override def number(row: InternalRow, column: Int): Int = ids.intern(row.getLong(column))
    override def numberAll(vertices: ArrayData): Array[Int] = {
      val numbers = new Array[Int](vertices.numElements())
      ids.internAll(vertices.toLongArray(), 0, numbers.length, numbers)
      numbers
    }
    override def find(row: InternalRow, column: Int): Int =
      if (row.isNullAt(column)) -1 else ids.find(row.getLong(column))
    override def vertex(number: Int): Any = ids.id(number)
    override def compare(a: Int, b: Int): Int = java.lang.Long.compare(ids.id(a), ids.id(b))
    override def toArray: ArrayData = UnsafeArrayData.fromPrimitiveArray(ids.toArray)
  }

  private final class OfStrings extends WindowVertices {
    private val numbers = new JHashMap[UTF8String, Integer]
    private val names = mutable.ArrayBuffer.empty[UTF8String]

    override def size: Int = names.size
    override def number(row: InternalRow, column: Int): Int = number(row.getUTF8String(column))
    override def numberAll(vertices: ArrayData): Array[Int] =
      Array.tabulate(vertices.numElements())(i => number(vertices.getUTF8String(i)))
    override def find(row: InternalRow, column: Int): Int =
      if (row.isNullAt(column)) -1 else numbers.getOrDefault(row.getUTF8String(column), -1)
    override def vertex(number: Int): Any = names(number)
    override def compare(a: Int, b: Int): Int = SparkInternals.compare(names(a), names(b))
    override def toArray: ArrayData = new GenericArrayData(names.toArray[Any])

    private def number(name: UTF8String): Int = {
      val known = numbers.get(name)
      if (known != null) known
      else {
        // The string may be a view of Spark's row, which the next row overwrites.
        val own = name.clone()
        numbers.put(own, names.size)
        names += own
        names.size - 1
      }
    }
  }
}
