package io.github.sparkbic.arguments

import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.types.{DataType, StringType, StructField}

/** Checks the columns of a frame of pairs, such as queries, against the columns of the edges.
  *
  * @param what the frame in errors
  */
private[sparkbic] final class PairColumns(what: String, val columns: NamedColumns, edges: EdgeColumns) {
  import ColumnTypes.show

  if (columns.frame.isStreaming)
    throw Arguments.invalid(
      s"$what must be a static DataFrame, but it is a streaming one; collect them first, or call in foreachBatch"
    )

  val source: StructField = vertex("source")
  val target: StructField = vertex("target")

  /** The wider of the types of both columns, which are of the kind of the edges' ids. */
  def vertexType: DataType = ColumnTypes.common(source.dataType, target.dataType).get

  private def vertex(name: String): StructField = {
    val field = columns.field(name, name)
    ColumnTypes.requireVertex(field)
    if (field.dataType.isInstanceOf[StringType] != edges.strings) {
      val kind = if (edges.strings) "STRING" else "integral"
      throw Arguments.invalid(
        s"$what have ${show(field)}, but the vertices of the edges are $kind; give both the same kind of ids"
      )
    }
    field
  }

  /** The column of the pairs with a key of the edges. */
  def key(ofEdges: StructField): StructField = {
    val own = columns.field(ofEdges.name, "by")
    ColumnTypes.requireKey(own)
    val areComparable = DataTypeUtils.equalsIgnoreNullability(own.dataType, ofEdges.dataType) ||
      ColumnTypes.common(own.dataType, ofEdges.dataType).isDefined
    if (!areComparable)
      throw Arguments.invalid(
        s"$what have ${show(own)}, but the edges have ${show(ofEdges)}; cast one of them"
      )
    own
  }
}
