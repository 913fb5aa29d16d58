package io.github.sparkbic.index.recency

import java.util.Arrays

import io.github.sparkbic.index.vertices.VertexVisitor

/** Brings vertices and links of one forest into another one, in which vertices have other numbers, while edges come.
  *
  * A vertex cannot change its number in a forest, which its rank hangs on. So its links are added to the other forest as
  * edges are, a few with every edge that comes, and with every pane what is missing to get through within a few windows:
  * first the other forest makes room for its range of ids, then it gets the vertices, then the links, and from the vertices
  * on all edges that come as well.
  *
  * Invariant while links are brought over: what they join, of any pane and later, is joined by those that were brought,
  * those that are yet to be, and the edges that came. A link that makes way for a newer one before its turn would break
  * that, so the other forest is given what it leaves behind ([[DisplacedLinks]]). So would halving a path, at a link that is
  * yet to be brought, past one at a vertex whose turn is over, which an edge made that needs the first link to hold: so
  * paths are not halved meanwhile.
  */
private[recency] final class ForestCopy(from: RecencyForest, val to: RecencyForest) extends DisplacedLinks {
  import ForestCopy._

  // The number in the other forest for each number in the first one; made when the other one is ready.
  private var numbers = Array.empty[Int]

  // What comes next: the first number of the range, the first key of the directory, and the first link.
  private var nextRanged = 0
  private var nextKey = 0L
  private var areVerticesThere = false
  // Places of the directory that are paid for.
  private var credit = 0L
  private var nextLink = 0
  // Edges that have paid since panes paid last.
  private var paid = 0L

  private var ends = Array.empty[Int]
  private var panes = Array.empty[Int]

  private val bring: VertexVisitor =
    (id, number, seen) => map(number, to.vertices.bring(id, seen))

  def isComplete: Boolean = areVerticesThere && nextLink == from.links.top

  /** Goes on as far as so many edges pay for. */
  def advance(edges: Int): Unit = {
    paid += edges
    pay(edges.toLong)
  }

  /** Goes on as far as is missing to so large a part of all that there is to do. */
  def advancePart(part: Double): Unit = {
    val whole = to.vertices.range.length / PreparedPerEdge + from.vertices.places / PlacesPerEdge +
      from.links.top / LinksPerEdge + 1
    pay(math.ceil(whole * part).toLong - paid)
    paid = 0L
  }

  private def pay(edges: Long): Unit = if (edges > 0) {
    // Forests may be of many links.
    val paying = math.min(edges, MostPaying.toLong).toInt
    if (!to.vertices.isReady) to.vertices.prepare(PreparedPerEdge * paying)
    else if (!areVerticesThere) bringVertices(PlacesPerEdge * paying)
    else bringLinks(LinksPerEdge * paying)
  }

  /** Enters what was entered into the first forest, as the numbers that it has there. */
  def enterAll(
      ids: Array[Long],
      at: Int,
      count: Int,
      pane: Int,
      isNewest: Boolean,
      entered: Array[Int]
  ): Unit =
    if (to.vertices.isReady) {
      reserve(count)
      to.enterAll(ids, at, count, pane, isNewest, ends)
      var i = 0
      while (i < count) {
        map(entered(i), ends(i))
        i += 1
      }
    }

  /** [[RecencyForest.joinAll]] with the numbers in the first forest, which stay. */
  def joinAll(entered: Array[Int], count: Int, pane: Int): Unit =
    if (to.vertices.isReady) {
      translate(entered, count)
      to.joinAll(ends, count, pane)
    }

  /** [[RecencyForest.joinLinks]] in the same way. */
  def joinLinks(entered: Array[Int], count: Int, pane: Int): Unit =
    if (to.vertices.isReady) {
      translate(entered, count)
      to.joinLinks(ends, count, pane)
    }

  override def displaced(numbers: Array[Int], panes: Array[Int], count: Int): Unit = {
    translate(numbers, 2 * count)
    System.arraycopy(panes, 0, this.panes, 0, count)
    to.joinEach(ends, this.panes, count)
  }

  private def bringVertices(places: Int): Unit = {
    credit += places
    while (credit > 0 && !areVerticesThere)
      if (nextRanged < from.vertices.range.length) {
        val until = nextRanged + math.min(credit, (from.vertices.range.length - nextRanged).toLong).toInt
        from.vertices.visitRange(nextRanged, until, bring)
        credit -= until - nextRanged
        nextRanged = until
      } else {
        nextKey = from.vertices.visitTable(nextKey, bring)
        credit -= TablePlaces
        if (nextKey == 0) {
          areVerticesThere = true
          from.tellDisplaced(this)
        }
      }
  }

  private def bringLinks(links: Int): Unit = {
    reserve(2 * Together)
    var left = links
    while (left > 0 && !isComplete) {
      to.joinEach(ends, panes, collectLinks())
      left -= Together
    }
    if (isComplete) from.tellDisplaced(null)
  }

  /** The next links as edges, and how many they are. */
  private def collectLinks(): Int = {
    val links = from.links
    val floor = from.floor
    val until = nextLink + math.min(Looked, links.top - nextLink)
    var count = 0
    var n = nextLink
    while (n < until && count < Together) {
      val link = links(n)
      val pane = (link >> 32).toInt
      if (pane - floor >= 0) {
        ends(2 * count) = numbers(n)
        ends(2 * count + 1) = numbers(link.toInt)
        panes(count) = pane
        count += 1
      }
      n += 1
    }
    nextLink = n
    count
  }

  private def translate(entered: Array[Int], count: Int): Unit = {
    reserve(count)
    var i = 0
    while (i < count) {
      ends(i) = numbers(entered(i))
      i += 1
    }
  }

  private def map(number: Int, other: Int): Unit = {
    if (number >= numbers.length)
      numbers = Arrays.copyOf(numbers, math.max(from.links.top, number + (number >> 3) + Together))
    numbers(number) = other
  }

  private def reserve(count: Int): Unit =
    if (ends.length < count) {
      ends = new Array[Int](count)
      panes = new Array[Int](count)
    }
}

private object ForestCopy {

  /** Links that are added together, and numbers looked at for them. */
  private final val Together = 128
  private final val Looked = 8 * Together

  // What an edge pays for: some 250, 1000 and 1000 ns. Until all is done, every edge is joined twice.
  private final val PreparedPerEdge = 256
  private final val PlacesPerEdge = 64
  private final val LinksPerEdge = 16

  /** Edges that pay at once. */
  private final val MostPaying = 1 << 20

  /** The places of a table of the directory. */
  private final val TablePlaces = 1 << 14
}
