package io.github.sparkbic.arguments

import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.catalyst.expressions.RowOrdering
import org.apache.spark.sql.types._

/** The types that vertices and keys of graphs may have. */
private[sparkbic] object ColumnTypes {
  private val integral: Seq[DataType] = Seq(LongType, IntegerType, ShortType, ByteType)

  def isIntegral(dataType: DataType): Boolean = integral.contains(dataType)

  /** The wider of two integral types, as Spark itself widens them, and STRING for two types of strings; None for one of each. */
  def common(a: DataType, b: DataType): Option[DataType] =
    if (a == b) Some(a)
    else if (isIntegral(a) && isIntegral(b)) integral.find(Seq(a, b).contains)
    else if (Seq(a, b).forall(_.isInstanceOf[StringType])) Some(StringType)
    else None

  /** The least and the greatest number of an integral type. */
  def range(integral: DataType): (Long, Long) = {
    val greatest = Long.MaxValue >> 64 - 8 * integral.defaultSize
    (-greatest - 1, greatest)
  }

  def requireVertex(field: StructField): Unit = {
    if (!isIntegral(field.dataType) && !field.dataType.isInstanceOf[StringType])
      throw Arguments.invalid(
        s"column ${show(field)} must be of an integral type (BIGINT, INT, SMALLINT, TINYINT) or STRING; cast it"
      )
    requireBytewise(field, "")
  }

  /** Keys are compared by their bytes, and sorted. */
  def requireKey(field: StructField): Unit = {
    if (!RowOrdering.isOrderable(field.dataType))
      throw Arguments.invalid(
        s"column ${show(field)} of by is of a type whose values have no order, by which Spark cannot group; give columns " +
          "of other types, such as fields of it"
      )
    requireBytewise(field, " of by")
  }

  private def requireBytewise(field: StructField, role: String): Unit = {
    if (SparkInternals.isPadded(field))
      throw Arguments.invalid(
        s"column ${show(field)}$role holds strings that Spark pads with spaces, but strings are compared by their bytes; " +
          "give rtrim(…), cast to STRING"
      )
    if (!SparkInternals.isBinaryStable(field.dataType))
      throw Arguments.invalid(
        s"column ${show(field)}$role has a collation in which different strings may be equal, but strings are compared " +
          "by their bytes; give lower(...) or the like, cast to STRING"
      )
  }

  def show(field: StructField): String = s"'${field.name}' (${SparkInternals.declaredType(field).sql})"
}
