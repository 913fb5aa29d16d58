package io.github.sparkbic.operator.paths

import scala.collection.mutable

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{JoinedRow, UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.catalyst.util.ArrayData
import org.apache.spark.sql.types.{DataType, LongType, StructField, StructType}

/** The asked windows of all graphs, by the key of the graph. */
private[paths] final class AskedWindows(graphs: collection.Map[UnsafeRow, WindowsOfGraph]) {
  // Edges of one graph mostly come in a row.
  private var lastKey: UnsafeRow = _
  private var last: WindowsOfGraph = _

  /** The windows of the graph with this key; null if there are none. */
  def of(key: UnsafeRow): WindowsOfGraph = {
    if (lastKey == null || key != lastKey) {
      lastKey = key.copy()
      last = graphs.getOrElse(lastKey, null)
    }
    last
  }

  /** The blocks of all windows with edges, which are empty again. */
  def takeBlocks(): Iterator[InternalRow] = graphs.iterator.flatMap { case (key, windows) =>
    windows.takeBlocks().map(new JoinedRow(key, _))
  }
}

private[paths] object AskedWindows {

  /** @param array structs of the key, the start and the end of a window, in microseconds
    * @param keys  the types of the key
    */
  def apply(array: Any, keys: Seq[DataType], strings: Boolean): AskedWindows = {
    val width = keys.size + 2
    val key = UnsafeProjection.create(keys.toArray)
    val bounds = mutable.HashMap.empty[UnsafeRow, mutable.ArrayBuffer[(Long, Long)]]
    array.asInstanceOf[ArrayData].foreach(
      StructType((keys ++ Seq(LongType, LongType)).map(StructField("", _))),
      (_, window) => {
        val row = window.asInstanceOf[InternalRow]
        if (!row.isNullAt(width - 2) && !row.isNullAt(width - 1))
          bounds.getOrElseUpdate(key(row).copy(), mutable.ArrayBuffer.empty) +=
            ((row.getLong(width - 2), row.getLong(width - 1)))
      }
    )
    new AskedWindows(bounds.map { case (graph, found) =>
      graph -> new WindowsOfGraph(found.toArray.sorted, strings)
    })
  }
}

/** The asked windows of one graph, by rising start, each with the block of its edges.
  *
  * @param bounds start and end of each window, in microseconds
  */
private[paths] final class WindowsOfGraph(bounds: Array[(Long, Long)], strings: Boolean) {
  private val starts = bounds.map(_._1)
  private val ends = bounds.map(_._2)
  private val blocks = new Array[EdgeBlock](starts.length)

  private val longest = bounds.map { case (start, end) =>
    // Of bounds at both ends of time, the difference overflows.
    if (end > start && end - start < 0) Long.MaxValue else end - start
  }.max

  /** The last window that starts at or before `time`; -1 if there is none. */
  def lastStartBy(time: Long): Int = {
    var low = 0
    var high = starts.length
    while (low < high) {
      val middle = (low + high) >>> 1
      if (starts(middle) <= time) low = middle + 1 else high = middle
    }
    low - 1
  }

  /** Whether a window that starts as early as this one may be long enough to hold `time`. */
  def mayHold(window: Int, time: Long): Boolean = {
    val passed = time - starts(window)
    passed >= 0 && passed < longest
  }

  def holds(window: Int, time: Long): Boolean = time < ends(window)

  def block(window: Int): EdgeBlock = {
    if (blocks(window) == null) blocks(window) = new EdgeBlock(strings)
    blocks(window)
  }

  /** Start and end of each window with edges, and its block. */
  def takeBlocks(): Iterator[InternalRow] = starts.indices.iterator.filter(blocks(_) != null).map { i =>
    val block = blocks(i)
    blocks(i) = null
    new JoinedRow(InternalRow(starts(i), ends(i)), block.toRow)
  }
}
