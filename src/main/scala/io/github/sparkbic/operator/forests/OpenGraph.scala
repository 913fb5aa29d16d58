package io.github.sparkbic.operator.forests

import java.lang.Long.compareUnsigned
import java.util.{ArrayList, Comparator, HashMap => JHashMap}

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.vectorized.ColumnVector
import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.index.contract.EdgeSet
import io.github.sparkbic.index.forests.{EdgeSets, LooseEdges, PaneForest, PaneForestBuilder, RankedUnion}
import io.github.sparkbic.operator.block.{DictionaryWriter, PackedBlock}

/** One graph in an input task, its open panes, and how many edges of a pane stay loose.
  *
  * Edges mostly come by rising pane. So the forest over a range of ids is packed as soon as an edge opens a new pane, in
  * whose forest the memory is used again. Batches of dense ids would take a fifth more time in stage 1 without it, and
  * those of 8,000 vertices a pane four fifths. A pane whose edges come back gets another forest, which may be packed once
  * more: each new pane packs one forest at most. So until its memory is full, a task sends at most twice as many blocks as panes.
  *
  * Panes of one graph mostly have about the same number of edges, and density. So a pane that is a forest shows the density of
  * all. Its edges may come in parts, as from the partitions of a topic. So a pane whose loose edges have become many looks at
  * that forest again, which then has about as many parts.
  *
  * @param names  the names of all panes; null where each pane has its own, or none
  * @param former the graph with this key whose blocks were sent before, to whose panes the new panes are like; or null
  */
private[operator] final class OpenGraph(
    val key: UnsafeRow,
    task: OpenGraphs,
    names: OpenNames,
    former: OpenGraph
) {
  import OpenGraph.{LeastRun, LooseInARow, MostVertices}
  import task.{forState, memory, panes, segments}

  // The open forest of each pane; null for a pane of which all edges so far are packed.
  private val forests = new JHashMap[java.lang.Long, OpenPane]
  private var packed = List.empty[PackedBlock]
  // The last open forest over a range of ids.
  private var ranged = null: OpenPane
  // The forest of the last edge, and the times of its pane.
  private var last = null: OpenPane
  private var lastStart, lastLength = 0L
  private var nullRows = 0L
  // The pane that was measured last, unless it was packed.
  private var measured = null: OpenPane
  // Whether thinning hardly removed edges there, how many edges there were, and the loose panes since.
  private var isSparse: Boolean = former != null && former.isSparse
  private var measuredEdges: Long = if (former == null) 0L else former.measuredEdges
  private var leftLoose: Int = if (former == null) 0 else former.leftLoose

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

  /** The number of a segment, and a block that it needs. Blocks of names come by rising pane. No edge may follow. A forest is
    * packed when its block is read, and then dropped.
    */
  def blocks(): Iterator[(Long, PackedBlock)] = {
    val open = new ArrayList[OpenPane]
    forests.values.forEach { pane =>
      if (pane != null) {
        pane.flush()
        open.add(pane): Unit
      }
    }
    // The edges of the last pane may go on.
    if (last != null) note(last)
    measured = null
    // The graph outlives its blocks, and must not hold the memory of forests that were sent.
    forests.clear()
    ranged = null
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

  /** Makes the forest of the pane that holds `time` the last one, and opens the forest if necessary. */
  private def turnTo(time: Long): Unit = {
    val pane = panes.paneOf(time)
    val before = last
    last = forests.get(pane)
    if (last == null) {
      if (before != null) {
        // All edges of the pane before must have arrived in its forest, whose density decides for this pane.
        before.flush()
        note(before)
        if (before.isRanged) ranged = before
      }
      last =
        // No room is reserved for edges that come back, since edges that alternate between panes may open very many forests.
        if (forests.containsKey(pane)) new OpenPane(pane)
        else new OpenPane(pane, if (before == null) 0 else before.size, packRanged())
      forests.put(pane, last)
    }
    lastStart = panes.timeOf(pane)
    // A pane that exceeds the range of a Long matches no time, so each of its edges comes here.
    lastLength =
      if (lastStart > Long.MinValue && lastStart <= Long.MaxValue - panes.length) panes.length else 0L
  }

  /** Packs the last ranged forest, whose pane is most likely complete, and gives its memory; null without such a forest. */
  private def packRanged(): RankedUnion = {
    var spare = null: RankedUnion
    if (ranged != null && !task.strings) {
      packed ::= ranged.block(spare = _)
      forests.put(ranged.pane, null)
      ranged = null
      measured = null
    }
    spare
  }

  /** Takes note of a pane, before it is packed. In the state of a stream, edges between names are always a forest. */
  private def note(before: OpenPane): Unit = if (!task.strings || !forState) {
    if (!before.isLoose) {
      measured = before
      measure()
      leftLoose = 0
    } else if (isSparse) {
      leftLoose += 1
      // Streams change, so the density is measured now and then.
      if (leftLoose == LooseInARow) isSparse = false
    }
  }

  private def measure(): Unit = {
    isSparse = !measured.isThin
    measuredEdges = measured.edgeCount
  }

  /** How many edges of the next pane may stay loose. A pane of many more edges among as many vertices is denser. */
  def mostLoose: Int = if (isSparse) math.min(4 * measuredEdges, Int.MaxValue.toLong).toInt else 0

  /** How many edges of a loose pane may stay loose, once it has as many as [[mostLoose]] allowed. If no more may, the pane
    * becomes a forest, and other loose panes look at this larger one.
    */
  def mostLooseInstead(loose: OpenPane): Int = {
    if (isSparse && measured != null) measure()
    val most = mostLoose
    if (most > 0 && most <= loose.edgeCount) measured = loose
    most
  }

  /** The edges of a pane, between ids or between numbers of names: a growing forest, or loose edges in their order.
    * @param expected vertices of the pane, if known
    * @param spare    the memory of the forest of an earlier pane, or null
    */
  private[forests] final class OpenPane(val pane: Long, expected: Int = 0, spare: RankedUnion = null) {

    /** The names of the pane, or of all panes; null where vertices are integers. */
    val names: OpenNames =
      if (task.strings && OpenGraph.this.names == null) new OpenNames(task, expected)
      else OpenGraph.this.names
    private var mayWait = mostLoose
    private val builder =
      new PaneForestBuilder(
        expected,
        mayWait,
        spare,
        () => moreLoose(),
        () => if (names == null) 0 else names.size
      )
    private var counted = 0L
    // A forest of names, which each segment numbers anew.
    private lazy val forest: PaneForest = builder.result()

    memory.held += OpenGraph.PaneWeight
    if (spare != null) weigh(builder.weight.toLong)

    /** Distinct vertices so far, without the vertices of a few waiting edges; may take a pass over the vertices. */
    def size: Int = builder.size
    def edgeCount: Long = builder.edges

    /** Whether the edges are loose: few edges of a batch, or as many as the density allows. */
    def isLoose: Boolean = builder.isWaiting && (mayWait > 0 || !forState)

    /** Whether the forest saves more time than it takes. */
    def isThin: Boolean = 4L * size <= MostVertices * edgeCount

    /** Whether the next pane can use the memory of this forest. */
    def isRanged: Boolean = builder.isRanged

    /** Reads what the next edge will touch. */
    def readAhead: Long = builder.readAhead

    def add(src: Long, dst: Long): Unit = if (builder.add(src, dst)) weigh(builder.weight.toLong)

    def addAll(src: Array[Long], dst: Array[Long], from: Int, until: Int): Unit =
      if (builder.addAll(src, dst, from, until)) weigh(builder.weight.toLong)

    /** Takes the edges whose names wait. */
    def flush(): Unit = if (names != null) names.flush()

    /** The block of a pane of ids, or with names of its own. No edge may follow, and no edge may wait.
      * @param spare takes the memory of the forest, if a pane can use that
      */
    def block(spare: RankedUnion => Unit = _ => ()): PackedBlock = {
      val edges = loose(builder.waitingEdges).fold(builder.toBytes(spare))(EdgeSets.toBytes)
      weigh(OpenMemory.weightOf(edges.length.toLong))
      PackedBlock(pane, edgeCount, edges, if (names == null) null else names.packed)
    }

    /** The block of a pane with shared names, whose numbers in the table become positions in a dictionary that has turned to
      * the pane.
      */
    def block(names: DictionaryWriter): PackedBlock = {
      val edges = loose(builder.waitingEdges(names.position))
        .getOrElse(forest.renumbered(names.position(_).toLong))
      names.block(pane, edgeCount, EdgeSets.toBytes(edges))
    }

    /** The loose edges, unless thinning is sure to save time: with few sources, even if each target is another vertex. */
    private def loose(waiting: => LooseEdges): Option[EdgeSet] =
      (if (isLoose) Some(waiting) else None).filter { found =>
        mayWait == 0 || 4L * found.sources > (MostVertices - 4) * found.count
      }

    private def moreLoose(): Int = {
      mayWait = math.max(mayWait, mostLooseInstead(this))
      mayWait
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

  /** Vertices per four edges up to which thinning saves time. Measured on batch queries on one core: with 0.6 vertices an
    * edge (R-MAT), queries without forests take a sixth to a third longer. With two vertices an edge (uniform ends), queries
    * with forests take as much longer.
    */
  private final val MostVertices = 5L

  /** Edges of one pane, one after the other, whose names are worth a pass by themselves. */
  private final val LeastRun = 32

  /** Loose panes, one after the other, after which a pane is a forest again. */
  final val LooseInARow = 16

  private val byPane: Comparator[OpenGraph#OpenPane] = (a, b) => java.lang.Long.compare(a.pane, b.pane)
}
