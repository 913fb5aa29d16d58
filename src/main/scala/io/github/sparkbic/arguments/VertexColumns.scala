package io.github.sparkbic.arguments

import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.types.{DataType, StringType, StructField}

/** Checks the columns of a frame of vertices, such as queries, against the columns of the edges.
  *
  * @param what  the frame in errors
  * @param names of the columns with vertices
  */
private[sparkbic] final class VertexColumns(
    what: String,
    val columns: NamedColumns,
    edges: EdgeColumns,
    names: Seq[String]
) {
  import ColumnTypes.show

  val vertices: Seq[StructField] = names.map(vertex)

  /** The widest of the types of these columns, which are of the kind of the edges' ids. */
  def vertexType: DataType = vertices.map(_.dataType).reduce(ColumnTypes.common(_, _).get)

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

  /** The column with a key of the edges. */
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
