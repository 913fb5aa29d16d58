package io.github.sparkbic.operator

import java.util.{HashMap => JHashMap}

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  BoundReference,
  Expression,
  Generator,
  GenericInternalRow,
  UnsafeProjection,
  UnsafeRow
}
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback
import org.apache.spark.sql.types.{StringType, StructType}

import io.github.sparkbic.index.Panes

/** Stage 1: in every input task, the edges of each graph and pane become one block with a spanning forest of them.
  *
  * A generator, since that is the one place where Spark hands internal rows to code of ours and tells it when a task's
  * input ends, in batch and streaming alike and without an extension: no object per edge, and neither the typed API's
  * deserialiser nor a row per edge in the shuffle.
  *
  * A task holds at most [[PaneForests.MaxOpenVertices]] vertices in open forests; beyond that it sends all of them on
  * and starts afresh, so its memory is bounded whatever the input, and the operator merges blocks of the same pane.
  *
  * State between rows is that of one task: Spark deserialises the expression for each task.
  *
  * @param children      the `by` columns, then source, target (both BIGINT, or both STRING) and time
  * @param elementSchema the `by` columns, the fields of [[PackedBlock]], and an event-time column, which carries the
  *                      watermark's metadata to the next operator and is never late itself
  */
private[operator] final case class PaneForests(
    children: Seq[Expression],
    panes: Panes,
    elementSchema: StructType
) extends Generator
    with CodegenFallback {

  private def keyCount = children.size - 3

  @transient private lazy val keyOf = UnsafeProjection.create(children.take(keyCount))
  @transient private lazy val keyTypes = children.take(keyCount).map(_.dataType).toArray
  @transient private lazy val oneGraph = children.take(keyCount).forall(_.foldable)
  @transient private lazy val strings = children(keyCount).dataType.isInstanceOf[StringType]
  @transient private lazy val edgeColumns = PaneForests.edgeColumns(children.drop(keyCount))

  @transient private lazy val graphs = new JHashMap[UnsafeRow, OpenGraph]
  @transient private var lastGraph: OpenGraph = _
  @transient private var openVertices = 0L

  override def eval(input: InternalRow): IterableOnce[InternalRow] = {
    val graph = graphOf(input)
    val columns = edgeColumns
    val edge = columns.row(input)
    if (edge.isNullAt(columns.src) || edge.isNullAt(columns.dst) || edge.isNullAt(columns.time)) {
      graph.nullRows += 1
      Nil
    } else {
      val forest = graph.forestAt(edge.getLong(columns.time))
      val before = forest.size
      if (strings) forest.add(edge.getUTF8String(columns.src), edge.getUTF8String(columns.dst))
      else forest.add(edge.getLong(columns.src), edge.getLong(columns.dst))
      openVertices += forest.size - before
      if (openVertices > PaneForests.MaxOpenVertices) flush() else Nil
    }
  }

  override def terminate(): IterableOnce[InternalRow] = flush()

  private def graphOf(input: InternalRow): OpenGraph =
    if (oneGraph && lastGraph != null) lastGraph
    else {
      val key = keyOf(input)
      if (lastGraph == null || lastGraph.key != key) {
        lastGraph = graphs.get(key)
        if (lastGraph == null) {
          lastGraph = new OpenGraph(key.copy(), panes, strings)
          graphs.put(lastGraph.key, lastGraph)
        }
      }
      lastGraph
    }

  private def flush(): IterableOnce[InternalRow] = {
    val blocks = ArrayBuffer.empty[InternalRow]
    graphs.values.forEach { graph =>
      val keys = keyTypes.indices.map(i => graph.key.get(i, keyTypes(i)))
      graph.blocks.foreach { block =>
        val row = keys ++ Seq[Any](block.pane, block.edges, block.forest, block.names, PaneForests.NeverLate)
        blocks += new GenericInternalRow(row.toArray[Any])
      }
    }
    graphs.clear()
    lastGraph = null
    openVertices = 0
    blocks
  }

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[Expression]): PaneForests =
    copy(children = newChildren)
}

private[operator] object PaneForests {

  /** Bounds the memory of a task's open forests: about 60 bytes a vertex, more for long strings. */
  val MaxOpenVertices: Long = 1L << 21

  /** The event time of a block: Spark must not drop blocks, which hold edges of many times; we look at each. */
  val NeverLate: Long = Long.MaxValue

  /** Where source, target and time stand, in the input or in a projection of it. */
  private final class EdgeColumns(
      val src: Int,
      val dst: Int,
      val time: Int,
      projection: Option[UnsafeProjection]
  ) {
    def row(input: InternalRow): InternalRow = if (projection.isEmpty) input else projection.get(input)
  }

  /** Spark binds columns to the input, where they are read without boxing, but may fold a constant one to a literal. */
  private def edgeColumns(columns: Seq[Expression]): EdgeColumns = columns match {
    case Seq(src: BoundReference, dst: BoundReference, time: BoundReference) =>
      new EdgeColumns(src.ordinal, dst.ordinal, time.ordinal, None)
    case _ => new EdgeColumns(0, 1, 2, Some(UnsafeProjection.create(columns)))
  }
}
