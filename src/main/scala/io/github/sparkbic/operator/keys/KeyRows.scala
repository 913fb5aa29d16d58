package io.github.sparkbic.operator.keys

import org.apache.spark.sql.{Encoder, Row}
import org.apache.spark.sql.catalyst.encoders.{AgnosticEncoder, RowEncoder}
import org.apache.spark.sql.catalyst.encoders.AgnosticEncoders.{
  DateEncoder,
  InstantEncoder,
  IterableEncoder,
  LocalDateEncoder,
  RowEncoder => OfRow,
  TimestampEncoder
}
import org.apache.spark.sql.types.StructType

/** Rows that hold keys of graphs, with dates and times as `LocalDate` and `Instant`.
  *
  * As `java.sql` types, which Spark takes by default, they depend on the time zone of the JVM, and days that its calendar
  * does not have become others: two graphs would come out under one key, and an executor in another time zone than the
  * driver would not find the pairs of a graph.
  */
private[sparkbic] object KeyRows {

  def encoder(schema: StructType): Encoder[Row] = row(RowEncoder.encoderFor(schema).asInstanceOf[OfRow])

  private def row(encoder: OfRow): OfRow =
    OfRow(encoder.fields.map(field => field.copy(enc = exact(field.enc))))

  private def exact(encoder: AgnosticEncoder[_]): AgnosticEncoder[_] = encoder match {
    case DateEncoder(lenient)         => LocalDateEncoder(lenient)
    case TimestampEncoder(lenient)    => InstantEncoder(lenient)
    case fields: OfRow                => row(fields)
    case items: IterableEncoder[_, _] => itemsOf(items)
    case other                        => other
  }

  private def itemsOf[C, E](items: IterableEncoder[C, E]): AgnosticEncoder[C] =
    items.copy(element = exact(items.element).asInstanceOf[AgnosticEncoder[E]])
}
