package io.github.sparkbic.operator.paths

import java.util.Arrays

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback
import org.apache.spark.sql.catalyst.util.ArrayData
import org.apache.spark.sql.types._

/** In every input task, the edges of each asked window become blocks: edges in one array, their vertices in another.
  *
  * To Spark's optimizer this is a generator, which holds state between the rows of one task. A task holds at most
  * [[PackEdges.MostEdges]] edges, 16 bytes each, and their vertices. Of edges with kept columns it holds fewer, so that a
  * block is no larger.
  *
  * @param children      the key of the graph, then source, target (both BIGINT, or both STRING) and time, the columns that
  *                      are kept, and last the array of all asked windows: structs of the key, the start and the end
  * @param keys          how many columns are the key of the graph
  * @param kept          the columns that are kept
  * @param elementSchema the key of the graph, start and end of the window, and the fields of a block
  */
private[paths] final case class PackEdges(
    children: Seq[Expression],
    keys: Int,
    kept: StructType,
    elementSchema: StructType
) extends Generator
    with CodegenFallback {
  private lazy val strings = children(keys).dataType.isInstanceOf[StringType]
  @transient private lazy val key = UnsafeProjection.create(children.take(keys))
  @transient private lazy val edge = UnsafeProjection.create(children.slice(keys, keys + 3))
  @transient private lazy val keptOf = UnsafeProjection.create(children.drop(keys + 3).init)
  @transient private lazy val graphs =
    readWindows(children.last.eval(InternalRow.empty).asInstanceOf[ArrayData])
  // Edges of one graph mostly come in a row.
  @transient private var lastKey: UnsafeRow = _
  @transient private var last: AskedWindows = _
  @transient private var held = 0

  private def readWindows(windows: ArrayData): Map[UnsafeRow, AskedWindows] = {
    val ofKey = UnsafeProjection.create(children.take(keys).map(_.dataType).toArray)
    val fields = children.last.dataType.asInstanceOf[ArrayType].elementType.asInstanceOf[StructType].size
    (0 until windows.numElements()).map(windows.getStruct(_, fields)).groupBy(ofKey(_).copy())
      .map { case (graph, of) =>
        val bounds = of.map(window => (window.getLong(fields - 2), window.getLong(fields - 1)))
        graph -> new AskedWindows(bounds.toArray.sorted)
      }
  }

  override def eval(row: InternalRow): Iterator[InternalRow] = {
    val graph = key(row)
    if (lastKey == null || graph != lastKey) {
      lastKey = graph.copy()
      last = graphs.getOrElse(lastKey, new AskedWindows(Array.empty))
    }
    val ends = edge(row)
    if (!ends.isNullAt(2)) {
      val time = ends.getLong(2)
      // One copy, for all windows of the edge.
      var values: UnsafeRow = null
      var i = last.lastStartBy(time)
      while (i >= 0 && last.latestEnds(i) > time) {
        if (last.ends(i) > time) {
          if (last.edges(i) == null) last.edges(i) = new WindowEdges(strings, kept)
          if (values == null && kept.nonEmpty) values = keptOf(row).copy()
          last.edges(i).add(ends, values)
          held += (if (values == null) 1 else 1 + values.getSizeInBytes / PackEdges.EdgeBytes)
        }
        i -= 1
      }
    }
    if (held < PackEdges.MostEdges) Iterator.empty else terminate()
  }

  override def terminate(): Iterator[InternalRow] = {
    held = 0
    for ((graph, of) <- graphs.iterator; i <- of.edges.indices.iterator if of.edges(i) != null) yield {
      val block = of.edges(i).toBlock
      of.edges(i) = null
      new JoinedRow(graph, new JoinedRow(InternalRow(of.starts(i), of.ends(i)), block))
    }
  }

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[Expression]): PackEdges =
    copy(children = newChildren)
}

private object PackEdges {

  /** Edges that a task holds before it sends their blocks, if no columns are kept. */
  val MostEdges: Int = 1 << 18

  private val EdgeBytes = 16
}

/** The windows of one graph by rising start, each with its edges in one task: null if there are none. */
private final class AskedWindows(bounds: Array[(Long, Long)]) {
  val (starts, ends) = bounds.unzip
  val edges = new Array[WindowEdges](bounds.length)

  /** The latest end of each window and of the windows that start before. */
  val latestEnds: Array[Long] = ends.scanLeft(Long.MinValue)(math.max(_, _)).tail

  /** The last window that starts at or before `time`; -1 if there is none. */
  def lastStartBy(time: Long): Int = {
    var i = Arrays.binarySearch(starts, time)
    if (i < 0) i = -i - 2
    while (i + 1 < starts.length && starts(i + 1) == time) i += 1
    i
  }
}
