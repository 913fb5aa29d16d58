package io.github.sparkbic.index.forests

import java.util.Arrays

import io.github.sparkbic.index.contract.EdgeSink
import io.github.sparkbic.index.kernels.DistinctCount
import io.github.sparkbic.index.vertices.IdRange

/** Takes the edges of a pane in any order, and builds a [[PaneForest]] of them.
  *
  * {{{
  * edges wait as they are, until they are many or the forest is asked for
  *   ids fill 1/32 of a range:    RankedUnion
  *   other ids:                   HashedUnion
  * }}}
  *
  * So a union is chosen by the edges of the pane itself, and a hundred thousand graphs of few edges are cheap.
  *
  * With 100,000 vertices a pane, an edge takes about 30 ns over a range and 60 ns without, packing included. Memory:
  * 16 to 32 bytes an edge that waits, 12 to 60 bytes a vertex. Not thread safe.
  *
  * @param mayStay  whether many edges wait on where a forest would keep most of them: they may leave as [[LooseEdges]] instead
  * @param expected vertices, if known
  * @param numbers  ids are numbers from 0 on, of which so many are given by now; 0 if ids may be any
  */
final class PaneForestBuilder(mayStay: Boolean = false, expected: Int = 0, numbers: () => Int = () => 0)
    extends EdgeSink {
  import PaneForestBuilder._

  // Made when the first edges are looked up.
  private var union = null: UnionOfIds
  // Vertices of a hashed union from which on a range is looked for.
  private var sampleAt = SmallestRanged
  // The ends of the edges that wait: source and target of the first edge, of the second edge, and so on. The room doubles,
  // so that panes of a few edges stay small.
  private var ends = Array.emptyLongArray
  private var end = 0
  private var flushed = 0L
  // About how many vertices the first so many ends have.
  private var countedEnd, countedVertices = 0

  /** How many edges came one by one. */
  def edges: Long = flushed + (end >> 1)

  /** The memory of the builder, in vertices of some 60 bytes. */
  def weight: Int = (if (union == null) 0 else union.weight) + (ends.length >> 3)

  /** Whether all edges so far wait, so that [[waitingEdges]] has them. */
  def isWaiting: Boolean = union == null

  /** Whether a forest would take longer than it saves, since it would keep most of the edges that wait; O(these edges) where
    * they have become an eighth more.
    */
  def isSparse: Boolean = {
    // Counted first, since the count may move on.
    val counted = vertices
    4L * counted > MostVertices * (countedEnd >> 1)
  }

  /** Whether the vertices have places in a range. */
  private[forests] def isRanged: Boolean = union.isInstanceOf[RankedUnion]

  /** The edges that wait. */
  def waitingEdges: LooseEdges = LooseEdges.of(ends, end)

  /** The edges that wait, with positions for their ids. */
  def waitingEdges(position: Long => Int): LooseEdges = LooseEdges.of(ends, end, position)

  /** Reads what the next edge will touch. */
  def readAhead: Long = if (end == 0) 0L else ends(end - 1)

  /** Adds an edge; true if the weight may have changed. */
  def add(src: Long, dst: Long): Boolean = {
    val isFull = end == ends.length
    if (isFull) makeRoom()
    val at = end
    ends(at) = src
    ends(at + 1) = dst
    end = at + 2
    isFull
  }

  /** Adds the edges between `src(from)` and `dst(from)` and so on, before `until`; true as for [[add]]. */
  def addAll(src: Array[Long], dst: Array[Long], from: Int, until: Int): Boolean = {
    var wasFull = false
    var i = from
    while (i < until) {
      if (end == this.ends.length) {
        makeRoom()
        wasFull = true
      }
      val ends = this.ends
      val stop = math.min(until.toLong, i.toLong + (ends.length - end >> 1)).toInt
      var at = end
      while (i < stop) {
        ends(at) = src(i)
        ends(at + 1) = dst(i)
        at += 2
        i += 1
      }
      end = at
    }
    wasFull
  }

  override def addEdges(ends: Array[Long], count: Int): Unit = {
    var i = 0
    while (i < count) {
      add(ends(i), ends(i + 1))
      i += 2
    }
  }

  override def addForest(ids: Array[Long], parents: Array[Int]): Unit =
    if (isRanged || isWaiting && ids.length < SmallestRanged) {
      var i = 0
      while (i < ids.length) {
        add(ids(i), ids(parents(i)))
        i += 1
      }
    } else {
      if (isWaiting) begin(ids.length, IdRange.sample(ids.length)(ids(_)))
      flush()
      union.add(ids, parents)
      adapt()
    }

  /** The forest so far. No edges may follow. */
  def result(): PaneForest = {
    flush()
    union.result()
  }

  private def makeRoom(): Unit = {
    if (!mayGrow) {
      flush()
      // A table takes few edges at a time.
      if (!isRanged && ends.length > 2 * HashedUnion.Batch) ends = Array.emptyLongArray
    }
    if (end == ends.length) ends = Arrays.copyOf(ends, math.max(8, 2 * ends.length))
  }

  /** Whether more edges may wait than there is room for. */
  private def mayGrow: Boolean = union match {
    case null =>
      val isLookDue = ends.length == 2 * FirstLook || ends.length == 2 * SecondLook
      val isDense = isLookDue && 4L * vertices <= end
      !isDense && (ends.length < 2 * FewWaiting || mayStay && ends.length < 2 * MaxWaiting && isSparse)
    // Each time, all vertices are ranked anew.
    case ranked: RankedUnion => ends.length < math.max(2 * FewWaiting, ranked.size / 2)
    case _                   => ends.length < 2 * HashedUnion.Batch
  }

  /** About how many vertices the edges that wait have, or those before the last few of them. */
  private def vertices: Int = {
    if (end - countedEnd > (countedEnd >> 3)) {
      // Few bits, so that they lie in the first cache.
      val ids = new DistinctCount(end / 2L)
      var i = 0
      while (i < end) {
        ids.add(ends(i))
        i += 1
      }
      countedEnd = end
      countedVertices = ids.estimate.toInt
    }
    countedVertices
  }

  /** Takes the edges that wait into the union. */
  private def flush(): Unit = {
    if (isWaiting) begin(if (end < HashedUnion.Batch) end else vertices, IdRange.sample(end)(ends(_)))
    if (end > 0) union.joinAll(ends, 0, end)
    flushed += end >> 1
    end = 0
    adapt()
  }

  /** Begins a union for so many vertices or more.
    * @param sample some of their ids
    */
  private def begin(vertices: Int, sample: => Array[Long]): Unit = {
    val range = rangeOf(vertices, sample)
    union = if (range.isEmpty) new HashedUnion(math.max(expected, vertices)) else new RankedUnion(range)
    sampleAt = math.max(SmallestRanged, 2 * vertices)
  }

  /** Makes the union one that suits the edges so far. */
  private def adapt(): Unit = union match {
    case ranked: RankedUnion if ranked.hasManyOthers => replaceBy(new HashedUnion(ranked.size))
    case hashed: HashedUnion if hashed.size >= sampleAt =>
      val range = rangeOf(hashed.size, hashed.sample)
      if (range.isEmpty) sampleAt = 2 * hashed.size else replaceBy(new RankedUnion(range))
    case _ =>
  }

  private def replaceBy(other: UnionOfIds): Unit = {
    val forest = union.result()
    other.add(forest.ids, forest.parents)
    union = other
    sampleAt = math.max(SmallestRanged, 2 * forest.size)
  }

  /** The range that so many vertices fill well enough; empty if they are few. */
  private def rangeOf(vertices: Int, sample: => Array[Long]): IdRange = {
    val total = numbers()
    if (vertices < SmallestRanged) IdRange.Empty
    else if (total > 0 && vertices >= LeastPart * total) IdRange.Numbers
    else IdRange.of(sample, vertices, LeastPart, IdRange.NearlyAll)
  }
}

private object PaneForestBuilder {

  /** Edges at which a pane is looked at: if the edges are twice as many as the vertices, no more wait. So many graphs of few
    * vertices hold few edges of theirs.
    */
  private final val FirstLook = 1 << 9
  private final val SecondLook = 1 << 13

  /** Edges that wait where vertices are not few: 4 MiB. */
  private final val FewWaiting = 1 << 18

  /** Edges that wait at most where they may stay: 128 MiB. */
  private final val MaxWaiting = 1 << 23

  /** Vertices per four edges up to which a forest saves time. Measured on batch queries on one core: with 0.6 vertices an
    * edge (R-MAT), queries without forests take a sixth to a third longer. With two vertices an edge (uniform ends), queries
    * with forests take as much longer.
    */
  private final val MostVertices = 5L

  /** Vertices below which no range is looked for: the tables of fewer are in the caches of a core. */
  private final val SmallestRanged = 1 << 12

  /** The least part of a range that a pane has: then the bits of the range take no more than a word for each vertex. */
  private final val LeastPart = 1.0 / 32
}
