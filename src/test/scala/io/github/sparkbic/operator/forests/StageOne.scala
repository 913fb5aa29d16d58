package io.github.sparkbic.operator.forests

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.types.{DataType, LongType, StructField, StructType, TimestampType}
import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.index.{Oracle, TestEdges, TimedEdge}
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.operator.block.{Names, PackedBlock, VertexIds}

/** Stage 1 of a test: the open graphs of a task, and the blocks that leave it. */
private[operator] object StageOne {

  def schema(first: DataType*): StructType = StructType(
    first.zipWithIndex.map { case (t, i) => StructField(s"key$i", t) } ++ PackedBlock.fields :+
      StructField("eventTime", TimestampType)
  )

  def open(
      panes: Panes = Panes(10, 10),
      strings: Boolean = false,
      forState: Boolean = false,
      keys: Seq[DataType] = Seq(LongType),
      memory: OpenMemory = OpenMemory.ofTask,
      leastQueued: Int = EdgeQueue.LeastGraphs
  ): OpenGraphs = new OpenGraphs(panes, strings, forState, None, schema(keys: _*), memory, leastQueued)

  private val toKey = UnsafeProjection.create(Array[DataType](LongType))

  /** The key of a graph, in a row that the next call overwrites. */
  def key(graph: Long): UnsafeRow = toKey(InternalRow(graph))

  def utf8(text: String): UTF8String = UTF8String.fromString(text)

  def rows(forests: OpenGraphs): Seq[UnsafeRow] = {
    forests.close()
    Iterator.continually(forests.next()).takeWhile(_ != null).map(_.copy()).toVector
  }

  def blocks(forests: OpenGraphs): Seq[PackedBlock] = rows(forests).map(block(_))

  /** The block of a row, behind so many columns. */
  def block(row: InternalRow, from: Int = 1): PackedBlock = {
    def bytes(at: Int) = if (row.isNullAt(at)) null else row.getBinary(at)
    val (pane, edges, dictionary) = (row.getLong(from), row.getLong(from + 1), row.getLong(from + 4))
    PackedBlock(pane, edges, bytes(from + 2), bytes(from + 3), dictionary, bytes(from + 5))
  }

  /** The links of a block between vertices, of which `vertexOf` gives that of a string. */
  def links(
      block: PackedBlock,
      ids: VertexIds = VertexIds.create(strings = false),
      vertexOf: String => Long = _.toLong
  ): Seq[TimedEdge] = {
    def vertex(id: Long) = Names.shown(ids, id) match {
      case name: String => vertexOf(name)
      case number       => number.asInstanceOf[Long]
    }
    TestEdges.links(ids.edgeSet(block)).map(link => link.copy(src = vertex(link.src), dst = vertex(link.dst)))
  }

  /** Of each pane the number of edges, and the component of each vertex, as one reader of the blocks sees them. */
  def read(
      blocks: Seq[PackedBlock],
      strings: Boolean = false,
      vertexOf: String => Long = _.toLong
  ): Map[Long, (Long, Map[Long, Long])] = {
    val ids = VertexIds.create(strings)
    val parts = blocks.map(block => (block.pane, block.edges, links(block, ids, vertexOf)))
    parts.groupBy(_._1).map { case (pane, of) =>
      pane -> (of.map(_._2).sum -> Oracle.components(of.flatMap(_._3)))
    }
  }

  /** What [[read]] has of these edges, in panes of `panes`. */
  def wanted(edges: Seq[TimedEdge], panes: Panes = Panes(10, 10)): Map[Long, (Long, Map[Long, Long])] =
    edges.groupBy(edge => panes.paneOf(edge.time)).map { case (pane, of) =>
      pane -> (of.size.toLong -> Oracle.components(of))
    }
}
