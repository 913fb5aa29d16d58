package io.github.sparkbic.operator.forests

import io.github.sparkbic.index.contract.EdgeSet
import io.github.sparkbic.index.forests.{LooseEdges, PaneForest, PaneForestBuilder, RangedForest}
import io.github.sparkbic.operator.block.{DeltaWriter, PackedBlock}

/** The edges of a pane, of ids or of numbers of names: a forest in the making, or loose, as they came.
  *
  * @param canBeLoose whether the few edges of a small pane may be sent as they are
  * @param expected   its vertices, if known
  * @param mostLoose  edges up to which they are to be left as they are
  * @param spare      the memory of the forest of an earlier pane, or null
  * @param earlier    the sealed forest of other edges of the same pane, or null
  */
private[operator] final class OpenForest(
    val pane: Long,
    canBeLoose: Boolean,
    expected: Int,
    mostLoose: Int,
    load: OpenLoad,
    spare: RangedForest = null,
    val earlier: OpenForest = null
) {
  private val builder = new PaneForestBuilder(expected, mostLoose, spare)
  private var counted = 0L
  // The forest, kept for the case that it has to be numbered once more; or its bytes, where it will not be.
  private var made = null: PaneForest
  private var packed = null: Array[Byte]

  load.vertices += OpenForest.OwnWeight
  if (spare != null) weigh(builder.weight.toLong)

  /** Distinct vertices so far, but for those of a few edges that wait; may take a pass over them. */
  def size: Int = builder.size

  /** How many edges came. */
  def edgeCount: Long = builder.edges

  /** Whether the edges are as they came. */
  def isLoose: Boolean = builder.isWaiting && (mostLoose > 0 || canBeLoose)

  /** Whether a forest is worth its making. */
  def isThin: Boolean = 4L * size <= OpenForest.PayingVertices * edgeCount

  /** Whether it has memory that is of use to the pane after it. */
  def isRanged: Boolean = builder.isRanged
  def add(src: Long, dst: Long): Unit = if (builder.add(src, dst)) weigh(builder.weight.toLong)

  def addAll(src: Array[Long], dst: Array[Long], from: Int, until: Int): Unit =
    if (builder.addAll(src, dst, from, until)) weigh(builder.weight.toLong)

  /** Whether its edges are packed, and no edges may follow. */
  def isSealed: Boolean = packed != null

  /** Packs the forest of ids, which takes no more edges, and gives its memory back, or null if that is of no use. */
  def seal(): RangedForest = {
    var spare: RangedForest = null
    packed = builder.toBytes(spare = _)
    weigh(OpenLoad.weightOf(packed.length.toLong))
    spare
  }

  def block(): PackedBlock = {
    if (packed == null) packed = loose(builder.waitingEdges).fold(builder.toBytes())(_.toBytes)
    PackedBlock(pane, edgeCount, packed, null)
  }

  /** The block of a pane of names, whose numbers in their table become numbers of a dictionary; once for each dictionary. */
  def block(names: DeltaWriter): PackedBlock = {
    names.turnTo(pane)
    val number = (inTable: Long) => names.number(inTable.toInt)
    // Numbers first: they tell which names are to be sent.
    val numbered = loose(builder.waitingEdges(number)).getOrElse(forest.renumbered(number(_).toLong)).toBytes
    PackedBlock(pane, edgeCount, numbered, names.names)
  }

  private def loose(waiting: => LooseEdges): Option[EdgeSet] =
    Option.when(isLoose)(waiting).filter(found => mostLoose == 0 || OpenForest.mayBeSparse(found))

  private def forest: PaneForest = {
    if (made == null) made = builder.result()
    made
  }

  private def weigh(weight: Long): Unit = {
    load.vertices += weight - counted
    counted = weight
  }
}

private object OpenForest {

  /** Vertices for each four edges up to which a forest pays. Measured on batch queries of one core: with 0.6 vertices an
    * edge (R-MAT) queries take a sixth to a third longer without forests, with two (uniform ends) as much longer with them.
    */
  val PayingVertices = 5L

  /** False if a forest surely pays after all: with few sources, even if each target is a vertex of its own. */
  def mayBeSparse(edges: LooseEdges): Boolean = 4L * edges.sources > (PayingVertices - 4) * edges.count

  /** What an open forest costs beside its vertices, in vertices: it matters for many small graphs. */
  val OwnWeight = 6L
}
