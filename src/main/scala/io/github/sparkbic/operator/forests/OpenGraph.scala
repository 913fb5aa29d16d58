package io.github.sparkbic.operator.forests

import java.util.{HashMap => JHashMap}

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.index.{PaneForest, PaneForestBuilder, Panes, Segments}
import io.github.sparkbic.operator.block.{DeltaWriter, PackedBlock}

/** The open forests of one graph in an input task, one a pane. */
private[operator] final class OpenGraph(
    val key: UnsafeRow,
    panes: Panes,
    strings: Boolean,
    thinsAll: Boolean,
    load: OpenLoad
) {
  private val forests = new JHashMap[java.lang.Long, OpenForest]
  private var last = null: OpenForest
  private var lastStart = 0L
  private var lastLength = 0L
  // Whether thinning hardly pays, for the panes from here on, and how many have been left as they are since that was
  // found out; how many edges the pane had that told.
  private var sparse = false
  private var leftLoose = 0
  private var toldBy = 0L
  private val names = if (strings && !thinsAll) new SharedNames(panes.perWindow, load) else null

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
    if (names == null) last.add(src, dst) else names.add(src, dst, last)
  }

  /** Hands the forests over, to be packed. No edges may follow. */
  def packing(segments: Segments): Packing = {
    if (names != null) names.flush()
    val packing = new Packing(forests.values, nullRows, names, segments)
    forests.clear()
    last = null
    packing
  }

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
      // Panes of one graph mostly hold about as much, and are about as dense.
      val expected = if (before == null) 0 else before.size
      val loose = if (thinsAll || before == null) 0 else looseAfter(before)
      last = new OpenForest(pane, strings && thinsAll, thinsAll, expected, loose, load)
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
}

/** A forest in the making, with the number of its edges: of ids, or of names.
  *
  * @param named    whether it is of names
  * @param thinsAll whether edges must become a forest, however many they are; those of names always do
  * @param expected its vertices, if known
  * @param loose    edges up to which they are to be left as they are
  */
private[operator] final class OpenForest(
    val pane: Long,
    named: Boolean,
    thinsAll: Boolean,
    expected: Int,
    loose: Int,
    load: OpenLoad
) {
  private val ofIds = if (named) null else new PaneForestBuilder(expected, loose)
  private val ofNames = if (named) new NamedForestBuilder(expected) else null
  private var edges = 0L
  private var counted = 0
  // Kept for the case that it has to be numbered once more.
  private var made = null: PaneForest

  load.vertices += OpenForest.OwnWeight

  /** Distinct vertices, but for those of a few edges that wait. */
  def size: Int = if (named) ofNames.size else ofIds.size

  /** How many edges came. */
  def edgeCount: Long = edges

  /** Whether the edges are as they came. */
  def isLoose: Boolean = !named && ofIds.isWaiting

  /** Whether a forest is worth its making. */
  def isThin: Boolean = 4L * size <= OpenForest.PayingVertices * edges

  def add(src: Long, dst: Long): Unit = {
    ofIds.add(src, dst)
    count(ofIds.weight)
  }

  def add(src: UTF8String, dst: UTF8String): Unit = {
    ofNames.add(src, dst)
    count(ofNames.weight)
  }

  def block(): PackedBlock =
    if (named) {
      val (forest, names) = ofNames.result()
      PackedBlock(pane, edges, forest.toBytes, names)
    } else if (isLoose && !thinsAll) PackedBlock(pane, edges, null, null, ofIds.waitingEdges)
    else PackedBlock(pane, edges, ofIds.result().toBytes, null)

  /** The same for numbers of names in a table, which become those of a dictionary: once for each dictionary. */
  def block(names: DeltaWriter, isLast: Boolean): PackedBlock = {
    names.turnTo(pane)
    val number = (inTable: Long) => names.number(inTable.toInt)
    // Numbers first: they tell which names are to be sent.
    val (forest, loose) =
      if (isLoose) (null, ofIds.waitingEdges(number))
      else {
        if (made == null) made = ofIds.result()
        (made.renumbered(number(_).toLong).toBytes, null)
      }
    PackedBlock(pane, edges, forest, names.names, loose, names.delta(isLast).toBytes)
  }

  private def count(weight: Int): Unit = {
    edges += 1
    load.vertices += weight - counted
    counted = weight
  }
}

private object OpenForest {

  /** Vertices for each four edges up to which a forest pays. Measured on batch queries of one core: with 0.6 vertices an
    * edge (R-MAT) they take a sixth to a third longer without forests, with two (uniform ends) as much longer with them.
    */
  val PayingVertices = 5L

  /** What an open forest costs beside its vertices, in vertices: it matters for many small graphs. */
  val OwnWeight = 8L
}
