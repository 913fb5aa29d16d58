package io.github.sparkbic.operator.forests

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.expressions.{GenericInternalRow, UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.types.StructType

import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.operator.block.PackedBlock

/** The state of stage 1 in one input task: the open graphs, each with its open panes. When the state [[isFull]], and at the end
  * of the input, the caller calls `close`, and `next` until it gives null.
  *
  * A task holds at most [[OpenMemory.Most]] vertices in open panes, and fewer where Spark's memory manager grants no
  * memory for more. Graphs, panes and pending names count as the vertices that would take their memory. Beyond the bound
  * all blocks are sent, and the task starts with no forest. So the memory is bounded for any input; the operator merges
  * blocks of one pane.
  *
  * The parameters are those of [[PaneForests]], whose `elementSchema` is `schema`.
  *
  * @param leastQueued graphs from which on edges wait in an [[EdgeQueue]]
  */
private[operator] final class OpenGraphs(
    panes: Panes,
    strings: Boolean,
    forState: Boolean,
    segments: Option[Segments],
    schema: StructType,
    memory: OpenMemory = OpenMemory.ofTask,
    leastQueued: Int = EdgeQueue.LeastGraphs
) {
  private val keyTypes =
    schema.fields.dropRight(segments.size + PackedBlock.fields.size + 1).map(_.dataType)
  private val toUnsafe = UnsafeProjection.create(schema)
  private val graphs = new GraphTable
  private val dictionaries = new DictionaryNumbers
  private lazy val queue = new EdgeQueue(graphs, open(_, new PaneDensity))
  private var last: OpenGraph = null
  // Of the open graphs alone: closed graphs keep theirs.
  private var load = new OpenLoad(dictionaries)
  private var closed = Iterator[UnsafeRow]()
  // How dense the panes of the only graph are, if there is only one, which is opened anew after its blocks are sent.
  private val density = new PaneDensity
  private[operator] def weight: Long = load.vertices

  /** Whether all blocks must be sent. */
  def isFull: Boolean = load.vertices > memory.room && memory.isFullWith(load.vertices)

  /** The graph of a task whose rows all have this key. */
  def onlyGraph(key: UnsafeRow): OpenGraph = {
    if (last == null) last = open(key, density)
    last
  }

  /** The graph of this key, which the caller may overwrite. The last graph is tested first, since keys often come in runs. */
  def graph(key: UnsafeRow): OpenGraph = {
    if (last == null || last.key != key) {
      last = graphs.get(key)
      if (last == null) last = open(key, new PaneDensity)
    }
    last
  }

  /** Adds an edge to the graph of this key, which the caller may overwrite. */
  def add(key: UnsafeRow, src: Long, dst: Long, time: Long): Unit =
    if (areQueued && GraphTable.isShort(key)) queue.add(key, src, dst, time)
    else graph(key).add(src, dst, time)

  // Until the graphs are closed, their number does not fall.
  private def areQueued: Boolean = graphs.shortKeys >= leastQueued

  /** Closes all graphs; [[next]] gives their blocks. */
  def close(): Unit = {
    if (areQueued) queue.flush()
    val more = graphs.drain().iterator.flatMap { graph =>
      graph.blocks(segments).map { case (segment, block) => row(graph.key, segment, block) }
    }
    closed = if (closed.hasNext) closed ++ more else more
    last = null
    load = new OpenLoad(dictionaries)
  }

  /** The next block of the closed graphs, in a row that the next call overwrites; null after the last block. */
  def next(): UnsafeRow =
    if (closed.hasNext) closed.next()
    else {
      memory.release()
      null
    }

  private def open(key: UnsafeRow, density: PaneDensity): OpenGraph = {
    val graph = new OpenGraph(key.copy(), panes, strings, forState, load, density)
    graphs.add(graph)
    graph
  }

  private def row(key: UnsafeRow, segment: Long, block: PackedBlock): UnsafeRow = {
    val values = new Array[Any](schema.size)
    keyTypes.indices.foreach(i => values(i) = key.get(i, keyTypes(i)))
    if (segments.nonEmpty) values(keyTypes.length) = segment
    block.productIterator.copyToArray(values, keyTypes.length + segments.size)
    values(values.length - 1) = OpenGraphs.NeverLate
    toUnsafe(new GenericInternalRow(values))
  }
}

private[operator] object OpenGraphs {

  /** The event time of a block. A block holds edges of many times, so the operator drops late edges, and Spark must not. */
  val NeverLate: Long = Long.MaxValue
}

/** The vertices in open panes of a task, and the vertices that would take the memory of graphs and names. */
private[operator] final class OpenLoad(val dictionaries: DictionaryNumbers) {
  var vertices: Long = 0L
}

private object OpenLoad {

  /** The memory of a graph without panes, and of a pane without vertices: there may be many small graphs. */
  val GraphWeight: Long = 4L
  val PaneWeight: Long = 6L

  /** The vertices that would take `bytes` of memory. */
  def weightOf(bytes: Long): Long = bytes >> 6
}

/** Numbers the dictionaries of blocks that share names: the partition of the task, and a count. The numbers are positive, and
  * unique in a shuffle.
  *
  * Every attempt at a task gives the same numbers. Spark compares the blocks of a repeated task with the lost blocks. If they
  * differ, Spark repeats all readers, and fails a query with answers that it has sent.
  */
private[operator] final class DictionaryNumbers {
  private val partition = Option(TaskContext.get()).fold(0)(_.partitionId())
  private var count = 0

  def next(): Long = {
    count += 1
    partition.toLong << 32 | (count & 0xffffffffL)
  }
}
