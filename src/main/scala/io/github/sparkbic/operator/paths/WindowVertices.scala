package io.github.sparkbic.operator.paths

import java.util.{HashMap => JHashMap}

import scala.collection.mutable

import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.catalyst.expressions.{SpecializedGetters, UnsafeArrayData}
import org.apache.spark.sql.catalyst.util.{ArrayData, GenericArrayData}
import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.index.kernels.LongInterner

/** Numbers the vertices of one window 0, 1, 2 … in the order of their first appearance. A vertex is read at a position of a
  * row or of an array.
  */
private[paths] trait WindowVertices {
  def size: Int

  /** The number of a vertex, which is a new number if the vertex is new. */
  def number(in: SpecializedGetters, at: Int): Int

  /** The number of a vertex; -1 if the vertex is null or has no number. */
  def find(in: SpecializedGetters, at: Int): Int

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
    override def number(in: SpecializedGetters, at: Int): Int = ids.intern(in.getLong(at))
    override def find(in: SpecializedGetters, at: Int): Int =
      if (in.isNullAt(at)) -1 else ids.find(in.getLong(at))
    override def vertex(number: Int): Any = ids.id(number)
    override def compare(a: Int, b: Int): Int = java.lang.Long.compare(ids.id(a), ids.id(b))
    override def toArray: ArrayData = UnsafeArrayData.fromPrimitiveArray(ids.toArray)
  }

  private final class OfStrings extends WindowVertices {
    private val numbers = new JHashMap[UTF8String, Int]
    private val names = mutable.ArrayBuffer.empty[UTF8String]

    override def size: Int = names.size
    override def number(in: SpecializedGetters, at: Int): Int = {
      val known = find(in, at)
      if (known < 0) {
        // The string may be a view of Spark's row, which the next row overwrites.
        val own = in.getUTF8String(at).clone()
        numbers.put(own, names.size)
        names += own
        names.size - 1
      } else known
    }
    override def find(in: SpecializedGetters, at: Int): Int =
      if (in.isNullAt(at)) -1 else numbers.getOrDefault(in.getUTF8String(at), -1)
    override def vertex(number: Int): Any = names(number)
    override def compare(a: Int, b: Int): Int = SparkInternals.compare(names(a), names(b))
    override def toArray: ArrayData = new GenericArrayData(names.toArray[Any])
  }
}
