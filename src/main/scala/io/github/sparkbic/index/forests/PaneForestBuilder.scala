package io.github.sparkbic.index.forests

import java.util.Arrays

import io.github.sparkbic.index.contract.EdgeSink
import io.github.sparkbic.index.vertices.IdRange

/** Builds a [[PaneForest]] from edges in any order.
  *
  * {{{
  * few edges:                     wait as they are, so that a hundred thousand graphs are cheap
  * more edges:                    HashedUnion; at once RankedUnion where a range is known
  *   ids fill 1/32 of a range:    RankedUnion
  * }}}
  *
  * With 100,000 vertices a pane, an edge takes about 30 ns over a range and 60 ns without, packing included. Memory:
  * 16 bytes an edge that waits, 12 to 60 bytes a vertex; allocated only to grow. Not thread safe.
  *
  * @param expected vertices, if known
  * @param waiting  edges that may wait; [[waitingEdges]] has all edges until more come
  * @param spare    the emptied union that [[toBytes]] of an earlier pane gave, or null
  * @param more     asked how many edges may wait, each time that as many wait as may and one more comes. Once no more may
  *   wait, the edges that wait are looked up
  * @param numbers  ids are numbers from 0 on, of which so many are given by now; 0 if ids may be any
  */
final class PaneForestBuilder(
    expected: Int = 0,
    waiting: Int = PaneForestBuilder.FewWaiting,
    private var spare: RankedUnion = null,
    more: () => Int = () => 0,
    numbers: () => Int = () => 0
) extends EdgeSink {
  import PaneForestBuilder._

  // Made when the first edges are looked up.
  private var union = null: UnionOfIds
  // Vertices of a hashed union from which on a range is looked for.
  private var sampleAt = SmallestRanged

  // The ends of the edges that wait: source and target of the first edge, of the second edge, and so on. The room doubles,
  // so that panes of a few edges stay small.
  private var ends = Array.emptyLongArray
  private var end = 0
  private var mostEnds = 2 * math.min(math.max(waiting, FewWaiting), MaxWaiting)
  private var flushed = 0L

  /** How many edges came. */
  def edges: Long = flushed + (end >> 1)

  /** Distinct vertices so far, without the edges that wait; may take a pass over the vertices. */
  def size: Int = if (union == null) 0 else union.size

  /** The memory of the builder, in vertices of some 60 bytes. */
  def weight: Int = {
    val held = if (union == null) spare else union
    (if (held == null) 0 else held.weight) + (ends.length >> 3)
  }

  /** Whether all edges so far wait, so that [[waitingEdges]] has them. */
  def isWaiting: Boolean = union == null

  /** Whether the vertices have places in a range. */
  def isRanged: Boolean = union.isInstanceOf[RankedUnion]

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

  override def addForest(ids: Array[Long], parents: Array[Int]): Unit = {
    if (isWaiting && end == 0 && spare == null && ids.length >= SmallestRanged) {
      val range = rangeOf(ids.length, IdRange.sample(ids.length)(ids(_)))
      if (!range.isEmpty) union = new RankedUnion(range)
    }
    flush()
    union.add(ids, parents)
    adapt()
  }

  /** The forest so far. No edges may follow. */
  def result(): PaneForest = {
    flush()
    union.result()
  }

  /** The bytes of [[result]]. No edges may follow, and no memory is held any more.
    *
    * @param spare takes the emptied union, if the pane filled enough of its range
    */
  def toBytes(spare: RankedUnion => Unit = _ => ()): Array[Byte] = {
    flush()
    val vertices = union.size
    val bytes = EdgeSets.toBytes(union.result())
    union match {
      case ranked: RankedUnion if vertices >= LeastPart / 2 * ranked.range.length => spare(ranked)
      case _                                                                      =>
    }
    union = null
    ends = Array.emptyLongArray
    end = 0
    bytes
  }

  private def makeRoom(): Unit = {
    if (ends.length >= mostEnds && isWaiting)
      mostEnds = math.max(mostEnds, 2 * math.min(more(), MaxWaiting))
    if (ends.length >= mostEnds) flush()
    else ends = Arrays.copyOf(ends, math.min(mostEnds, math.max(8, 2 * ends.length)))
  }

  /** Takes the edges that wait into the union. */
  private def flush(): Unit = {
    val count = end
    end = 0
    flushed += count >> 1
    if (union == null) {
      val vertices = math.max(expected, count)
      union =
        if (spare != null) spare
        else if (vertices >= SmallestRanged && areNumbersDense(vertices)) new RankedUnion(IdRange.Numbers)
        else new HashedUnion(vertices)
      // The spare union is held here only until it is used.
      spare = null
    }
    var from = 0
    while (from < count) {
      val length = math.min(Slice, count - from)
      union.joinAll(ends, from, length)
      adapt()
      from += length
    }
  }

  /** Makes the union one that suits the edges so far. */
  private def adapt(): Unit = union match {
    case ranked: RankedUnion if ranked.hasManyOthers => replaceBy(new HashedUnion(ranked.size))
    case hashed: HashedUnion if hashed.size >= sampleAt =>
      val range = rangeOf(math.max(hashed.size, expected), hashed.sample)
      if (range.isEmpty) sampleAt = 2 * hashed.size else replaceBy(new RankedUnion(range))
    case _ =>
  }

  private def rangeOf(vertices: Int, sample: => Array[Long]): IdRange =
    if (areNumbersDense(vertices)) IdRange.Numbers
    else IdRange.of(sample, vertices, LeastPart, IdRange.NearlyAll)

  private def areNumbersDense(vertices: Int): Boolean = {
    val total = numbers()
    total > 0 && vertices >= LeastPart * total
  }

  private def replaceBy(other: UnionOfIds): Unit = {
    val forest = union.result()
    other.add(forest.ids, forest.parents)
    union = other
    sampleAt = math.max(SmallestRanged, 2 * forest.size)
  }
}

private object PaneForestBuilder {

  /** Edges that may wait at least. */
  private final val FewWaiting = HashedUnion.Batch / 2

  /** Edges that may wait at most: 128 MiB. */
  private final val MaxWaiting = 1 << 23

  /** Ends that are taken into a union before there is another look at which union suits. */
  private final val Slice = 1 << 16

  /** Vertices below which no range is looked for: the tables of fewer are in the caches of a core. */
  private final val SmallestRanged = 1 << 12

  /** The least part of a range that a pane has: then the bits of the range take no more than a word for each vertex. */
  private final val LeastPart = 1.0 / 32
}
