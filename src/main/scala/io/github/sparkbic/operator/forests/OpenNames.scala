package io.github.sparkbic.operator.forests

import java.util.Arrays

import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.execution.vectorized.WritableColumnVector
import org.apache.spark.sql.vectorized.ColumnVector
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
  // Of sources and of targets; null unless names come as columns of batches.
  private var columns = null: Array[Column]
  // Null before the first block.
  private var writers = null: Array[DictionaryWriter]

  count()

  def size: Int = if (table == null) 0 else table.size

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
    intern(waiting)
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

  def sources: Column = column(0)
  def targets: Column = column(1)

  private def column(end: Int): Column = {
    if (columns == null) columns = Array.fill(2)(new Column)
    columns(end)
  }

  private def intern(names: NameBatch): Unit = {
    if (table == null) table = new NameTable
    table.internAll(names)
  }

  private def count(): Unit = {
    val held = if (table == null) 0L else table.memory
    val entries = if (columns == null) 0L else columns(0).entries + columns(1).entries
    val weight = OpenMemory.weightOf(held + waiting.memory + 4L * (waitingFor.length + entries))
    task.memory.held += weight - counted
    counted = weight
  }

  /** A column of names. Where the reader gives a dictionary, a name is looked up once a dictionary, and not once a row: a row
    * then costs the reading of two integers.
    */
  private[forests] final class Column {
    private var dictionary = null: AnyRef
    // By entry of the dictionary, the number of the name plus one; zero for an entry that no row had yet.
    private var known = Array.emptyIntArray
    def entries: Long = known.length.toLong

    /** The numbers of the first `count` names of a batch, none of which is null. */
    def numbers(column: ColumnVector, count: Int): Array[Long] = {
      flush()
      val numbers = SparkInternals.dictionary(column, count) match {
        case Some((of, entries)) =>
          if (of ne dictionary) Arrays.fill(known, 0)
          dictionary = of
          internNew(column, entries)
          val numbers = new Array[Long](count)
          var row = 0
          while (row < count) {
            numbers(row) = known(entries(row)) - 1L
            row += 1
          }
          numbers
        case None => internEach(column, count)
      }
      OpenNames.this.count()
      numbers
    }

    private def internNew(column: ColumnVector, entries: Array[Int]): Unit = {
      val added = new Array[Int](NameBatch.MaxNames)
      var row = 0
      while (row < entries.length) {
        while (row < entries.length && !waiting.isFull) {
          val entry = entries(row)
          if (entry >= known.length) known = Arrays.copyOf(known, math.max(entry + 1, 2 * known.length))
          if (known(entry) == 0) {
            added(waiting.size) = entry
            known(entry) = -1
            waiting.add(column.getUTF8String(row))
          }
          row += 1
        }
        intern(waiting)
        var i = 0
        while (i < waiting.size) {
          known(added(i)) = waiting.numbers(i) + 1
          i += 1
        }
        waiting.clear()
      }
    }

    private def internEach(column: ColumnVector, count: Int): Array[Long] = {
      val numbers = new Array[Long](count)
      // The bytes of all rows of Spark's own vectors lie in one array, from which a name is read without an object for it.
      val vector = column match {
        case own: WritableColumnVector if count > 0 => own
        case _                                      => null
      }
      val first = if (vector == null) null else vector.getUTF8String(0)
      val start = if (vector == null) 0L else first.getBaseOffset - vector.getArrayOffset(0)
      var row = 0
      while (row < count) {
        val from = row
        while (row < count && !waiting.isFull) {
          if (vector == null) waiting.add(column.getUTF8String(row))
          else
            waiting.add(first.getBaseObject, start + vector.getArrayOffset(row), vector.getArrayLength(row))
          row += 1
        }
        intern(waiting)
        var i = from
        while (i < row) {
          numbers(i) = waiting.numbers(i - from).toLong
          i += 1
        }
        waiting.clear()
      }
      numbers
    }
  }
}
