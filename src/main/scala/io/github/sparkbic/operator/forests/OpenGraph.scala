package io.github.sparkbic.operator.forests

import java.lang.Long.compareUnsigned
import java.util.{ArrayList, Comparator, HashMap => JHashMap}

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.vectorized.ColumnVector
import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.index.contract.EdgeSet
import io.github.sparkbic.index.forests.{EdgeSets, PaneForest, PaneForestBuilder}
import io.github.sparkbic.operator.block.{DictionaryWriter, PackedBlock}

/** One graph in an input task, with its open panes.
  *
  * Edges mostly come by rising pane. So a large pane is packed when the edge after its own opens a new pane: its edges and
  * names leave the memory. Loose edges of integers wait, since more edges may make them a forest, and so do panes that share
  * names. A pane whose edges come back gets another block, which may be packed once more: each new pane packs one pane at
  * most. So until its memory is full, a task sends at most twice as many blocks as panes.
  *
  * @param names the names of all panes; null where each pane has its own, or none
  */
private[operator] final class OpenGraph(val key: UnsafeRow, task: OpenGraphs, names: OpenNames) {
  import OpenGraph.{Few, LeastRun, Many}
  import task.{forState, memory, panes, segments}

  // The open panes; null for a pane of which all edges so far are packed.
  private val opened = new JHashMap[java.lang.Long, OpenPane]
  private var packed = List.empty[PackedBlock]
  // The pane of the last edge, and its times.
  private var last = null: OpenPane
  private var lastStart, lastLength = 0L
  private var nullRows = 0L
  memory.held += OpenGraph.Weight + OpenMemory.weightOf(key.getSizeInBytes.toLong)

  /** Counts a row with a null endpoint or time. */
  def addNull(): Unit = nullRows += 1

  def add(src: Long, dst: Long, time: Long): Unit = {
    // Edges mostly come in runs of one pane, and each edge costs this comparison. The difference is modulo 2^64, so the
    // comparison is right for every time.
    if (compareUnsigned(time - lastStart, lastLength) >= 0) turnTo(time)
    last.add(src, dst)
  }

  def add(src: UTF8String, dst: UTF8String, time: Long): Unit = {
    if (compareUnsigned(time - lastStart, lastLength) >= 0) turnTo(time)
    last.names.add(src, dst, last)
  }

  /** Adds the first `count` edges, between strings that are columns of a batch, without a null. */
  def addAll(src: ColumnVector, dst: ColumnVector, time: Array[Long], count: Int): Unit = {
    val (sources, targets) = (new NameVector(src, count), new NameVector(dst, count))
    eachRun(time, count) { (from, until) =>
      if (until - from >= LeastRun) last.names.addAll(sources, targets, from, until, last)
      else
        // The names of short runs are interned together.
        (from until until).foreach(row => last.names.add(sources.name(row), targets.name(row), last))
    }
  }

  /** Adds the first `count` edges, between ids. */
  def addAll(src: Array[Long], dst: Array[Long], time: Array[Long], count: Int): Unit =
    eachRun(time, count)((from, until) => last.addAll(src, dst, from, until))

  /** Calls `add` for each run of edges of one pane, which is the last one then. */
  private def eachRun(time: Array[Long], count: Int)(add: (Int, Int) => Unit): Unit = {
    var from = 0
    while (from < count) {
      if (compareUnsigned(time(from) - lastStart, lastLength) >= 0) turnTo(time(from))
      val start = lastStart
      val length = lastLength
      var until = from + 1
      while (until < count && compareUnsigned(time(until) - start, length) < 0) until += 1
      add(from, until)
      from = until
    }
  }

  /** Reads what the next edge will touch, if the edge is of the last pane. */
  def readAhead: Long = if (last == null) 0L else last.readAhead ^ lastStart ^ lastLength

  /** The number of a segment, and a block that it needs. Blocks that share names come by rising pane. No edge may follow. A
    * pane is packed when its block is read, and then dropped.
    */
  def blocks(): Iterator[(Long, PackedBlock)] = {
    val open = new ArrayList[OpenPane]
    opened.values.forEach { pane =>
      if (pane != null) {
        pane.flush()
        open.add(pane): Unit
      }
    }
    // The graph outlives its blocks, and must not hold the memory of panes that were sent.
    opened.clear()
    last = null
    open.sort(OpenGraph.byPane)
    if (names != null) names.turnToGraph()
    def needing(pane: Long) = segments.fold(Seq(0L))(_.needing(pane))
    // Any segment may count the null rows.
    val nulls =
      Iterator.single(0L -> PackedBlock(PackedBlock.NoPane, nullRows, null, null)).filter(_ => nullRows > 0)
    nulls ++ packed.iterator.flatMap(block => needing(block.pane).map(_ -> block)) ++
      Iterator.range(0, open.size).flatMap { i =>
        val pane = open.set(i, null)
        lazy val ofIds = pane.block()
        needing(pane.pane).map(segment =>
          segment -> (if (names == null) ofIds else names.block(pane, segment))
        )
      }
  }

  /** Makes the pane that holds `time` the last one, and opens it if necessary. */
  private def turnTo(time: Long): Unit = {
    val pane = panes.paneOf(time)
    val before = last
    last = opened.get(pane)
    if (last == null) {
      if (!opened.containsKey(pane) && before != null && before.isPackable) {
        before.flush()
        packed ::= before.block()
        opened.put(before.pane, null)
      }
      last = new OpenPane(pane, before)
      opened.put(pane, last)
    }
    lastStart = panes.timeOf(pane)
    // A pane that exceeds the range of a Long matches no time, so each of its edges comes here.
    lastLength =
      if (lastStart > Long.MinValue && lastStart <= Long.MaxValue - panes.length) panes.length else 0L
  }

  /** The edges of a pane, between ids or between numbers of names.
    * @param before the pane of the edge before, which may have as many names, or null
    */
  private[forests] final class OpenPane(val pane: Long, before: OpenPane) {

    /** The names of the pane, or of all panes; null where vertices are integers. */
    val names: OpenNames =
      if (task.strings && OpenGraph.this.names == null)
        new OpenNames(task, if (before == null || pane < before.pane) 0 else before.names.size)
      else OpenGraph.this.names

    private val builder =
      new PaneForestBuilder(mayStay = true, numbers = () => if (names == null) 0 else names.size)
    private var counted = 0L

    // None for loose edges. Each segment numbers names anew.
    private lazy val forest: Option[PaneForest] = if (isLoose) None else Some(builder.result())
    memory.held += OpenGraph.PaneWeight

    def edgeCount: Long = builder.edges

    /** Whether it is worth its time to pack the pane before the others. */
    def isPackable: Boolean =
      edgeCount >= Many && OpenGraph.this.names == null && (task.strings || !isLoose)

    /** Whether the edges so far stay as they are, since a forest would take longer than it saves. The state of a stream has
      * few edges as forests.
      */
    def isLoose: Boolean =
      if (edgeCount < Few) !forState else builder.isWaiting && builder.isSparse

    /** Reads what the next edge will touch. */
    def readAhead: Long = builder.readAhead

    def add(src: Long, dst: Long): Unit = if (builder.add(src, dst)) weigh(builder.weight.toLong)

    def addAll(src: Array[Long], dst: Array[Long], from: Int, until: Int): Unit =
      if (builder.addAll(src, dst, from, until)) weigh(builder.weight.toLong)

    /** Takes the edges whose names wait. */
    def flush(): Unit = if (names != null) names.flush()

    /** The block of a pane of ids, or with names of its own. No edge may follow, and no edge may wait. */
    def block(): PackedBlock = {
      val count = edgeCount
      val edges = EdgeSets.toBytes(forest.getOrElse(builder.waitingEdges))
      val packedNames = if (names == null) null else names.packed()
      val bytes = edges.length.toLong + (if (names == null) 0 else packedNames.length)
      weigh(OpenMemory.weightOf(bytes))
      PackedBlock(pane, count, edges, packedNames)
    }

    /** The block of a pane with shared names, whose numbers in the table become positions in a dictionary that has turned to
      * the pane.
      */
    def block(names: DictionaryWriter): PackedBlock = {
      val edges =
        forest.fold[EdgeSet](builder.waitingEdges(names.position))(_.renumbered(names.position(_).toLong))
      names.block(pane, edgeCount, EdgeSets.toBytes(edges))
    }

    private def weigh(weight: Long): Unit = {
      memory.held += weight - counted
      counted = weight
    }
  }
}

private object OpenGraph {

  /** The memory of a graph without panes, in vertices: there may be many small graphs. */
  private final val Weight = 4L

  /** The memory of a pane without edges: there may be many small panes. */
  private final val PaneWeight = 6L

  /** Edges of a pane below which no forest is worth its time. */
  private final val Few = 128L

  /** Edges of a pane from which on the pane is packed before the others. */
  private final val Many = 1L << 12

  /** Edges of one pane, one after the other, whose names are worth a pass by themselves. */
  private final val LeastRun = 32

  private val byPane: Comparator[OpenGraph#OpenPane] = (a, b) => java.lang.Long.compare(a.pane, b.pane)
}
