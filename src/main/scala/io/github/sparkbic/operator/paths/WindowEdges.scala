package io.github.sparkbic.operator.paths

import java.util.Arrays

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.util.GenericArrayData
import org.apache.spark.sql.types._

/** Edges of one window of one graph, with their vertices and times: those of an input task, or in the end all of them.
  *
  * Memory: 16 bytes an edge, and three times as much while the arrays grow, beside [[WindowVertices]]. Kept columns take
  * 50 bytes an edge and the bytes of their values more.
  *
  * @param columns the columns that are kept for each edge
  */
private[paths] final class WindowEdges(strings: Boolean, columns: StructType) {
  val vertices: WindowVertices = WindowVertices.create(strings)
  private var ends, times = new Array[Long](8)
  // The values of the kept columns of each edge; null if there are no such columns.
  private var values: Array[UnsafeRow] = if (columns.isEmpty) null else new Array(8)
  private lazy val byValues = {
    val orders = columns.zipWithIndex.collect {
      case (column, i) if RowOrdering.isOrderable(column.dataType) =>
        SortOrder(BoundReference(i, column.dataType, column.nullable), Ascending)
    }
    RowOrdering.create(orders, Nil)
  }
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

  def kept(edge: Int): Seq[Any] = if (values == null) Nil else values(edge).toSeq(columns)

  /** The order of two edges by their kept columns as Spark sorts them. Columns whose type has no order, such as maps, and
    * equal values of different bytes are compared by their bytes, so that any two edges of one order have the same values.
    */
  def compareKept(a: Int, b: Int): Int =
    if (values == null) 0
    else {
      val sorted = byValues.compare(values(a), values(b))
      if (sorted != 0) sorted else Arrays.compareUnsigned(values(a).getBytes, values(b).getBytes)
    }

  /** Adds an edge of a row with source, target and time. An edge with a null end is only counted.
    *
    * @param kept the values of the kept columns; null if there are no such columns
    */
  def add(row: InternalRow, kept: UnsafeRow): Unit =
    if (row.isNullAt(0) || row.isNullAt(1)) nulls += 1
    else add(vertices.number(row, 0), vertices.number(row, 1), row.getLong(2), kept)

  private def add(source: Int, target: Int, time: Long, kept: UnsafeRow): Unit = {
    if (count == times.length) grow()
    if (values != null) values(count) = kept
    ends(count) = source.toLong << 32 | target
    times(count) = time
    count += 1
  }

  private def grow(): Unit = {
    // An array has room for both ends of so many edges.
    val most = (1 << 30) - 8
    if (count == most)
      throw new IllegalStateException(
        s"more than $count edges in one window of one graph; split the graph with `by`, or ask for paths in a shorter window"
      )
    val room = math.min(2L * count, most.toLong).toInt
    ends = Arrays.copyOf(ends, room)
    times = Arrays.copyOf(times, room)
    if (values != null) values = Arrays.copyOf(values, room)
  }

  /** The fields of a block, in the order of [[WindowEdges.block]]. */
  def toBlock: InternalRow = InternalRow(
    UnsafeArrayData.fromPrimitiveArray(Arrays.copyOf(ends, count)),
    UnsafeArrayData.fromPrimitiveArray(Arrays.copyOf(times, count)),
    vertices.toArray,
    if (values == null) null else new GenericArrayData(values.take(count).toArray[Any]),
    count + nulls,
    nulls
  )

  def addBlock(block: InternalRow): Unit = {
    val (ends, times) = (block.getArray(0).toLongArray(), block.getArray(1).toLongArray())
    val ofBlock = block.getArray(2)
    val own = Array.tabulate(ofBlock.numElements())(vertices.number(ofBlock, _))
    // The rows of the array are views of it, and Spark overwrites the block with the next block.
    val kept = if (values == null) null else block.getArray(3).copy()
    ends.indices.foreach { e =>
      val ofEdge = if (kept == null) null else kept.getStruct(e, columns.size).asInstanceOf[UnsafeRow]
      add(own((ends(e) >>> 32).toInt), own(ends(e).toInt), times(e), ofEdge)
    }
  }
}

private[paths] object WindowEdges {

  /** The fields of a block: its edges, whose ends are places in `vertices`, their kept columns, and how many rows the block
    * was made of.
    */
  def block(idType: DataType, kept: StructType): Seq[StructField] =
    Seq("ends" -> LongType, "times" -> LongType, "vertices" -> idType, "kept" -> kept)
      .map { case (name, items) => StructField(name, ArrayType(items, containsNull = false)) } ++
      Seq("rows", "nullRows").map(StructField(_, LongType))
}
