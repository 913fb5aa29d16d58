package io.github.sparkbic.operator

import java.nio.charset.StandardCharsets.UTF_8

import org.apache.spark.sql.Row

/** Rows of the operator for a question whose answers are packed, as Spark unpacks them: one row an answer. */
object Unpacked {

  /** @param bounds the number of columns before the arrays */
  def answers(row: Row, bounds: Int): Seq[Row] = {
    val columns = (bounds until row.size - 1).map(row.getAs[Array[_]](_).toSeq.map(shown))
    columns.transpose.map(values => Row.fromSeq(row.toSeq.take(bounds) ++ values :+ row.get(row.size - 1)))
  }

  private def shown(item: Any): Any = item match {
    case bytes: Array[Byte] => new String(bytes, UTF_8)
    case other              => other
  }
}
