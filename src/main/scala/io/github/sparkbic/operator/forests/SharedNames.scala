package io.github.sparkbic.operator.forests

import java.util.Arrays

import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.operator.block.{DeltaWriter, NameBatch, NameTable, PackedBlock}

/** The names of all panes of a graph in a task. Forests hold the numbers of names, so all forests are of ids; and in a
  * batch query a name is sent once, however many panes have it.
  *
  * Edges wait to be looked up together, each with the forest that it is for. Not thread safe.
  *
  * @param perWindow panes in a window
  * @param forState  whether each block is to have all its names, as blocks are kept one by one in the state of a stream
  */
private[operator] final class SharedNames(perWindow: Int, forState: Boolean, load: OpenLoad) {
  // None before the first look-up: of very many graphs most get a few edges each.
  private var table = null: NameTable
  // The two ends of each edge that waits.
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

  /** Gives the edges that wait to their forests. */
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

  /** Numbers the names for the blocks of the forests, of which there is one at least. No edges may follow. */
  def writer(): DeltaWriter = new DeltaWriter(table, perWindow, nextRun())

  /** A number for another run of a writer. */
  def nextRun(): Long = load.runs.next()

  /** @param isLast whether this is the last block of the run of `writer` */
  def block(forest: OpenForest, writer: DeltaWriter, isLast: Boolean): PackedBlock =
    if (forState) {
      // A run of one block sends all names.
      writer.beginRun(0L)
      forest.block(writer)
    } else {
      val block = forest.block(writer)
      block.copy(delta = writer.delta(isLast).toBytes)
    }

  private def count(): Unit = {
    val held = if (table == null) 0L else table.memory
    val weight = OpenLoad.weightOf(held + waiting.memory + 4L * waitingFor.length)
    load.vertices += weight - counted
    counted = weight
  }
}
