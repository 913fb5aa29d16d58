package io.github.sparkbic.index.vertices

/** Moves the vertices of a range from the directory to the table of the range, or back, some with every edge, and with every
  * pane what is missing to get through within a window. They keep their numbers; each is in one of the two, so that it is
  * found in the one or the other meanwhile.
  */
private[vertices] final class RangeMove(
    directory: VertexDirectory,
    table: RangeTable,
    keys: VertexKeys,
    val toTable: Boolean
) {
  import RangeMove._

  private var nextKey = 0L
  private var isDone = false
  // Places that are paid for, and how many were since panes paid last.
  private var credit = 0L
  private var paid = 0L

  private val take: VertexTaker = (key, node, seen) => {
    val id = keys.idOf(key)
    val isOfTable = table.range.numberOf(id) >= 0
    if (isOfTable) table.add(id, node, seen)
    isOfTable
  }

  private val bring: VertexVisitor = (id, node, seen) => directory.bring(keys.keyOf(id), node, seen)

  def isComplete: Boolean = isDone

  /** Goes on as far as so many edges pay for. */
  def advance(edges: Int): Unit = {
    paid += edges * PlacesPerEdge
    pay(edges * PlacesPerEdge)
  }

  /** Goes on as far as is missing to so large a part of all that there is to do. */
  def advancePart(part: Double): Unit = {
    val whole = if (toTable) directory.places else table.range.length.toLong
    pay(math.max(0L, math.ceil(whole * part).toLong - paid))
    paid = 0L
  }

  private def pay(places: Long): Unit = {
    credit += places
    while (credit > 0 && !isDone) {
      if (toTable) {
        nextKey = directory.takeFromTable(nextKey, take)
        isDone = nextKey == 0
      } else isDone = table.drain(bring)
      credit -= Places
    }
  }
}

private object RangeMove {

  /** What an edge pays for: some 200 ns. */
  private final val PlacesPerEdge = 16L

  /** Places of a table of the directory, or of a segment of the range. */
  private final val Places = 1L << 13
}
