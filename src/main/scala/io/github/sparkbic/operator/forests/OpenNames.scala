package io.github.sparkbic.operator.forests

import java.util.Arrays

import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.operator.block.{DictionaryWriter, NameBatch, NameTable, PackedBlock, PackedNames}

/** The names of all graphs of a task; or of a pane, in a stream of one graph. Panes hold numbers of names, so every edge is
  * one of integers. Edges wait with their panes until a batch of names is interned.
  *
  * A batch query does not send a name with every pane that has it ([[DictionaryWriter]]). A block of a stream has all its
  * names, since the state may keep it by itself. So each pane of the only graph has a table of its own, which lies in the
  * caches, and whose numbers are those of the block. A hundred thousand graphs share a table: mostly small panes would take
  * more memory and time by themselves, and often have the same names.
  * Not thread safe.
  *
  * @param expected names, if known
  */
private[forests] final class OpenNames(task: OpenGraphs, expected: Int = 0) {
  // Null before the first batch: of very many graphs most have few edges.
  private var table = null: NameTable
  // The two ends of each waiting edge.
  private val waiting = new NameBatch
  private var waitingFor = new Array[OpenGraph#OpenPane](4)
  private var counted = 0L
  // Of sources and of targets; null unless names come as columns of batches.
  private var columns = null: Array[Column]
  // Null before the first block.
  private var writers = null: Array[DictionaryWriter]

  count()

  def size: Int = if (table == null) 0 else table.size

  def add(src: UTF8String, dst: UTF8String, pane: OpenGraph#OpenPane): Unit = {
    val edge = waiting.size >> 1
    if (edge == waitingFor.length) waitingFor = Arrays.copyOf(waitingFor, 2 * edge)
    waitingFor(edge) = pane
    waiting.add(src)
    waiting.add(dst)
    if (waiting.isFull) flush() else count()
  }

  /** Adds the edges of the rows from `from` until `until` to a pane. */
  def addAll(src: NameVector, dst: NameVector, from: Int, until: Int, pane: OpenGraph#OpenPane): Unit = {
    flush()
    if (columns == null) columns = Array.fill(2)(new Column)
    pane.addAll(columns(0).numbers(src, from, until), columns(1).numbers(dst, from, until), 0, until - from)
    count()
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
  }

  /** The names, where all are of one pane, in the order of their numbers. No edge may wait, and none may follow. */
  def packed(): Array[Byte] = {
    task.memory.held -= counted
    counted = 0
    PackedNames.toBytes(table, Array.range(0, table.size))
  }

  /** Begins the blocks of another graph. */
  def turnToGraph(): Unit = if (writers != null) writers.foreach(writer => if (writer != null) writer.close())

  /** The block of a pane for a segment; there must be an edge, and no edge may follow. Panes rise. */
  def block(pane: OpenGraph#OpenPane, segment: Long): PackedBlock = {
    // Panes rise, so only two neighbouring segments need blocks at a time.
    if (writers == null) writers = new Array(2)
    val i = (segment & 1).toInt
    if (writers(i) == null)
      writers(i) =
        if (task.forState) new DictionaryWriter(table, perWindow = 1, () => PackedBlock.OwnNames)
        else new DictionaryWriter(table, task.panes.perWindow, () => task.nextDictionary())
    writers(i).turnTo(pane.pane, segment)
    pane.block(writers(i))
  }

  def intern(names: NameBatch): Unit = {
    if (table == null) {
      table = new NameTable
      table.reserve(expected)
    }
    table.internAll(names)
    count()
  }

  private def count(): Unit = {
    val held = if (table == null) 0L else table.memory
    val entries = if (columns == null) 0L else columns(0).entries + columns(1).entries
    val weight = OpenMemory.weightOf(held + waiting.memory + 4L * (waitingFor.length + entries))
    task.memory.held += weight - counted
    counted = weight
  }

  /** The numbers of names in a column. Where the reader gives a dictionary, a name is looked up once a dictionary, and not once
    * a row: a row then costs the reading of two integers.
    */
  private final class Column {
    private var dictionary = null: AnyRef
    // By entry of the dictionary, the number of the name plus one; zero for an entry that no row had yet.
    private var known = Array.emptyIntArray
    def entries: Long = known.length.toLong

    def numbers(names: NameVector, from: Int, until: Int): Array[Long] = {
      val numbers = new Array[Long](until - from)
      if (names.entries == null) internEach(names, from, numbers)
      else {
        if (names.dictionary ne dictionary) Arrays.fill(known, 0)
        dictionary = names.dictionary
        internNew(names, from, until)
        var i = 0
        while (i < numbers.length) {
          numbers(i) = known(names.entries(from + i)) - 1L
          i += 1
        }
      }
      numbers
    }

    private def internNew(names: NameVector, from: Int, until: Int): Unit = {
      val added = new Array[Int](NameBatch.MaxNames)
      var row = from
      while (row < until) {
        while (row < until && !waiting.isFull) {
          val entry = names.entries(row)
          if (entry >= known.length) known = Arrays.copyOf(known, math.max(entry + 1, 2 * known.length))
          if (known(entry) == 0) {
            added(waiting.size) = entry
            known(entry) = -1
            waiting.add(names.name(row))
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

    private def internEach(names: NameVector, from: Int, numbers: Array[Long]): Unit = {
      var done = 0
      while (done < numbers.length) {
        while (done + waiting.size < numbers.length && !waiting.isFull)
          names.addTo(waiting, from + done + waiting.size)
        intern(waiting)
        var i = 0
        while (i < waiting.size) {
          numbers(done + i) = waiting.numbers(i).toLong
          i += 1
        }
        done += waiting.size
        waiting.clear()
      }
    }
  }
}
