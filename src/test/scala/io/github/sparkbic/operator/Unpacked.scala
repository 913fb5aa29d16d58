package io.github.sparkbic.operator

import org.apache.spark.sql.Row
import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.operator.block.{NameCode, NameColumn}

/** Rows of the operator for a question whose answers are packed, as Spark unpacks them: one row an answer. */
object Unpacked {

  /** @param bounds the number of columns before the arrays and columns of names; where a later one is null, so are all its answers */
  def answers(row: Row, bounds: Int): Seq[Row] = {
    val items = (bounds until row.size - 1).map(i => Option(row.get(i)).map(itemsOf))
    val size = items.head.get.size
    val columns = items.map(_.getOrElse(Seq.fill[Any](size)(null)))
    columns.transpose.map(values => Row.fromSeq(row.toSeq.take(bounds) ++ values :+ row.get(row.size - 1)))
  }

  private def itemsOf(column: Any): Seq[Any] = column match {
    case names: Array[Byte] => (0 until NameColumn.count(names)).map(name(names, _).toString)
    case array              => array.asInstanceOf[Array[_]].toSeq
  }

  def name(column: Array[Byte], i: Int): UTF8String =
    NameCode.decoded(column, NameColumn.start(column, i), NameColumn.length(column, i))
}
