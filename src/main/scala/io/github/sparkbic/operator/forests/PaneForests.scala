package io.github.sparkbic.operator.forests

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Expression, Generator, UnsafeProjection}
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback
import org.apache.spark.sql.catalyst.plans.logical.{Generate, LogicalPlan}
import org.apache.spark.sql.types.{StringType, StructType}

import io.github.sparkbic.index.contract.{Panes, Segments}

/** Stage 1: in every input task, the edges of each graph and pane become one block with a spanning forest of them.
  *
  * To Spark's optimizer this is a generator, since that is the one place where Spark hands internal rows to code of ours
  * and tells it when a task's input ends, in batch and streaming alike and without an extension. [[PaneForestsStrategy]]
  * plans it as [[PaneForestsExec]], which is part of the code generated for the whole stage. In a session that does not
  * have the strategy, such as one that reaches a query of another session through a global view, the generator itself
  * does the same, some times slower.
  *
  * State between rows is that of one task: Spark deserialises the expression for each task.
  *
  * @param children      the `by` columns, then source, target (both BIGINT, or both STRING) and time
  * @param elementSchema the `by` columns, the number of the segment where there are some, the fields of [[PackedBlock]],
  *                      and an event-time column, which carries the watermark's metadata to the next operator and is
  *                      never late itself
  * @param forState      whether blocks may be kept, one by one, in the state of a stream: each then has the names of its
  *                      own vertices, and a few edges are thinned as well
  * @param segments      into which graphs are cut, in a batch query; a block is sent to each segment that needs it
  */
private[sparkbic] final case class PaneForests(
    children: Seq[Expression],
    panes: Panes,
    elementSchema: StructType,
    forState: Boolean,
    segments: Option[Segments] = None
) extends Generator
    with CodegenFallback {

  @transient private lazy val feed = new EdgeFeed(children, panes, elementSchema, forState, segments)

  override def eval(input: InternalRow): IterableOnce[InternalRow] =
    if (feed.add(input)) feed.closedRows else Nil

  override def terminate(): IterableOnce[InternalRow] = feed.closedRows

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[Expression]): PaneForests =
    copy(children = newChildren)
}

private[sparkbic] object PaneForests {

  /** Whether a plan holds stage 1 of a stream of ours; a table of answers may be joined with any stream. */
  def areStreamedIn(plan: LogicalPlan): Boolean = plan.exists {
    case Generate(forests: PaneForests, _, _, _, _, _) => forests.forState
    case _                                             => false
  }
}

/** Rows into open forests, without generated code.
  *
  * @param columns as for [[PaneForests]], bound to the rows
  */
private[operator] final class EdgeFeed(
    columns: Seq[Expression],
    panes: Panes,
    schema: StructType,
    forState: Boolean,
    segments: Option[Segments]
) {
  private val strings = EdgeFeed.strings(columns)
  private val forests = new OpenForests(panes, strings, forState, segments, schema)
  private val keyCount = columns.size - 3
  private val key = UnsafeProjection.create(columns.take(keyCount))
  private val edge = UnsafeProjection.create(columns.drop(keyCount))
  private val oneGraph = EdgeFeed.oneGraph(columns)

  /** Adds the edge of a row; true if it is time to send the forests on. */
  def add(row: InternalRow): Boolean = {
    val graph = if (oneGraph) forests.onlyGraph(key(row)) else forests.graph(key(row))
    val ends = edge(row)
    if (ends.anyNull) graph.addNull()
    else if (strings) graph.add(ends.getUTF8String(0), ends.getUTF8String(1), ends.getLong(2))
    else graph.add(ends.getLong(0), ends.getLong(1), ends.getLong(2))
    forests.isFull
  }

  /** Closes the forests, whose blocks these are: in one row, which the next one overwrites, as rows of any operator are. */
  def closedRows: Iterator[InternalRow] = {
    forests.close()
    Iterator.continually(forests.next()).takeWhile(_ != null)
  }
}

private[operator] object EdgeFeed {

  /** Whether all rows are of one graph. */
  def oneGraph(columns: Seq[Expression]): Boolean = columns.dropRight(3).forall(_.foldable)

  /** Whether vertices are strings. */
  def strings(columns: Seq[Expression]): Boolean =
    columns(columns.size - 3).dataType.isInstanceOf[StringType]
}
