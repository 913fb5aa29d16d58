package io.github.sparkbic.arguments

import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.catalyst.expressions.RowOrdering
import org.apache.spark.sql.types._

/** The types that vertices and keys of graphs may have. */
private[sparkbic] object ColumnTypes {
  private val integral: Set[DataType] = Set(LongType, IntegerType, ShortType, ByteType)

  def isIntegral(dataType: DataType): Boolean = integral(dataType)

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

  private def requireBytewise(field: StructField, role: String): Unit =
    if (!SparkInternals.isBinaryStable(field.dataType))
      throw Arguments.invalid(
        s"column ${show(field)}$role has a collation in which different strings may be equal, but strings are compared " +
          "by their bytes; give lower(...) or the like, cast to STRING"
      )

  def show(field: StructField): String = s"'${field.name}' (${field.dataType.sql})"
}
