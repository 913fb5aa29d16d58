package io.github.sparkbic.arguments

import scala.util.Try

import org.apache.spark.sql.{Column, DataFrame}
import org.apache.spark.sql.functions.col
import org.apache.spark.sql.types.StructField

/** The columns of a frame by name, as Spark's own case sensitivity has it.
  *
  * @param what what the frame is called in errors
  */
private[sparkbic] final class NamedColumns(what: String, frame: DataFrame) {
  private val sameName = frame.sparkSession.sessionState.conf.resolver

  /** Whether these are names of one column. */
  def areSame(a: String, b: String): Boolean = sameName(a, b)

  def find(name: String): Option[StructField] = {
    val found = frame.schema.fields.filter(field => sameName(field.name, name))
    if (found.length > 1)
      throw Arguments.invalid(s"$what have ${found.length} columns called '$name'; rename all but one")
    found.headOption
  }

  /** @param role the parameter that gave the name */
  def field(name: String, role: String): StructField = find(name).getOrElse {
    throw Arguments.invalid(
      s"$what have no column '$name'${if (role == name) "" else s" (given as $role)"}; there are: " +
        frame.schema.fieldNames.mkString(", ") + hint(name, role)
    )
  }

  /** What to do about a name that Spark would understand: that of a field in a struct, or one in backquotes. */
  private def hint(name: String, role: String): String =
    if (Try(frame.select(col(name))).isFailure) ""
    else {
      val own = if (role == "by") "key" else role
      s"""; to use $name, make it a column of its own first, as in withColumn("$own", col("$name"))"""
    }

  def of(field: StructField): Column = col("`" + field.name.replace("`", "``") + "`")
}
