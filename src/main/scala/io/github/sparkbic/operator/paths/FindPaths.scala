package io.github.sparkbic.operator.paths

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback
import org.apache.spark.sql.types.StructType

/** Gives each answer its path, one window of one graph after the other.
  *
  * The rows of a window come together, its blocks before its answers. To Spark's optimizer this is a generator, which holds
  * state between the rows of one task: the edges of one window and the answers of this window.
  *
  * @param children      the columns of `key`, then the flag of answers, the two fields of a block, the answer as a struct,
  *                      its source and its target
  * @param keys          how many columns are the key of the window
  * @param elementSchema the columns of the answer, and its path
  */
private[paths] final case class FindPaths(
    children: Seq[Expression],
    keys: Int,
    strings: Boolean,
    elementSchema: StructType
) extends Generator
    with CodegenFallback {
  @transient private lazy val key = UnsafeProjection.create(children.take(keys))
  @transient private lazy val rest = UnsafeProjection.create(children.drop(keys))
  private lazy val width = elementSchema.size - 1
  @transient private var window: UnsafeRow = _
  @transient private var paths: WindowPaths = _

  override def eval(row: InternalRow): Iterator[InternalRow] = {
    val of = key(row)
    val ready = if (window != null && window != of) terminate() else Iterator.empty
    if (window == null) {
      window = of.copy()
      paths = WindowPaths.create(strings)
    }
    val fields = rest(row)
    if (fields.getBoolean(0)) {
      paths.addAnswer(
        fields.getStruct(3, width).copy(),
        if (fields.isNullAt(4)) null else FindPaths.vertex(fields, 4, strings),
        if (fields.isNullAt(5)) null else FindPaths.vertex(fields, 5, strings)
      )
    } else paths.addBlock(fields.getBinary(1), if (strings) fields.getArray(2) else null)
    ready
  }

  override def terminate(): Iterator[InternalRow] =
    if (window == null) Iterator.empty
    else {
      val done = paths
      window = null
      paths = null
      done.rows
    }

  override def prettyName: String = "bic_find_paths"

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[Expression]): FindPaths =
    copy(children = newChildren)
}

private object FindPaths {

  /** The vertex of an answer, which outlives its row. */
  def vertex(row: InternalRow, column: Int, strings: Boolean): Any =
    if (strings) row.getUTF8String(column).clone() else row.getLong(column)
}
