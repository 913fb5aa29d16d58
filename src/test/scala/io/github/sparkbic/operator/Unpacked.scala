package io.github.sparkbic.operator

import java.nio.charset.StandardCharsets.UTF_8

import org.apache.spark.sql.Row

/** Rows of the operator for a question whose answers are packed, as Spark unpacks them: one row an answer. */
object Unpacked {

  /** @param bounds the number of columns before the arrays; where a later array is null, so are all its answers */
  def answers(row: Row, bounds: Int): Seq[Row] = {
    val size = row.getAs[Array[_]](bounds).length
    val columns = (bounds until row.size - 1).map { i =>
      Option(row.getAs[Array[_]](i)).fold(Seq.fill[Any](size)(null))(_.toSeq.map(shown))
    }
    columns.transpose.map(values => Row.fromSeq(row.toSeq.take(bounds) ++ values :+ row.get(row.size - 1)))
  }

  private def shown(item: Any): Any = item match {
    case bytes: Array[Byte] => new String(bytes, UTF_8)
    case other              => other
  }
}
