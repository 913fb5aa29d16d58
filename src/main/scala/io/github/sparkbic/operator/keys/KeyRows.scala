package io.github.sparkbic.operator.keys

import scala.collection.mutable

import org.apache.spark.sql.{Encoder, Row}
import org.apache.spark.sql.catalyst.encoders.{AgnosticEncoder, ExpressionEncoder, RowEncoder}
import org.apache.spark.sql.catalyst.encoders.AgnosticEncoders.{RowEncoder => OfRow, _}
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.expressions.objects.LambdaVariable
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
    val fields = RowEncoder.encoderFor(schema).asInstanceOf[OfRow].fields.map { field =>
      val enc = exact(field.enc)
      field.copy(enc = if (arrays(field.name)) ofArray(enc) else enc)
    }
    // Spark 3.5 takes encoders of expressions alone.
    numbered(ExpressionEncoder(OfRow(fields)), (schema, arrays).hashCode)
  }

  /** The encoder with numbers of its own for the variables of loops over arrays. Spark counts these variables up from call
    * to call, so that no two plans with an array would be equal. Variables of other types need other numbers, since one
    * generated class may hold both.
    *
    * @param number a number that encoders of other types do not have; Spark's own are below 2^32
    */
  private def numbered(encoder: ExpressionEncoder[Row], number: Int): ExpressionEncoder[Row] = {
    val first = ((number & Int.MaxValue) + 1L) << 32
    val ids = mutable.Map.empty[Long, Long]
    def own(expression: Expression) = expression.transform { case variable: LambdaVariable =>
      variable.copy(id = ids.getOrElseUpdate(variable.id, first + ids.size))
    }
    encoder.copy(
      objSerializer = own(encoder.objSerializer),
      objDeserializer = own(encoder.objDeserializer)
    )
  }

  private def ofArray(encoder: AgnosticEncoder[_]): AgnosticEncoder[_] = encoder match {
    case items: IterableEncoder[_, _] if items.element.dataType == LongType =>
      ArrayEncoder(PrimitiveLongEncoder, items.containsNull)
    case items: IterableEncoder[_, _] => ArrayEncoder(items.element, items.containsNull)
    case other                        => other
  }

  private def exact(encoder: AgnosticEncoder[_]): AgnosticEncoder[_] = encoder match {
    case DateEncoder(lenient)         => LocalDateEncoder(lenient)
    case TimestampEncoder(lenient)    => InstantEncoder(lenient)
    case row: OfRow                   => OfRow(row.fields.map(field => field.copy(enc = exact(field.enc))))
    case items: IterableEncoder[_, _] => itemsOf(items)
    case other                        => other
  }

  private def itemsOf[C, E](items: IterableEncoder[C, E]): AgnosticEncoder[C] =
    items.copy(element = exact(items.element).asInstanceOf[AgnosticEncoder[E]])
}
