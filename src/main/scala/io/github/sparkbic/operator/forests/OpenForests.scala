package io.github.sparkbic.operator.forests

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.expressions.{GenericInternalRow, UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.types.StructType

import io.github.sparkbic.index.contract.{Panes, Segments}
import io.github.sparkbic.operator.block.PackedBlock

/** The state of stage 1 in one input task: the forests in the making, of each graph and pane.
  *
  * {{{
  * for each edge:          onlyGraph or graph(key), then OpenGraph.add; if (isFull) { close; next until null }
  * at the end of the input: close; next until null
  * }}}
  *
  * A task holds at most [[OpenForests.MaxOpenVertices]] vertices in open forests. Graphs, forests and names that wait count
  * as so many vertices as take their memory. When there are more, all are sent on and the task starts afresh. So its memory
  * is bounded whatever the input, and the operator merges blocks of one pane.
  *
  * @param forState whether blocks may be kept, one by one, in the state of a stream
  * @param segments into which graphs are cut, if at all
  * @param schema   the `by` columns, the number of the segment where there are some, the fields of [[PackedBlock]], and
  *                 an event time, which is never late
  */
private[operator] final class OpenForests(
    panes: Panes,
    strings: Boolean,
    forState: Boolean,
    segments: Option[Segments],
    schema: StructType
) {
  private val keyTypes =
    schema.fields.dropRight(segments.size + PackedBlock.fields.size + 1).map(_.dataType)
  private val toUnsafe = UnsafeProjection.create(schema)

  private val graphs = new GraphTable
  private var last: OpenGraph = null
  private val runs = new RunNumbers
  // Of the open graphs alone: graphs that were closed keep theirs.
  private var load = new OpenLoad(runs)
  private var closed = Iterator[UnsafeRow]()

  /** Vertices in open forests, or what takes as much memory. */
  private[forests] def weight: Long = load.vertices

  /** Whether there are enough open forests to send them on. */
  def isFull: Boolean = load.vertices > OpenForests.MaxOpenVertices

  /** The graph of a task that has no other: all rows have this key. */
  def onlyGraph(key: UnsafeRow): OpenGraph = {
    if (last == null) last = open(key)
    last
  }

  /** The graph of this key, which may be changed afterwards; edges mostly come in runs, or all over. */
  def graph(key: UnsafeRow): OpenGraph = {
    if (last == null || last.key != key) {
      last = graphs.get(key)
      if (last == null) last = open(key)
    }
    last
  }

  /** Closes all forests; [[next]] gives their blocks. */
  def close(): Unit = {
    val packings = graphs.drain().iterator.map(graph => graph -> graph.packing(segments))
    val more = packings.flatMap { case (graph, packing) =>
      packing.blocks.map { case (segment, block) => row(graph.key, segment, block) }
    }
    closed = if (closed.hasNext) closed ++ more else more
    last = null
    load = new OpenLoad(runs)
  }

  /** The next block of what was closed, in a row that the one after it overwrites; null when there is none. */
  def next(): UnsafeRow = if (closed.hasNext) closed.next() else null

  private def open(key: UnsafeRow): OpenGraph = {
    val graph = new OpenGraph(key.copy(), panes, strings, forState, load)
    graphs.add(graph)
    graph
  }

  private def row(key: UnsafeRow, segment: Long, block: PackedBlock): UnsafeRow = {
    val values = new Array[Any](schema.size)
    keyTypes.indices.foreach(i => values(i) = key.get(i, keyTypes(i)))
    if (segments.nonEmpty) values(keyTypes.length) = segment
    block.productIterator.copyToArray(values, keyTypes.length + segments.size)
    values(values.length - 1) = OpenForests.NeverLate
    toUnsafe(new GenericInternalRow(values))
  }
}

/** Vertices in open forests of a task, or what takes as much memory.
  *
  * @param runs of the task
  */
private[operator] final class OpenLoad(val runs: RunNumbers) {
  var vertices: Long = 0L
}

private object OpenLoad {

  /** So many bytes of memory, in vertices. */
  def weightOf(bytes: Long): Long = bytes >> 6
}

/** Numbers for runs of blocks that share names (`NameDelta`), no two of a shuffle alike: the partition that the task makes,
  * and how many runs it has made before.
  *
  * Every attempt at a task gives the same numbers. Spark compares the blocks of a repeated task with those that were lost.
  * If they differ, Spark repeats all that has read them, and fails a query some of whose answers are out already.
  */
private[operator] final class RunNumbers {
  private val partition = Option(TaskContext.get()).fold(0)(_.partitionId())
  private var count = 0

  def next(): Long = {
    count += 1
    partition.toLong << 32 | (count & 0xffffffffL)
  }
}

private[operator] object OpenForests {

  /** Bounds the memory of a task's open forests: about 60 bytes a vertex, more for long strings. */
  val MaxOpenVertices: Long = 1L << 21

  /** The event time of a block: Spark must not drop blocks, which hold edges of many times; we look at each. */
  val NeverLate: Long = Long.MaxValue
}
