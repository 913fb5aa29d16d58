package io.github.sparkbic.operator.forests

import java.util.{HashMap => JHashMap, Iterator => JIterator}

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.index.{PaneForestBuilder, Panes}
import io.github.sparkbic.operator.block.PackedBlock

/** The open forests of one graph in an input task, one a pane. */
private[operator] final class OpenGraph(
    val key: UnsafeRow,
    panes: Panes,
    strings: Boolean,
    load: OpenLoad
) {
  private val forests = new JHashMap[java.lang.Long, OpenForest]
  private var last = null: OpenForest
  private var lastStart = 0L
  private var lastLength = 0L
  private var packing = null: JIterator[OpenForest]

  // Rows with a null endpoint or time.
  private var nullRows = 0L

  def addNull(): Unit = nullRows += 1

  def add(src: Long, dst: Long, time: Long): Unit = {
    // Edges mostly come in runs of one pane, which cost this comparison each; both differences are taken modulo 2^64,
    // so that it is right at the ends of the range as well.
    if (java.lang.Long.compareUnsigned(time - lastStart, lastLength) >= 0) turnTo(time)
    last.add(src, dst)
  }

  def add(src: UTF8String, dst: UTF8String, time: Long): Unit = {
    if (java.lang.Long.compareUnsigned(time - lastStart, lastLength) >= 0) turnTo(time)
    last.add(src, dst)
  }

  /** The next block, of which there is one a pane and one of null rows; null at the end. No edges may follow. */
  def nextBlock(): PackedBlock =
    if (nullRows > 0) {
      val block = PackedBlock(PackedBlock.NoPane, nullRows, null, null)
      nullRows = 0
      block
    } else {
      if (packing == null) packing = forests.values.iterator
      if (!packing.hasNext) null
      else {
        val block = packing.next().block()
        packing.remove()
        block
      }
    }

  /** Makes the pane that holds `time` the last one. */
  private def turnTo(time: Long): Unit = {
    val pane = panes.paneOf(time)
    // Panes of one graph mostly hold about as much.
    val expected = if (last == null) 0 else last.size
    last = forests.get(pane)
    if (last == null) {
      last = new OpenForest(pane, strings, expected, load)
      forests.put(pane, last)
    }
    lastStart = panes.timeOf(pane)
    // A pane that a Long cannot hold whole is looked up every time.
    lastLength =
      if (lastStart > Long.MinValue && lastStart <= Long.MaxValue - panes.length) panes.length else 0L
  }
}

/** A forest in the making, with the number of its edges: of ids, or of names. */
private[operator] final class OpenForest(pane: Long, strings: Boolean, expected: Int, load: OpenLoad) {
  private val ofIds = if (strings) null else new PaneForestBuilder(expected)
  private val ofNames = if (strings) new NamedForestBuilder(expected) else null
  private var edges = 0L
  private var counted = 0

  load.vertices += OpenForest.OwnWeight

  /** Distinct vertices, but for those of a few edges that wait. */
  def size: Int = if (strings) ofNames.size else ofIds.size

  def add(src: Long, dst: Long): Unit = {
    ofIds.add(src, dst)
    count(ofIds.weight)
  }

  def add(src: UTF8String, dst: UTF8String): Unit = {
    ofNames.add(src, dst)
    count(ofNames.weight)
  }

  def block(): PackedBlock =
    if (strings) {
      val (forest, names) = ofNames.result()
      PackedBlock(pane, edges, forest.toBytes, names)
    } else PackedBlock(pane, edges, ofIds.result().toBytes, null)

  private def count(weight: Int): Unit = {
    edges += 1
    load.vertices += weight - counted
    counted = weight
  }
}

private object OpenForest {

  /** What an open forest costs beside its vertices, in vertices: it matters for many small graphs. */
  val OwnWeight = 8L
}
