package io.github.sparkbic.index.vertices

/** Follows the ids of the vertices of a directory as they become dense or sparse: while a good part of a run of ids is in
  * the window, its vertices are in a [[RangeTable]] instead.
  *
  * @param smallest vertices below which no range is looked for
  */
private[vertices] final class RangeFollower(
    directory: VertexDirectory,
    keys: VertexKeys,
    smallest: Int,
    initial: RangeTable
) {
  import RangeFollower._

  private var current = initial
  private var move: RangeMove = null

  // Vertices that were added to the directory, and how many it takes until ids are looked at again; edges until then.
  private var added = 0L
  private var lookAt = 0L
  private var edgesToLook = 0L

  if (!initial.range.isEmpty) lookLater()

  /** The vertices of the range; of no ids if there is none. */
  def table: RangeTable = current

  /** Whether vertices are on their way, so that those of the range may be in the directory. */
  def isMoving: Boolean = move != null

  /** Whether a vertex that is nowhere is to be added to the table. */
  def takes(id: Long): Boolean = current.range.numberOf(id) >= 0 && (move == null || move.toTable)

  /** Notes that a vertex was added to the directory. */
  def noteAdded(): Unit = added += 1

  /** Does what so many edges pay for. */
  def follow(edges: Int, floor: Int): Unit = {
    edgesToLook -= edges
    if (move != null) goOn(edges, floor)
    else if (current.isSparse) start(current, toTable = false)
    else if (added >= lookAt && edgesToLook <= 0 && directory.size >= smallest) look(floor)
  }

  private def size: Int = directory.size + current.size

  private def goOn(edges: Int, floor: Int): Unit = {
    move.advance(edges)
    if (move.isComplete) {
      val isThere = move.toTable
      move = null
      // A range that vertices soon leave is not followed all the time.
      edgesToLook = EdgesPerMoved * size
      lookLater()
      if (!isThere) {
        current = RangeTable.empty
        look(floor)
      }
    }
  }

  /** Looks for a range that has more of the vertices than the one that there is; the way there is through the directory. */
  private def look(floor: Int): Unit = {
    lookLater()
    val some = sample(floor)
    val range = some.range(size, smallest)
    if (some.within(range) > some.within(current.range) + some.size / LeastGain)
      if (current.range.isEmpty) start(new RangeTable(range), toTable = true)
      else start(current, toTable = false)
  }

  private def start(table: RangeTable, toTable: Boolean): Unit = {
    current = table
    move = new RangeMove(directory, table, keys, toTable)
  }

  /** When a sixteenth as many vertices have been added as there are: until then not much can have changed. */
  private def lookLater(): Unit = lookAt = added + math.max(smallest, size / 16)

  private def sample(floor: Int): IdSample = {
    val sample = new IdSample(IdSample.Enough, floor)
    sample.fill(current.size, current.visit, directory, keys)
    sample
  }
}

private object RangeFollower {

  /** A range gives way to one that has so large a part more of all vertices. */
  private final val LeastGain = 8

  /** Edges that come for each vertex that was moved before ids are looked at again. */
  private final val EdgesPerMoved = 4L
}
