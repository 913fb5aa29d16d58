package io.github.sparkbic.operator.forests

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{JoinedRow, UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.types.StructType
import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.operator.block.{NameBatch, PackedBlock}

/** The state of stage 1 in one input task: the open graphs, each with its open panes. When the state [[isFull]], and at the end
  * of the input, the caller calls `close`, and `next` until it gives null.
  *
  * [[OpenMemory]] bounds the memory, for any input. Beyond the bound all blocks are sent, and the task starts with no
  * forest; the operator merges blocks of one pane.
  *
  * The parameters are those of [[PaneForests]], whose `elementSchema` is `schema`.
  *
  * @param leastQueued graphs from which on edges wait in an [[EdgeQueue]]
  */
private[operator] final class OpenGraphs(
    val panes: Panes,
    val strings: Boolean,
    val forState: Boolean,
    val segments: Option[Segments],
    schema: StructType,
    val memory: OpenMemory = OpenMemory.ofTask,
    leastQueued: Int = EdgeQueue.LeastGraphs
) {
  private val withKey = new JoinedRow
  private val toUnsafe = UnsafeProjection.create(schema)
  private val graphs = new GraphTable
  private lazy val queue = new EdgeQueue(graphs, this)
  private var last: OpenGraph = null
  private var closed = Iterator[UnsafeRow]()
  // The names of all graphs that are open; null where there are none yet. The next table expects as many as the last one had.
  private var shared: OpenNames = null
  private var expectedNames = 0
  private val partition = Option(TaskContext.get()).fold(0)(_.partitionId())
  private var dictionaries = 0

  /** Whether all blocks must be sent. */
  def isFull: Boolean = memory.isFull

  /** The graph of a task whose rows all have this key. */
  def onlyGraph(key: UnsafeRow): OpenGraph = {
    // Each pane of a stream has names of its own.
    if (last == null) last = open(key, if (forState) null else names)
    last
  }

  /** The graph of this key, which the caller may overwrite. The last graph is tested first, since keys often come in runs. */
  def graph(key: UnsafeRow): OpenGraph = {
    if (last == null || last.key != key) {
      last = graphs.get(key)
      if (last == null) last = open(key)
    }
    last
  }

  /** Adds an edge to the graph of this key, which the caller may overwrite. */
  def add(key: UnsafeRow, src: Long, dst: Long, time: Long): Unit =
    if (areQueued && GraphTable.isShort(key)) queue.add(key, src, dst, time)
    else graph(key).add(src, dst, time)

  def add(key: UnsafeRow, src: UTF8String, dst: UTF8String, time: Long): Unit =
    if (areQueued && GraphTable.isShort(key)) queue.add(key, src, dst, time)
    else graph(key).add(src, dst, time)

  // Until the graphs are closed, their number does not fall.
  private def areQueued: Boolean = graphs.shortKeys >= leastQueued

  /** Closes all graphs; [[next]] gives their blocks. */
  def close(): Unit = {
    if (areQueued) queue.flush()
    val more = graphs.drain().iterator.flatMap { graph =>
      graph.blocks().map { case (segment, block) => row(graph.key, segment, block) }
    }
    closed = closed ++ more
    last = null
    if (shared != null) expectedNames = shared.size
    shared = null
  }

  /** The next block of the closed graphs, in a row that the next call overwrites; null after the last block. */
  def next(): UnsafeRow =
    if (closed.hasNext) closed.next()
    else {
      memory.release()
      null
    }

  /** A number for a dictionary that blocks share: positive, and unique in a shuffle.
    *
    * Every attempt at a task gives the same numbers. Spark compares the blocks of a repeated task with the lost blocks. If
    * they differ, Spark repeats all readers, and fails a query with answers that it has sent.
    */
  def nextDictionary(): Long = {
    dictionaries += 1
    partition.toLong << 32 | (dictionaries & 0xffffffffL)
  }

  /** Opens the graph of a key that has none. */
  private[forests] def open(key: UnsafeRow): OpenGraph = open(key, names)

  /** The numbers of names of all graphs that are open. */
  private[forests] def intern(names: NameBatch): Unit = this.names.intern(names)

  private def names: OpenNames = {
    if (strings && shared == null) shared = new OpenNames(this, expectedNames)
    shared
  }

  private def open(key: UnsafeRow, names: OpenNames): OpenGraph = {
    val graph = new OpenGraph(key.copy(), this, names)
    graphs.add(graph)
    graph
  }

  private def row(key: UnsafeRow, segment: Long, block: PackedBlock): UnsafeRow = {
    val values = segments.map(_ => segment).toSeq ++ block.productIterator :+ OpenGraphs.EndOfTime
    toUnsafe(withKey(key, InternalRow.fromSeq(values)))
  }
}

private[operator] object OpenGraphs {

  /** The event time of every block. A block holds edges of many times, so Spark, which drops late rows, must drop none. */
  val EndOfTime: Long = Long.MaxValue
}
