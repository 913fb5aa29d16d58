package io.github.sparkbic.operator.forests

import java.util.Arrays

import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.operator.block.{DeltaWriter, NameBatch, NameTable, PackedBlock}

/** The names of all panes of a graph in a task. Forests hold numbers of names, so every forest is of integers. A batch query
  * sends each name once, however many panes have it.
  * Edges wait with their forests until a batch of names is interned. Not thread safe.
  *
  * @param perWindow panes in a window
  * @param forState  whether each block has all its names, since a stream's state keeps each block by itself
  */
private[operator] final class SharedNames(perWindow: Int, forState: Boolean, load: OpenLoad) {
  // Null before the first batch: of very many graphs most have few edges.
  private var table = null: NameTable
  // The two ends of each waiting edge.
  private val waiting = new NameBatch
  private var waitingFor = new Array[OpenForest](4)
  private var counted = 0L

  count()

  def add(src: UTF8String, dst: UTF8String, forest: OpenForest): Unit = {
    val edge = waiting.size >> 1
    if (edge == waitingFor.length) waitingFor = Arrays.copyOf(waitingFor, 2 * edge)
    waitingFor(edge) = forest
    waiting.add(src)
    waiting.add(dst)
    if (waiting.isFull) flush() else count()
  }

  /** Adds the waiting edges to their forests. */
  def flush(): Unit = if (waiting.size > 0) {
    if (table == null) table = new NameTable
    table.internAll(waiting)
    val numbers = waiting.numbers
    val edges = waiting.size >> 1
    var i = 0
    while (i < edges) {
      waitingFor(i).add(numbers(2 * i).toLong, numbers(2 * i + 1).toLong)
      i += 1
    }
    waiting.clear()
    count()
  }

  /** A writer of the names of all blocks; there must be an edge, and no edge may follow. */
  def writer(): DeltaWriter = new DeltaWriter(table, perWindow, nextRun())
  def nextRun(): Long = load.runs.next()

  /** @param isLast whether this is the last block of the run of `writer` */
  def block(forest: OpenForest, writer: DeltaWriter, isLast: Boolean): PackedBlock =
    if (forState) {
      // A run of a single block sends all its names.
      writer.beginRun(0L)
      forest.block(writer)
    } else forest.block(writer).copy(delta = writer.delta(isLast).toBytes)

  private def count(): Unit = {
    val held = if (table == null) 0L else table.memory
    val weight = OpenLoad.weightOf(held + waiting.memory + 4L * waitingFor.length)
    load.vertices += weight - counted
    counted = weight
  }
}
