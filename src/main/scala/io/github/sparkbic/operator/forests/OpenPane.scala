package io.github.sparkbic.operator.forests

import io.github.sparkbic.index.contract.EdgeSet
import io.github.sparkbic.index.forests.{LooseEdges, PaneForest, PaneForestBuilder, RankedUnion}
import io.github.sparkbic.operator.block.{DictionaryWriter, PackedBlock}

/** The edges of a pane, between ids or between numbers of names: a growing forest, or loose edges in their order.
  * @param graph    says up to how many edges all edges stay loose
  * @param shared   the names of all panes of the graph, or null
  * @param expected vertices of the pane, if known
  * @param spare    the memory of the forest of an earlier pane, or null
  */
private[operator] final class OpenPane(
    val pane: Long,
    task: OpenGraphs,
    graph: OpenGraph,
    shared: OpenNames,
    expected: Int = 0,
    spare: RankedUnion = null
) {
  private val memory = task.memory

  /** The names of the pane, or of all panes; null where vertices are integers. */
  val names: OpenNames = if (task.strings && shared == null) new OpenNames(task, expected) else shared
  private var mostLoose = graph.mostLoose
  private val builder =
    new PaneForestBuilder(
      expected,
      mostLoose,
      spare,
      () => moreLoose(),
      () => if (names == null) 0 else names.size
    )
  private var counted = 0L
  // A forest of names, which each segment numbers anew.
  private lazy val forest: PaneForest = builder.result()

  memory.held += OpenPane.Weight
  if (spare != null) weigh(builder.weight.toLong)

  /** Distinct vertices so far, without the vertices of a few waiting edges; may take a pass over the vertices. */
  def size: Int = builder.size
  def edgeCount: Long = builder.edges

  /** Whether the edges are loose: few edges of a batch, or as many as the density allows. */
  def isLoose: Boolean = builder.isWaiting && (mostLoose > 0 || !task.forState)

  /** Whether the forest saves more time than it takes. */
  def isThin: Boolean = 4L * size <= OpenPane.MostVertices * edgeCount

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
    val edges = loose(builder.waitingEdges).fold(builder.toBytes(spare))(_.toBytes)
    weigh(OpenMemory.weightOf(edges.length.toLong))
    PackedBlock(pane, edgeCount, edges, if (names == null) null else names.packed)
  }

  /** The block of a pane with shared names, whose numbers in the table become positions in a dictionary that has turned to the pane. */
  def block(names: DictionaryWriter): PackedBlock = {
    val edges = loose(builder.waitingEdges(names.position))
      .getOrElse(forest.renumbered(names.position(_).toLong))
    names.block(pane, edgeCount, edges.toBytes)
  }

  private def loose(waiting: => LooseEdges): Option[EdgeSet] =
    (if (isLoose) Some(waiting) else None).filter(found => mostLoose == 0 || OpenPane.mayBeSparse(found))

  private def moreLoose(): Int = {
    mostLoose = math.max(mostLoose, graph.mostLooseInstead(this))
    mostLoose
  }

  private def weigh(weight: Long): Unit = {
    memory.held += weight - counted
    counted = weight
  }
}

private object OpenPane {

  /** The memory of a pane without edges, in vertices: there may be many small panes. */
  private final val Weight = 6L

  /** Vertices per four edges up to which thinning saves time. Measured on batch queries on one core: with 0.6 vertices an
    * edge (R-MAT), queries without forests take a sixth to a third longer. With two vertices an edge (uniform ends), queries
    * with forests take as much longer.
    */
  private final val MostVertices = 5L

  /** False if thinning is sure to save time: with few sources, even if each target is another vertex. */
  private def mayBeSparse(edges: LooseEdges): Boolean = 4L * edges.sources > (MostVertices - 4) * edges.count
}
