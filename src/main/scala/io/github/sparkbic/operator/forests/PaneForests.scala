package io.github.sparkbic.operator.forests

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Expression, Generator, Literal, UnsafeProjection}
import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, ExprCode}
import org.apache.spark.sql.catalyst.plans.logical.{Generate, LogicalPlan}
import org.apache.spark.sql.types.{StringType, StructType, TimestampType}

import io.github.sparkbic.index.contract.Panes

/** Stage 1: in every input task, the edges of each graph and pane become a block, mostly one: a spanning forest, or
  * the edges themselves.
  *
  * To Spark's optimizer this is a generator: Spark hands internal rows to generators, and signals the end of a task's input,
  * in batch and streaming alike and without an extension. [[PaneForestsStrategy]] plans it as [[PaneForestsExec]], within
  * the code generated for the stage. In a session without the strategy the generator itself runs, several times slower.
  * Such a session may reach a query of another session through a global view.
  * State between rows is that of one task, as Spark deserialises the expression for each task.
  *
  * @param keys          the `by` columns
  * @param edge          source, target (both BIGINT, or both STRING) and time
  * @param elementSchema the `by` columns, the segment's number if there are segments, the fields of
  *                      [[io.github.sparkbic.operator.block.PackedBlock PackedBlock]], and an event time
  *                      ([[OpenGraphs.EndOfTime]]), which carries the watermark's metadata
  * @param forState      whether a stream's state may keep each block by itself: a block then has the names of all its
  *                      vertices, and even a few edges are thinned
  * @param segments      into which a batch query cuts its graphs; a block is sent to each segment that needs it
  */
private[sparkbic] final case class PaneForests(
    keys: Seq[Expression],
    edge: Seq[Expression],
    panes: Panes,
    elementSchema: StructType,
    forState: Boolean,
    segments: Option[Segments] = None
) extends Generator {
  @transient private lazy val graphs = open()
  @transient private lazy val keyOf = UnsafeProjection.create(keys)
  @transient private lazy val edgeOf = UnsafeProjection.create(edge)

  override def children: Seq[Expression] = keys ++ edge

  // Not a `CodegenFallback`: Spark would generate no code for PaneForestsExec, which holds this expression.
  override def supportCodegen: Boolean = false
  override protected def doGenCode(ctx: CodegenContext, ev: ExprCode): ExprCode =
    throw new UnsupportedOperationException("pane forests are no expression of a row")

  /** Whether all rows are of one graph. */
  lazy val isOneGraph: Boolean = keys.forall(_.foldable)

  private def strings: Boolean = edge.head.dataType.isInstanceOf[StringType]

  /** New graphs, for one task. */
  def open(): OpenGraphs = new OpenGraphs(panes, strings, forState, segments, elementSchema)

  override def eval(row: InternalRow): Iterator[InternalRow] = {
    val graph = if (isOneGraph) graphs.onlyGraph(keyOf(row)) else graphs.graph(keyOf(row))
    val ends = edgeOf(row)
    if (ends.anyNull) graph.addNull()
    else if (graphs.strings) graph.add(ends.getUTF8String(0), ends.getUTF8String(1), ends.getLong(2))
    else graph.add(ends.getLong(0), ends.getLong(1), ends.getLong(2))
    if (graphs.isFull) terminate() else Iterator.empty
  }

  /** The blocks of all graphs, in a single row that each block overwrites. */
  override def terminate(): Iterator[InternalRow] = {
    graphs.close()
    Iterator.continually(graphs.next()).takeWhile(_ != null)
  }

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[Expression]): PaneForests =
    copy(keys = newChildren.take(keys.size), edge = newChildren.drop(keys.size))
}

private[sparkbic] object PaneForests {

  /** The time of every edge of a whole table, whose only pane is that of [[Panes.Whole]]. */
  val NoTime: Literal = Literal(0L, TimestampType)

  /** Whether a plan holds stage 1 of a stream. A table of answers does not count: any stream may be joined with it. */
  def areStreamedIn(plan: LogicalPlan): Boolean = plan.exists {
    case Generate(forests: PaneForests, _, _, _, _, _) => forests.forState
    case _                                             => false
  }
}
