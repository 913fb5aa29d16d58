package io.github.sparkbic.arguments

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.types.StructField

/** The columns of events, checked against those of the edges.
  *
  * @param source   the column with the first vertex; `target` the column with the second, if events have two
  * @param at       the time, in the type of the edges' times
  * @param byFields in the order of the edges' `by`
  */
private[sparkbic] final case class EventColumns(
    columns: NamedColumns,
    source: StructField,
    target: Option[StructField],
    at: StructField,
    byFields: Seq[StructField]
) {
  def frame: DataFrame = columns.frame

  /** The position of a column, whose name no other column has. */
  def position(field: StructField): Int = frame.schema.fieldIndex(field.name)
}
