package io.github.sparkbic.operator.forests

import java.util.Arrays

import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.operator.block.{Dictionary, DictionaryWriter, NameBatch, NameTable, PackedBlock}

/** The names of all panes of a graph in a task. Panes hold numbers of names, so every edge is one of integers. A batch
  * query does not send a name with every pane that has it ([[DictionaryWriter]]).
  * Edges wait with their panes until a batch of names is interned. Not thread safe.
  */
private[forests] final class OpenNames(task: OpenGraphs) {
  // Null before the first batch: of very many graphs most have few edges.
  private var table = null: NameTable
  // The two ends of each waiting edge.
  private val waiting = new NameBatch
  private var waitingFor = new Array[OpenPane](4)
  private var counted = 0L
  // Null before the first block.
  private var writers = null: Array[DictionaryWriter]

  count()

  def add(src: UTF8String, dst: UTF8String, pane: OpenPane): Unit = {
    val edge = waiting.size >> 1
    if (edge == waitingFor.length) waitingFor = Arrays.copyOf(waitingFor, 2 * edge)
    waitingFor(edge) = pane
    waiting.add(src)
    waiting.add(dst)
    if (waiting.isFull) flush() else count()
  }

  /** Adds the waiting edges to their panes. */
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

  /** The block of a pane for a segment; there must be an edge, and no edge may follow. Panes rise. */
  def block(pane: OpenPane, segment: Long): PackedBlock = {
    // Panes rise, so only two neighbouring segments need blocks at a time.
    if (writers == null) writers = new Array(2)
    val i = (segment & 1).toInt
    if (writers(i) == null) {
      // The state of a stream keeps each block by itself.
      val panes = if (task.forState) 0 else Dictionary.panes(task.panes.perWindow)
      writers(i) = new DictionaryWriter(table, panes, () => task.nextDictionary())
    }
    writers(i).turnTo(pane.pane, segment)
    pane.block(writers(i))
  }

  private def count(): Unit = {
    val held = if (table == null) 0L else table.memory
    val weight = OpenMemory.weightOf(held + waiting.memory + 4L * waitingFor.length)
    task.memory.held += weight - counted
    counted = weight
  }
}
