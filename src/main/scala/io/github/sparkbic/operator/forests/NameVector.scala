package io.github.sparkbic.operator.forests

import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.execution.vectorized.WritableColumnVector
import org.apache.spark.sql.vectorized.ColumnVector
import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.operator.block.NameBatch

/** A column of strings in a batch of rows, none of which is null. */
private[forests] final class NameVector(vector: ColumnVector, rows: Int) {

  private val coded = SparkInternals.dictionary(vector, rows)

  /** The dictionary that the reader gives; null where there is none. */
  val dictionary: AnyRef = coded.map(_._1).orNull

  /** The entry of each row in the dictionary; null where there is none. */
  val entries: Array[Int] = coded.map(_._2).orNull

  // The bytes of all rows of Spark's own vectors lie in one place, from which a name is read without an object for it.
  private val together = vector match {
    case own: WritableColumnVector if entries == null && rows > 0 => own
    case _                                                        => null
  }
  private val first = if (together == null) null else together.getUTF8String(0)
  private val start = if (together == null) 0L else first.getBaseOffset - together.getArrayOffset(0)

  def name(row: Int): UTF8String = vector.getUTF8String(row)

  def addTo(names: NameBatch, row: Int): Unit =
    if (together == null) names.add(name(row))
    else names.add(first.getBaseObject, start + together.getArrayOffset(row), together.getArrayLength(row))
}
