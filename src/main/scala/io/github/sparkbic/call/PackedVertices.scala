package io.github.sparkbic.call

import java.nio.{ByteBuffer, ByteOrder}
import java.nio.charset.StandardCharsets

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.types.{BinaryType, DataType, LongType, StringType}
import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.operator.keys.KeyRows

/** A list of vertices as the Python package sends it. In bytes it goes unseen by Spark's analyzer, which would walk through
  * all rows of a table. Py4J would make an object of each vertex. Spark Connect sends the bytes as a table with one row.
  *
  * {{{
  * numbers: "bic-long", the ids
  * strings: "bic-text", the number of ids, the length of each, the UTF-8 bytes of all
  * }}}
  *
  * A number has 8 bytes, the lowest first. The ids of a row come one after the other, and row after row.
  */
private[call] object PackedVertices {

  /** The table of these bytes; None if they are no list of vertices. */
  def table(columns: Seq[String], packed: Array[Byte]): Option[LogicalPlan] = {
    val numbers = ByteBuffer.wrap(packed).order(ByteOrder.LITTLE_ENDIAN)
    def rows(idType: DataType, ids: Int)(next: => Any) = Some {
      val width = columns.size
      val held = IndexedSeq.fill(ids / width)(new GenericInternalRow(Array.fill(width)(next)))
      SparkInternals.table(columns, idType, held)
    }
    new String(packed, 0, math.min(packed.length, KindBytes), StandardCharsets.US_ASCII) match {
      case "bic-long" =>
        numbers.position(KindBytes)
        rows(LongType, numbers.remaining / 8)(numbers.getLong())
      case "bic-text" =>
        numbers.position(KindBytes)
        val count = numbers.getLong().toInt
        var end = numbers.position() + 8 * count
        rows(StringType, count) {
          val start = end
          end += numbers.getLong().toInt
          UTF8String.fromBytes(packed, start, end - start)
        }
      case _ => None
    }
  }

  /** The bytes in a table that Spark Connect has sent; None for other tables. */
  def in(plan: LogicalPlan, session: SparkSession): Option[Array[Byte]] = plan.output match {
    case Seq(only) if only.name == Column && only.dataType == BinaryType =>
      SparkInternals.rowsAtHand(plan, KeyRows.encoder(plan.schema), session)
        .map(_.head.getAs[Array[Byte]](0))
    case _ => None
  }

  private val KindBytes = 8

  /** The only column of such a table. */
  private val Column = "bic_packed"
}
