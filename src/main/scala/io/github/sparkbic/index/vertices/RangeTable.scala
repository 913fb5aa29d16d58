package io.github.sparkbic.index.vertices

/** The vertices of an [[IdRange]]: an entry for each id, as a [[VertexDirectory]] has it, zero where no vertex is. So nothing
  * is searched, and no key is kept: 8 bytes for each id of the range.
  *
  * The entries lie in segments of 64 KiB. One is made when the first of its vertices comes, and dropped after the last one,
  * so that nobody waits for the memory of them all.
  */
private[vertices] final class RangeTable(val range: IdRange) {
  import RangeTable._
  import VertexDirectory.{entryOf, nodeOf, seenOf}

  private val segments = Array.fill((range.length + SegmentSize - 1) / SegmentSize)(Nobody)
  private val counts = new Array[Int](segments.length)
  private var count = 0

  // Where the next sweep begins, counted from the first id.
  private var sweepAt = 0

  /** Vertices that are there. */
  def size: Int = count

  /** Whether a [[VertexDirectory]] would take less memory. */
  def isSparse: Boolean = count < range.length / 4

  /** The entry of the vertex; zero if it is not there. */
  def find(id: Long): Long = {
    val n = range.numberOf(id)
    if (n < 0) 0L else segments(n / SegmentSize)(n % SegmentSize)
  }

  /** The entries of `ids(from)` and the others of `many` ids. Without a branch on what is found, the loop waits for many
    * cache lines at once.
    */
  def findAll(ids: Array[Long], from: Int, many: Int, entries: Array[Long]): Unit = {
    val segments = this.segments
    val first = range.first
    val length = range.length
    var i = 0
    while (i < many) {
      val n = ids(from + i) - first
      entries(i) =
        if (n >= 0 && n < length) segments(n.toInt >>> SegmentBits)(n.toInt & (SegmentSize - 1)) else 0L
      i += 1
    }
  }

  /** Notes the pane in which a vertex was seen that is there. */
  def note(id: Long, node: Int, pane: Int): Unit = {
    val n = (id - range.first).toInt
    segments(n >>> SegmentBits)(n & (SegmentSize - 1)) = entryOf(node, pane)
  }

  /** Adds a vertex of the range that is not there. */
  def add(id: Long, node: Int, pane: Int): Unit = {
    val s = (id - range.first).toInt / SegmentSize
    if (counts(s) == 0) segments(s) = new Array[Long](SegmentSize)
    counts(s) += 1
    count += 1
    note(id, node, pane)
  }

  /** Visits the vertices as `visit(id, number, seen)`, looking at every `step`th id. */
  def visit(step: Int, visitor: VertexVisitor): Unit = {
    var n = 0
    while (n < range.length) {
      val entry = segments(n / SegmentSize)(n % SegmentSize)
      if (entry != 0) visitor.visit(range.first + n, nodeOf(entry), seenOf(entry))
      n += step
    }
  }

  /** Visits the vertices seen in `pane` or later as `visit(id, number, seen)`. Which these are is noted first, for a segment
    * at a time, without a branch: see [[RangeDirectory.visit]].
    */
  def visitSeen(pane: Int, visitor: VertexVisitor): Unit = {
    val there = new Array[Int](if (count == 0) 0 else SegmentSize)
    var s = 0
    while (s < segments.length) {
      if (counts(s) > 0) {
        val segment = segments(s)
        var found = 0
        var i = 0
        while (i < SegmentSize) {
          val entry = segment(i)
          there(found) = i
          found += (~(seenOf(entry) - pane) >>> 31) & ((entry | -entry) >>> 63).toInt
          i += 1
        }
        val first = range.first + s * SegmentSize
        i = 0
        while (i < found) {
          val entry = segment(there(i))
          visitor.visit(first + there(i), nodeOf(entry), seenOf(entry))
          i += 1
        }
      }
      s += 1
    }
  }

  /** Visits the vertices of one segment and removes them; whether that were the last ones. */
  def drain(visitor: VertexVisitor): Boolean = {
    val s = counts.indexWhere(_ > 0)
    if (s >= 0) {
      val segment = segments(s)
      var i = 0
      while (i < SegmentSize) {
        val entry = segment(i)
        if (entry != 0) visitor.visit(range.first + s * SegmentSize + i, nodeOf(entry), seenOf(entry))
        i += 1
      }
      remove(s, counts(s))
    }
    count == 0
  }

  /** Gives each vertex another number, asking for it once. */
  def renumber(numberOf: Int => Int): Unit =
    visit(1, (id, node, seen) => note(id, numberOf(node), seen))

  /** Looks at the next `ids`, though at none twice, and removes vertices last seen before `floor`, after `expired(number)`. */
  def sweep(ids: Long, floor: Int, nodes: VertexSweep): Unit = {
    var left = math.min(ids, segments.length * SegmentSize.toLong).toInt
    while (left > 0) {
      val s = sweepAt / SegmentSize
      val from = sweepAt % SegmentSize
      val until = math.min(SegmentSize, from + left)
      if (counts(s) > 0) {
        removeExpired(s, from, until, floor, nodes)
        left -= until - from
        sweepAt += until - from
      } else {
        left -= EmptyPrice
        sweepAt = (s + 1) * SegmentSize
      }
      if (sweepAt >= range.length) sweepAt = 0
    }
  }

  /** Removes all vertices last seen before `floor`. */
  def sweepAll(floor: Int, nodes: VertexSweep): Unit = {
    var s = 0
    while (s < segments.length) {
      removeExpired(s, 0, SegmentSize, floor, nodes)
      s += 1
    }
  }

  private def removeExpired(s: Int, from: Int, until: Int, floor: Int, nodes: VertexSweep): Unit = {
    val segment = segments(s)
    var expired = 0
    var i = from
    while (i < until) {
      val entry = segment(i)
      // In one branch, which is hardly ever taken: whether there is a vertex cannot be predicted.
      if (((entry | -entry) & (seenOf(entry) - floor)) < 0) {
        nodes.expired(nodeOf(entry))
        segment(i) = 0L
        expired += 1
      }
      i += 1
    }
    remove(s, expired)
  }

  private def remove(s: Int, vertices: Int): Unit =
    if (vertices > 0) {
      counts(s) -= vertices
      count -= vertices
      if (counts(s) == 0) segments(s) = Nobody
    }
}

private[vertices] object RangeTable {
  private final val SegmentBits = 13
  private final val SegmentSize = 1 << SegmentBits

  /** Ids of a segment that was swept since it has no vertex. */
  private final val EmptyPrice = 64

  /** In place of a segment without a vertex; never written to. */
  private val Nobody = new Array[Long](SegmentSize)

  /** Of no ids. */
  def empty: RangeTable = new RangeTable(IdRange.Empty)
}
