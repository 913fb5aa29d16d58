package io.github.sparkbic.arguments

import scala.util.Try

import org.apache.spark.sql.{Column, DataFrame}
import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.functions.col
import org.apache.spark.sql.types.{DataType, LongType, StringType, StructField}

/** The columns of a frame by name, with the case sensitivity of the session.
  *
  * @param what the name of the frame in errors
  */
private[sparkbic] final class NamedColumns(what: String, val frame: DataFrame) {
  import ColumnTypes.show

  private val sameName = SparkInternals.conf(frame.sparkSession).resolver

  def areSame(a: String, b: String): Boolean = sameName(a, b)
  def has(name: String): Boolean = frame.schema.exists(field => sameName(field.name, name))

  def find(name: String): Option[StructField] = {
    val found = frame.schema.fields.filter(field => sameName(field.name, name))
    if (found.length > 1)
      throw Arguments.invalid(s"$what have ${found.length} columns called '$name'; rename all but one")
    found.headOption
  }

  def requireStatic(): Unit = if (frame.isStreaming)
    throw Arguments.invalid(
      s"$what must be a static DataFrame, but it is a streaming one; collect them first, or call in foreachBatch"
    )

  /** Refuses a column of the name that answers give to a column of theirs. */
  def requireFree(name: String, content: String): Unit = find(name).foreach { field =>
    throw Arguments.invalid(
      s"$what have a column '${field.name}' already, which is the name of the column with the $content; rename it"
    )
  }

  /** The column of exactly this name, else of the name that Spark reads there in backquotes.
    *
    * @param role the parameter that gave the name
    */
  def field(name: String, role: String): StructField = find(name).orElse(find(unquoted(name))).getOrElse {
    throw Arguments.invalid(
      s"$what have no column '$name'${if (role == name) "" else s" (given as $role)"}; there are: " +
        frame.schema.fieldNames.mkString(", ") + hint(name, role)
    )
  }

  private def unquoted(name: String): String =
    Try(
      UnresolvedAttribute.parseAttributeName(name)
    ).toOption.collect { case Seq(only) => only }.getOrElse(name)

  /** The fix: for a name that Spark would understand, a field in a struct; else the nearest name. */
  private def hint(name: String, role: String): String =
    if (Try(frame.select(col(name))).isFailure)
      Arguments.nearest(unquoted(name), frame.schema.fieldNames.toSeq) match {
        case "" if role == name && what == "edges" => s"; give the name of yours as $role"
        case "" if role == name                    => s"; rename yours to '$name'"
        case near                                  => near
      }
    else {
      val own = UnresolvedAttribute.parseAttributeName(name).last
      s"""; to use $name, make it a column of its own first, as in withColumn("$own", col("$name"))"""
    }

  def vertex(name: String, edges: EdgeColumns): StructField = {
    val own = field(name, name)
    ColumnTypes.requireVertex(own)
    if (own.dataType.isInstanceOf[StringType] != edges.strings) {
      val kind = if (edges.strings) "STRING" else "integral"
      throw Arguments.invalid(
        s"$what have ${show(own)}, but the vertices of the edges are $kind; give both the same kind of ids"
      )
    }
    own
  }

  def key(ofEdges: StructField): StructField = {
    val own = field(ofEdges.name, "by")
    ColumnTypes.requireKey(own)
    val areComparable = DataTypeUtils.equalsIgnoreNullability(own.dataType, ofEdges.dataType) ||
      ColumnTypes.common(own.dataType, ofEdges.dataType).isDefined
    if (!areComparable)
      throw Arguments.invalid(
        s"$what have ${show(own)}, but the edges have ${show(ofEdges)}; cast one of them"
      )
    own
  }

  def of(field: StructField): Column = col("`" + field.name.replace("`", "``") + "`")
}

/** The columns of the edges, checked: ids of an integral type or STRING, times TIMESTAMP or TIMESTAMP_NTZ.
  *
  * @param ends       the source and the target
  * @param vertexType the wider of their types
  * @param time       the column of times; None for the edges of a whole table
  */
private[sparkbic] final case class EdgeColumns(
    columns: NamedColumns,
    ends: Seq[StructField],
    vertexType: DataType,
    time: Option[StructField],
    byFields: Seq[StructField]
) {
  def frame: DataFrame = columns.frame

  /** The column of times, which the edges of a whole table do not have. */
  def timeField: StructField = time.get

  /** The columns with their roles; a column has a single one. */
  def roles: Seq[(String, StructField)] =
    Seq("src", "dst").zip(ends) ++ time.map("time" -> _) ++ byFields.map("by" -> _)

  def strings: Boolean = vertexType.isInstanceOf[StringType]

  /** The type of ids inside. */
  def idType: DataType = if (strings) StringType else LongType

  /** The endpoints in this type, as `src` and `dst`. */
  def ids: Seq[Column] =
    ends.zip(Seq("src", "dst")).map { case (end, name) => columns.of(end).cast(idType).as(name) }
}

/** The columns of events, checked against those of the edges.
  *
  * @param vertices one column or two
  * @param at       the time, in the type of the edges' times
  * @param byFields in the order of the edges' `by`
  */
private[sparkbic] final case class EventColumns(
    columns: NamedColumns,
    vertices: Seq[StructField],
    at: StructField,
    byFields: Seq[StructField]
) {
  def frame: DataFrame = columns.frame
}
