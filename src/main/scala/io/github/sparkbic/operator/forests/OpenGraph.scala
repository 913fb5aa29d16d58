package io.github.sparkbic.operator.forests

import java.util.{ArrayList, Collection => JCollection, HashMap => JHashMap, HashSet => JHashSet}

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.index.{EdgeSet, LooseEdges, PaneForest, Panes, Segments}
import io.github.sparkbic.index.forests.{PaneForestBuilder, RangedForest}
import io.github.sparkbic.operator.block.{DeltaWriter, PackedBlock}

/** The open forests of one graph in an input task, one a pane.
  *
  * @param forState whether blocks may be kept, one by one, in the state of a stream
  */
private[operator] final class OpenGraph(
    val key: UnsafeRow,
    panes: Panes,
    strings: Boolean,
    forState: Boolean,
    load: OpenLoad
) {
  private val forests = new JHashMap[java.lang.Long, OpenForest]
  // Forests of panes that are most likely over, which may have another one all the same; null if there are none.
  private var over = null: ArrayList[OpenForest]
  private var panesOver = null: JHashSet[java.lang.Long]
  // The last forest that has a range, if it is not sealed.
  private var ranged = null: OpenForest
  private var last = null: OpenForest
  private var lastStart = 0L
  private var lastLength = 0L
  // Whether thinning hardly pays, for the panes from here on, and how many have been left as they are since that was
  // found out; how many edges the pane had that told.
  private var sparse = false
  private var leftLoose = 0
  private var toldBy = 0L
  private val names = if (strings && !forState) new SharedNames(panes.perWindow, load) else null

  // Rows with a null endpoint or time.
  private var nullRows = 0L

  load.vertices += OpenGraph.OwnWeight + OpenLoad.weightOf(key.getSizeInBytes.toLong)

  def addNull(): Unit = nullRows += 1

  def add(src: Long, dst: Long, time: Long): Unit = {
    // Edges mostly come in runs of one pane, which cost this comparison each; both differences are taken modulo 2^64,
    // so that it is right at the ends of the range as well.
    if (java.lang.Long.compareUnsigned(time - lastStart, lastLength) >= 0) turnTo(time)
    last.add(src, dst)
  }

  /** Adds the first `count` edges. */
  def addAll(src: Array[Long], dst: Array[Long], time: Array[Long], count: Int): Unit = {
    var from = 0
    while (from < count) {
      if (java.lang.Long.compareUnsigned(time(from) - lastStart, lastLength) >= 0) turnTo(time(from))
      val start = lastStart
      val length = lastLength
      var until = from + 1
      while (until < count && java.lang.Long.compareUnsigned(time(until) - start, length) < 0) until += 1
      last.addAll(src, dst, from, until)
      from = until
    }
  }

  def add(src: UTF8String, dst: UTF8String, time: Long): Unit = {
    if (java.lang.Long.compareUnsigned(time - lastStart, lastLength) >= 0) turnTo(time)
    if (names == null) last.add(src, dst) else names.add(src, dst, last)
  }

  /** Hands the forests over, to be packed. No edges may follow. */
  def packing(segments: Segments): Packing = {
    if (names != null) names.flush()
    val all = if (over == null) forests.values else withOver(forests.values)
    val packing = new Packing(all, nullRows, names, segments)
    // A forest is to be forgotten as soon as its block is on the way.
    forests.clear()
    over = null
    panesOver = null
    ranged = null
    last = null
    packing
  }

  private def withOver(forests: JCollection[OpenForest]): JCollection[OpenForest] = {
    over.addAll(forests)
    over
  }

  /** Seals the last forest that has a range, whose pane is most likely over, and gives its memory; null if there is none. */
  private def sealRanged(): RangedForest =
    if (ranged == null || names != null) null
    else {
      val done = ranged
      ranged = null
      forests.remove(done.pane)
      if (over == null) {
        over = new ArrayList
        panesOver = new JHashSet
      }
      over.add(done)
      panesOver.add(done.pane)
      done.seal()
    }

  private def isOver(pane: Long): Boolean = panesOver != null && panesOver.contains(pane)

  /** How many edges of a new pane are to be left as they are, after what the pane `before` has told. */
  private def looseAfter(before: OpenForest): Int = {
    if (!before.isLoose) {
      sparse = !before.isThin
      leftLoose = 0
      toldBy = before.edgeCount
    } else if (sparse) {
      leftLoose += 1
      // Streams change: now and then one pane is thinned, to see.
      if (leftLoose == OpenGraph.LooseInARow) sparse = false
    }
    // More edges among as many vertices are denser.
    if (sparse) math.min(4 * toldBy, Int.MaxValue.toLong).toInt else 0
  }

  /** Makes the pane that holds `time` the last one. */
  private def turnTo(time: Long): Unit = {
    val pane = panes.paneOf(time)
    val before = last
    last = forests.get(pane)
    if (last == null) {
      // What a pane holds tells how the next one is treated.
      if (names != null) names.flush()
      if (before != null && before.isRanged) ranged = before
      // Panes of one graph mostly hold about as much, and are about as dense.
      val loose = if (before == null) 0 else looseAfter(before)
      last =
        // Or edges that go to and fro between panes would seal a forest each, and make room for as many as it had.
        if (isOver(pane)) new OpenForest(pane, strings && forState, forState, 0, loose, load)
        else {
          val expected = if (before == null) 0 else before.size
          new OpenForest(pane, strings && forState, forState, expected, loose, load, sealRanged())
        }
      forests.put(pane, last)
    }
    lastStart = panes.timeOf(pane)
    // A pane that a Long cannot hold whole is looked up every time.
    lastLength =
      if (lastStart > Long.MinValue && lastStart <= Long.MaxValue - panes.length) panes.length else 0L
  }
}

private object OpenGraph {
  val LooseInARow = 16

  /** What a graph costs beside its forests, in vertices. */
  val OwnWeight = 4L
}

/** The edges of a pane, of ids or of names: a forest in the making, or loose, as they came.
  *
  * @param named     whether it is of names, which always become a forest
  * @param forState  as for [[OpenGraph]]
  * @param expected  its vertices, if known
  * @param mostLoose edges up to which they are to be left as they are
  * @param spare     the memory of the forest of an earlier pane, or null
  */
private[operator] final class OpenForest(
    val pane: Long,
    named: Boolean,
    forState: Boolean,
    expected: Int,
    mostLoose: Int,
    load: OpenLoad,
    spare: RangedForest = null
) {
  private val ofIds = if (named) null else new PaneForestBuilder(expected, mostLoose, spare)
  private val ofNames = if (named) new NamedForestBuilder(expected) else null
  private var namedEdges = 0L
  private var counted = 0L
  // Kept for the case that it has to be numbered once more.
  private var made = null: PaneForest
  private var packed = null: Array[Byte]

  load.vertices += OpenForest.OwnWeight
  if (spare != null) weigh(ofIds.weight.toLong)

  /** Distinct vertices so far, but for those of a few edges that wait; may take a pass over them. */
  def size: Int = if (named) ofNames.size else ofIds.size

  /** How many edges came. */
  def edgeCount: Long = if (named) namedEdges else ofIds.edges

  /** Whether the edges are as they came. A few are so at any rate; where they are kept, they become a forest in the end. */
  def isLoose: Boolean = !named && ofIds.isWaiting && (mostLoose > 0 || !forState)

  /** Whether a forest is worth its making. */
  def isThin: Boolean = 4L * size <= OpenForest.PayingVertices * edgeCount

  /** Whether it has memory that is of use to the pane after it. */
  def isRanged: Boolean = !named && ofIds.isRanged

  def add(src: Long, dst: Long): Unit = if (ofIds.add(src, dst)) weigh(ofIds.weight.toLong)

  def addAll(src: Array[Long], dst: Array[Long], from: Int, until: Int): Unit =
    if (ofIds.addAll(src, dst, from, until)) weigh(ofIds.weight.toLong)

  def add(src: UTF8String, dst: UTF8String): Unit = {
    ofNames.add(src, dst)
    namedEdges += 1
    weigh(ofNames.weight)
  }

  /** Packs the forest of ids, which takes no more edges, and gives its memory back, or null if that is of no use. */
  def seal(): RangedForest = {
    var spare: RangedForest = null
    packed = ofIds.toBytes(spare = _)
    weigh(OpenLoad.weightOf(packed.length.toLong))
    spare
  }

  def block(): PackedBlock =
    if (named) {
      val (forest, names) = ofNames.result()
      PackedBlock(pane, edgeCount, forest.toBytes, names)
    } else {
      if (packed == null) packed = loose(ofIds.waitingEdges).fold(ofIds.toBytes())(_.toBytes)
      PackedBlock(pane, edgeCount, packed, null)
    }

  /** The same for numbers of names in a table, which become those of a dictionary: once for each dictionary. */
  def block(names: DeltaWriter, isLast: Boolean): PackedBlock = {
    names.turnTo(pane)
    val number = (inTable: Long) => names.number(inTable.toInt)
    // Numbers first: they tell which names are to be sent.
    val numbered = loose(ofIds.waitingEdges(number)).getOrElse(forest.renumbered(number(_).toLong)).toBytes
    PackedBlock(pane, edgeCount, numbered, names.names, names.delta(isLast).toBytes)
  }

  private def loose(waiting: => LooseEdges): Option[EdgeSet] =
    Option.when(isLoose)(waiting).filter(found => mostLoose == 0 || OpenForest.mayBeSparse(found))

  private def forest: PaneForest = {
    if (made == null) made = ofIds.result()
    made
  }

  private def weigh(weight: Long): Unit = {
    load.vertices += weight - counted
    counted = weight
  }
}

private object OpenForest {

  /** Vertices for each four edges up to which a forest pays. Measured on batch queries of one core: with 0.6 vertices an
    * edge (R-MAT) they take a sixth to a third longer without forests, with two (uniform ends) as much longer with them.
    */
  val PayingVertices = 5L

  /** False if a forest surely pays after all: targets are vertices of their own at most, so it does if there are so few
    * sources.
    */
  def mayBeSparse(edges: LooseEdges): Boolean = 4L * edges.sources > (PayingVertices - 4) * edges.count

  /** What an open forest costs beside its vertices, in vertices: it matters for many small graphs. */
  val OwnWeight = 6L
}
