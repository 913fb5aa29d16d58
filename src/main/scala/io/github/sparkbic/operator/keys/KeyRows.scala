package io.github.sparkbic.operator.keys

import org.apache.spark.sql.{Encoder, Row}
import org.apache.spark.sql.catalyst.encoders.{AgnosticEncoder, ExpressionEncoder, RowEncoder}
import org.apache.spark.sql.catalyst.encoders.AgnosticEncoders.{RowEncoder => OfRow, _}
import org.apache.spark.sql.types.{ArrayType, BinaryType, DataType, LongType, StringType, StructType}

/** Rows that hold keys of graphs exactly, so that no two keys become equal as objects of the JVM.
  * Dates and times are `LocalDate` and `Instant`. Spark's default `java.sql` types depend on the time zone of the JVM, and
  * change days that its calendar does not have. Strings are bytes: a `java.lang.String` maps all invalid UTF-8 to the same
  * character.
  */
private[sparkbic] object KeyRows {

  /** The type in which a key of `dataType` is grouped, kept and compared. The cast loses nothing in either direction. */
  def exactType(dataType: DataType): DataType = dataType match {
    case _: StringType    => BinaryType
    case array: ArrayType => array.copy(elementType = exactType(array.elementType))
    case struct: StructType =>
      StructType(struct.map(field => field.copy(dataType = exactType(field.dataType))))
    case other => other
  }

  /** @param arrays names of array columns whose values are arrays of the JVM, of primitives where items are primitive */
  def encoder(schema: StructType, arrays: Set[String] = Set.empty): Encoder[Row] = {
    val exactly = row(RowEncoder.encoderFor(schema).asInstanceOf[OfRow])
    val fields = exactly.fields.map(field =>
      if (arrays(field.name)) field.copy(enc = ofArray(field.enc)) else field
    )
    // Spark 3.5 takes encoders of expressions alone.
    ExpressionEncoder(OfRow(fields))
  }

  private def ofArray(encoder: AgnosticEncoder[_]): AgnosticEncoder[_] = encoder match {
    case items: IterableEncoder[_, _] if items.element.dataType == LongType =>
      ArrayEncoder(PrimitiveLongEncoder, items.containsNull)
    case items: IterableEncoder[_, _] => ArrayEncoder(items.element, items.containsNull)
    case other                        => other
  }

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
