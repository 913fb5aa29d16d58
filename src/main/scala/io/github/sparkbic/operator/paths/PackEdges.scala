package io.github.sparkbic.operator.paths

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback
import org.apache.spark.sql.types.{StringType, StructType}

/** In every input task, the edges of each asked window become blocks: arrays of sources, targets and times.
  *
  * To Spark's optimizer this is a generator, which holds state between the rows of one task. A task holds at most
  * [[PackEdges.MostEdges]] edges, 24 bytes each, and the names of their vertices.
  *
  * @param children      the key of the graph, then source, target (both BIGINT, or both STRING) and time, and last the
  *                      array of all asked windows
  * @param elementSchema the key of the graph, start and end of the window, and the fields of a block: [[EdgeBlock.fields]]
  */
private[paths] final case class PackEdges(children: Seq[Expression], elementSchema: StructType)
    extends Generator
    with CodegenFallback {
  private lazy val keys = children.dropRight(4)
  private lazy val strings = children(keys.size).dataType.isInstanceOf[StringType]
  @transient private lazy val key = UnsafeProjection.create(keys)
  @transient private lazy val edge = UnsafeProjection.create(children.slice(keys.size, keys.size + 3))
  @transient private lazy val windows =
    AskedWindows(children.last.eval(InternalRow.empty), keys.map(_.dataType), strings)
  @transient private var edges = 0

  override def eval(row: InternalRow): Iterator[InternalRow] = {
    val graph = windows.of(key(row))
    val ends = edge(row)
    if (graph != null && !ends.isNullAt(2)) {
      val time = ends.getLong(2)
      val hasNull = ends.isNullAt(0) || ends.isNullAt(1)
      var i = graph.lastStartBy(time)
      while (i >= 0 && graph.mayHold(i, time)) {
        if (graph.holds(i, time)) {
          val block = graph.block(i)
          if (hasNull) block.addNull()
          else if (strings) block.add(ends.getUTF8String(0), ends.getUTF8String(1), time)
          else block.add(ends.getLong(0), ends.getLong(1), time)
          edges += 1
        }
        i -= 1
      }
    }
    if (edges < PackEdges.MostEdges) Iterator.empty else terminate()
  }

  override def terminate(): Iterator[InternalRow] = {
    edges = 0
    windows.takeBlocks()
  }

  override def prettyName: String = "bic_pack_edges"

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[Expression]): PackEdges =
    copy(children = newChildren)
}

private object PackEdges {

  /** Edges that a task holds before it sends their blocks. */
  val MostEdges: Int = 1 << 18
}
