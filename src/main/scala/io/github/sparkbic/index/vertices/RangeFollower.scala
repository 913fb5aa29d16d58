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

  private val watch = new RangeWatch(smallest)
  // Vertices that were added to the directory.
  private var added = 0L

  if (!initial.range.isEmpty) watch.waitAWhile(added, size)

  /** The vertices of the range; of no ids if there is none. */
  def table: RangeTable = current

  /** Whether vertices are on their way, so that those of the range may be in the directory. */
  def isMoving: Boolean = move != null

  /** Whether a vertex that is nowhere is to be added to the table. */
  def takes(id: Long): Boolean = current.range.numberOf(id) >= 0 && (move == null || move.toTable)

  /** Notes which part of a window has passed since the first edge. */
  def noteFilled(part: Double): Unit = watch.filled = part

  /** Notes that a vertex was added to the directory. */
  def noteAdded(): Unit = added += 1

  /** Does what so many edges pay for. */
  def follow(edges: Int, floor: Int): Unit = {
    watch.pass(edges)
    if (move != null) {
      move.advance(edges)
      endIfComplete(floor)
    } else startIfWorthwhile(floor)
  }

  /** Does what is missing of so large a part of all that there is to do. */
  def followPart(part: Double, floor: Int): Unit =
    if (move != null) {
      move.advancePart(part)
      endIfComplete(floor)
    } else startIfWorthwhile(floor)

  private def startIfWorthwhile(floor: Int): Unit =
    if (watch.isFull && current.isSparse) start(current, toTable = false)
    else if (watch.isDue(added, directory.size)) look(floor)

  private def size: Int = directory.size + current.size

  private def endIfComplete(floor: Int): Unit = if (move.isComplete) {
    val isThere = move.toTable
    move = null
    watch.waitLong(added, size)
    if (!isThere) {
      current = RangeTable.empty
      look(floor)
    }
  }

  /** Looks for a range that has more of the vertices than the one that there is; the way there is through the directory. */
  private def look(floor: Int): Unit = {
    watch.waitAWhile(added, size)
    val some = sample(floor)
    val range = some.range(watch.expected(size), smallest)
    if (some.within(range) > some.within(current.range) + some.size / LeastGain)
      if (current.range.isEmpty) start(new RangeTable(range), toTable = true)
      else start(current, toTable = false)
  }

  private def start(table: RangeTable, toTable: Boolean): Unit = {
    current = table
    move = new RangeMove(directory, table, keys, toTable)
  }

  private def sample(floor: Int): IdSample = {
    val sample = new IdSample(IdSample.Enough, floor)
    sample.fill(current.size, current.visit, directory, keys)
    sample
  }
}

private object RangeFollower {

  /** A range gives way to one that has so large a part more of all vertices. */
  private final val LeastGain = 8
}
