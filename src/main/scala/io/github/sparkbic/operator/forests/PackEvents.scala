package io.github.sparkbic.operator.forests

import scala.collection.mutable

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback
import org.apache.spark.sql.types.StructType

import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.operator.block.{EventRows, PackedBlock}

/** In every input task, the events of each graph and pane become blocks, which go through one shuffle with the edges.
  *
  * To Spark's optimizer this is a generator, which holds state between the rows of one task: at most
  * [[MostBytes]] of blocks that are not full.
  *
  * @param keys          the `by` columns
  * @param time          the time of an event
  * @param event         all columns of an event
  * @param segments      into which a batch query cuts its graphs; an event goes to the owner of its pane
  * @param elementSchema that of [[PaneForests]]
  */
private[operator] final case class PackEvents(
    keys: Seq[Expression],
    time: Expression,
    event: Seq[Expression],
    panes: Panes,
    segments: Option[Segments],
    elementSchema: StructType
) extends Generator
    with CodegenFallback {
  // Blocks that a task holds before it sends all of them.
  private final val MostBytes = 8L << 20
  @transient private lazy val keyOf = UnsafeProjection.create(keys)
  @transient private lazy val eventOf = UnsafeProjection.create(event)
  @transient private lazy val open = mutable.HashMap.empty[(UnsafeRow, Long), EventRows]
  // Events of one graph and pane mostly come in a row.
  @transient private var lastKey: UnsafeRow = _
  @transient private var lastPane = 0L
  @transient private var lastRows: EventRows = _
  @transient private var held = 0L

  override def children: Seq[Expression] = (keys :+ time) ++ event

  override def eval(row: InternalRow): Iterator[InternalRow] = {
    val key = keyOf(row)
    val at = time.eval(row)
    val pane = if (at == null) PackedBlock.NoPane else panes.paneOf(at.asInstanceOf[Long])
    if (lastRows == null || pane != lastPane || key != lastKey) turnTo(key, pane)
    val added = eventOf(row)
    lastRows.add(added)
    held += added.getSizeInBytes
    if (lastRows.isFull) {
      held -= lastRows.size + EventRows.Weight + lastKey.getSizeInBytes
      open.remove((lastKey, pane))
      val full = lastRows
      lastRows = null
      Iterator.single(block(lastKey, pane, full))
    } else if (held > MostBytes) terminate()
    else Iterator.empty
  }

  private def turnTo(key: UnsafeRow, pane: Long): Unit = {
    if (lastKey == null || key != lastKey) lastKey = key.copy()
    lastPane = pane
    lastRows = open.getOrElseUpdate(
      (lastKey, pane), {
        held += EventRows.Weight + lastKey.getSizeInBytes
        new EventRows
      }
    )
  }

  override def terminate(): Iterator[InternalRow] = {
    val closed = open.toArray
    open.clear()
    lastKey = null
    lastRows = null
    held = 0
    closed.iterator.map { case ((key, pane), rows) => block(key, pane, rows) }
  }

  private def block(key: UnsafeRow, pane: Long, rows: EventRows): InternalRow = {
    // Any segment may answer events without a time.
    val segment = segments.map(cut => if (pane == PackedBlock.NoPane) 0L else cut.of(pane))
    val packed = PackedBlock(pane, 0, null, null, events = rows.toColumn)
    val values = segment.toSeq ++ packed.productIterator :+ OpenGraphs.EndOfTime
    new JoinedRow(key, InternalRow.fromSeq(values))
  }

  override def prettyName: String = "bic_pack_events"

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[Expression]): PackEvents =
    copy(
      keys = newChildren.take(keys.size),
      time = newChildren(keys.size),
      event = newChildren.drop(keys.size + 1)
    )
}
