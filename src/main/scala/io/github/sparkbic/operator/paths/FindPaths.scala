package io.github.sparkbic.operator.paths

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback
import org.apache.spark.sql.catalyst.util.GenericArrayData
import org.apache.spark.sql.types.StructType

/** Gives each answer its path, one window of one graph after the other.
  *
  * The rows of a window come together, its blocks before its answers. To Spark's optimizer this is a generator, which holds
  * state between the rows of one task: the edges of one window.
  *
  * @param children      the columns of the key of the window, then ends, times, vertices and kept columns of a block, or,
  *                      where the ends are null, an answer as a struct, and both ends of its path
  * @param keys          how many columns are the key of the window
  * @param kept          the columns of edges that their structs in a path hold, too
  * @param elementSchema the columns of the answer, and its path
  */
private[paths] final case class FindPaths(
    children: Seq[Expression],
    keys: Int,
    strings: Boolean,
    kept: StructType,
    elementSchema: StructType
) extends Generator
    with CodegenFallback {
  @transient private lazy val key = UnsafeProjection.create(children.take(keys))
  @transient private lazy val rest = UnsafeProjection.create(children.drop(keys))
  @transient private var window: UnsafeRow = _
  @transient private var edges: WindowEdges = _
  // Made when the first answer comes, and so all blocks of the window have come.
  @transient private var search: ShortestPaths = _

  override def eval(row: InternalRow): Iterator[InternalRow] = {
    val of = key(row)
    if (window == null || window != of) {
      window = of.copy()
      edges = new WindowEdges(strings, kept)
      search = null
    }
    val fields = rest(row)
    if (!fields.isNullAt(0)) {
      edges.addBlock(fields)
      Iterator.empty
    } else {
      if (search == null) search = new ShortestPaths(edges)
      val path = search.between(edges.vertices.find(fields, 5), edges.vertices.find(fields, 6))
      val shown = if (path == null) null
      else new GenericArrayData(path.map { case (source, target, edge) =>
        val own = Seq(edges.vertices.vertex(source), edges.vertices.vertex(target), edges.time(edge))
        InternalRow.fromSeq(own ++ edges.kept(edge)): Any
      })
      Iterator.single(new JoinedRow(fields.getStruct(4, elementSchema.size - 1), InternalRow(shown)))
    }
  }

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[Expression]): FindPaths =
    copy(children = newChildren)
}
