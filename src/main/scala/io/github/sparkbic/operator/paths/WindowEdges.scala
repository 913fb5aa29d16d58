package io.github.sparkbic.operator.paths

import java.util.Arrays

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData
import org.apache.spark.sql.types._

/** Edges of one window of one graph, with their vertices and times: those of an input task, or in the end all of them.
  *
  * Memory: 16 bytes an edge, and three times as much while the arrays grow, beside [[WindowVertices]].
  */
private[paths] final class WindowEdges(strings: Boolean) {
  val vertices: WindowVertices = WindowVertices.create(strings)
  // Source and target of each edge, as the halves of one number, and its time.
  private var ends, times = new Array[Long](8)
  private var count = 0
  private var nulls = 0L

  def size: Int = count

  def time(edge: Int): Long = times(edge)

  /** Source and target of each edge, as the halves of one number. They leave the memory with the caller. */
  def takeEnds(): Array[Long] = {
    val taken = ends
    ends = null
    taken
  }

  /** Adds an edge of a row with source, target and time. An edge with a null end is only counted. */
  def add(row: InternalRow): Unit =
    if (row.isNullAt(0) || row.isNullAt(1)) nulls += 1
    else add(vertices.number(row, 0), vertices.number(row, 1), row.getLong(2))

  private def add(source: Int, target: Int, time: Long): Unit = {
    if (count == times.length) grow()
    ends(count) = source.toLong << 32 | target
    times(count) = time
    count += 1
  }

  private def grow(): Unit = {
    if (count == WindowEdges.MaxEdges)
      throw new IllegalStateException(
        s"more than $count edges in one window of one graph; split the graph with `by`, or ask for paths in a shorter window"
      )
    val room = math.min(2L * count, WindowEdges.MaxEdges.toLong).toInt
    ends = Arrays.copyOf(ends, room)
    times = Arrays.copyOf(times, room)
  }

  /** The fields of a block, in the order of [[WindowEdges.block]]. */
  def toBlock: InternalRow = InternalRow(
    UnsafeArrayData.fromPrimitiveArray(Arrays.copyOf(ends, count)),
    UnsafeArrayData.fromPrimitiveArray(Arrays.copyOf(times, count)),
    vertices.toArray,
    count + nulls,
    nulls
  )

  /** Adds the edges of a block. */
  def addBlock(block: InternalRow): Unit = {
    val (ends, times) = (block.getArray(0).toLongArray(), block.getArray(1).toLongArray())
    val own = vertices.numberAll(block.getArray(2))
    ends.indices.foreach(e => add(own((ends(e) >>> 32).toInt), own(ends(e).toInt), times(e)))
  }
}

private[paths] object WindowEdges {

  /** The fields of a block: its edges, whose ends are places in `vertices`, and how many rows it was made of. */
  def block(idType: DataType): Seq[StructField] =
    Seq("ends" -> LongType, "times" -> LongType, "vertices" -> idType)
      .map { case (name, items) => StructField(name, ArrayType(items, containsNull = false)) } ++
      Seq("rows", "nullRows").map(StructField(_, LongType))

  /** An array has room for both ends of so many edges. */
  private val MaxEdges: Int = (1 << 30) - 8
}
