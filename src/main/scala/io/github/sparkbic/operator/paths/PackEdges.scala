package io.github.sparkbic.operator.paths

import scala.collection.mutable

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
  * @param elementSchema the key of the graph, start and end of the window, and the fields of a block
  */
private[paths] final case class PackEdges(children: Seq[Expression], keys: Int, elementSchema: StructType)
    extends Generator
    with CodegenFallback {
  private lazy val strings = children(keys).dataType.isInstanceOf[StringType]
  private lazy val kept = WindowEdges.kept(elementSchema)
  @transient private lazy val key = UnsafeProjection.create(children.take(keys))
  @transient private lazy val edge = UnsafeProjection.create(children.slice(keys, keys + 3))
  @transient private lazy val keptOf = UnsafeProjection.create(children.drop(keys + 3).init)
  // The windows of each graph, by rising start.
  @transient private lazy val graphs =
    readWindows(children.last.eval(InternalRow.empty).asInstanceOf[ArrayData])
  // Edges of one graph mostly come in a row.
  @transient private var lastKey: UnsafeRow = _
  @transient private var last: Array[AskedWindow] = _
  @transient private var held = 0

  private def readWindows(windows: ArrayData): collection.Map[UnsafeRow, Array[AskedWindow]] = {
    val ofKey = UnsafeProjection.create(children.take(keys).map(_.dataType).toArray)
    val fields = children.last.dataType.asInstanceOf[ArrayType].elementType.asInstanceOf[StructType].size
    val bounds = mutable.HashMap.empty[UnsafeRow, mutable.ArrayBuffer[(Long, Long)]]
    (0 until windows.numElements()).map(windows.getStruct(_, fields)).foreach { window =>
      bounds.getOrElseUpdate(ofKey(window).copy(), mutable.ArrayBuffer.empty) +=
        ((window.getLong(fields - 2), window.getLong(fields - 1)))
    }
    bounds.map { case (graph, found) =>
      val sorted = found.toArray.sorted
      val latestEnds = sorted.scanLeft(Long.MinValue)((latest, window) => math.max(latest, window._2)).tail
      graph -> sorted.zip(latestEnds).map { case ((start, end), latest) =>
        new AskedWindow(start, end, latest)
      }
    }
  }

  override def eval(row: InternalRow): Iterator[InternalRow] = {
    val graph = key(row)
    if (lastKey == null || graph != lastKey) {
      lastKey = graph.copy()
      last = graphs.getOrElse(lastKey, Array.empty)
    }
    val ends = edge(row)
    if (!ends.isNullAt(2)) {
      val time = ends.getLong(2)
      // One copy, for all windows of the edge.
      var values: UnsafeRow = null
      var i = PackEdges.lastStartBy(last, time)
      while (i >= 0 && last(i).latestEnd > time) {
        val window = last(i)
        if (window.end > time) {
          if (window.edges == null) window.edges = new WindowEdges(strings, kept)
          if (values == null && kept.nonEmpty) values = keptOf(row).copy()
          window.edges.add(ends, values)
          held += (if (values == null) 1 else 1 + values.getSizeInBytes / PackEdges.EdgeBytes)
        }
        i -= 1
      }
    }
    if (held < PackEdges.MostEdges) Iterator.empty else terminate()
  }

  override def terminate(): Iterator[InternalRow] = {
    held = 0
    for ((graph, windows) <- graphs.iterator; window <- windows.iterator if window.edges != null) yield {
      val block = window.edges.toBlock
      window.edges = null
      new JoinedRow(graph, new JoinedRow(InternalRow(window.start, window.end), block))
    }
  }

  override def prettyName: String = "bic_pack_edges"

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[Expression]): PackEdges =
    copy(children = newChildren)
}

private object PackEdges {

  /** Edges that a task holds before it sends their blocks, if no columns are kept. */
  val MostEdges: Int = 1 << 18

  private val EdgeBytes = 16

  /** The last window that starts at or before `time`; -1 if there is none. */
  private def lastStartBy(windows: Array[AskedWindow], time: Long): Int = {
    var low = 0
    var high = windows.length
    while (low < high) {
      val middle = (low + high) >>> 1
      if (windows(middle).start <= time) low = middle + 1 else high = middle
    }
    low - 1
  }
}

/** A window, and its edges in one task: null if there are none.
  *
  * @param latestEnd the latest end of this window and of the windows of its graph that start before
  */
private final class AskedWindow(val start: Long, val end: Long, val latestEnd: Long) {
  var edges: WindowEdges = _
}
