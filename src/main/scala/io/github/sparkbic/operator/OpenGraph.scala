package io.github.sparkbic.operator

import java.util.{HashMap => JHashMap}

import scala.collection.mutable.ArrayBuffer
import scala.jdk.CollectionConverters._

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.index.{PaneForestBuilder, Panes}

/** The open forests of one graph in an input task, one a pane. */
private[operator] final class OpenGraph(val key: UnsafeRow, panes: Panes, strings: Boolean) {
  private val forests = new JHashMap[java.lang.Long, OpenForest]
  private var last = null: OpenForest
  private var lastStart = 0L
  private var lastLength = 0L

  /** Rows with a null endpoint or time. */
  var nullRows: Long = 0L

  /** The forest of the pane that holds `time`; edges mostly come in runs of one pane, which cost a comparison each. */
  def forestAt(time: Long): OpenForest = {
    // Both differences are taken modulo 2^64, so that this is right at the ends of the range as well.
    if (java.lang.Long.compareUnsigned(time - lastStart, lastLength) >= 0) {
      val pane = panes.paneOf(time)
      last = forests.get(pane)
      if (last == null) {
        last = new OpenForest(pane, strings)
        forests.put(pane, last)
      }
      lastStart = panes.timeOf(pane)
      // A pane that a Long cannot hold whole is looked up every time.
      lastLength =
        if (lastStart > Long.MinValue && lastStart <= Long.MaxValue - panes.length) panes.length else 0L
    }
    last
  }

  def blocks: Iterator[PackedBlock] = {
    val nulls =
      if (nullRows > 0) Iterator(PackedBlock(PackedBlock.NoPane, nullRows, null, null)) else Iterator.empty
    nulls ++ forests.values.asScala.iterator.map(_.block)
  }
}

/** A forest in the making, with the number of its edges and, where vertices are strings, their names. */
private[operator] final class OpenForest(pane: Long, strings: Boolean) {
  private val builder = new PaneForestBuilder()
  private val numbers = if (strings) new JHashMap[UTF8String, java.lang.Long] else null
  private val names = if (strings) ArrayBuffer.empty[UTF8String] else null
  private var edges = 0L

  def size: Int = builder.size

  def add(src: Long, dst: Long): Unit = {
    edges += 1
    builder.add(src, dst)
  }

  def add(src: UTF8String, dst: UTF8String): Unit = add(number(src), number(dst))

  def block: PackedBlock =
    PackedBlock(pane, edges, builder.result().toBytes, if (strings) VertexNames.pack(names) else null)

  private def number(name: UTF8String): Long = {
    val known = numbers.get(name)
    if (known != null) known
    else {
      // The row that holds the string is used again for the next edge.
      val copy = name.copy()
      numbers.put(copy, names.size.toLong)
      names += copy
      names.size - 1L
    }
  }
}
