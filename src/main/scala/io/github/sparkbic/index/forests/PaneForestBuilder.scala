package io.github.sparkbic.index.forests

import io.github.sparkbic.index.contract.EdgeSink
import io.github.sparkbic.index.format.BinaryWriter
import io.github.sparkbic.index.vertices.IdRange

/** Builds a [[PaneForest]] from edges in any order.
  *
  * Edges wait in a batch, so that their look-ups overlap. A pane of few edges stays in the batch, so that a hundred
  * thousand graphs are cheap. More edges become a [[HashedForest]], and a [[RangedForest]] once the ids are dense
  * enough; later panes may begin with this range. Very many edges become a [[DenseForest]] if they fill the range.
  *
  * With 100,000 vertices a pane, an edge takes about 30 ns with a range and 60 ns without, packing included. Memory:
  * 16 bytes an edge that waits, 12 to 60 bytes a vertex; allocated only to grow. Not thread safe.
  *
  * @param expected vertices, if known
  * @param waiting  edges that may wait; [[waitingEdges]] has all edges until more come
  * @param spare    the emptied forest that [[toBytes]] of an earlier pane gave, or null
  * @param more     asked when these edges wait and one more comes: how many edges may wait instead
  */
final class PaneForestBuilder(
    expected: Int = 0,
    waiting: Int = PaneForestBuilder.FewWaiting,
    private var spare: RangedForest = null,
    more: () => Int = () => 0
) extends EdgeSink {
  import PaneForestBuilder._

  // Made when the first edges are looked up.
  private var forest = null: IdForest
  // Vertices of a hashed forest from which on a range is looked for.
  private var sampleAt = SmallestRanged

  private val batch = new EdgeBatch(math.min(math.max(waiting, FewWaiting), MaxWaiting))
  private var flushed = 0L

  /** How many edges came. */
  def edges: Long = flushed + (batch.count >> 1)

  /** Distinct vertices so far, without the edges that wait; may take a pass over the vertices. */
  def size: Int = if (forest == null) 0 else forest.size

  /** The memory of the builder, in vertices of some 60 bytes. */
  def weight: Int = {
    val held = if (forest == null) spare else forest
    (if (held == null) 0 else held.weight) + (batch.room >> 3)
  }

  /** Whether all edges so far wait, so that [[waitingEdges]] has them. */
  def isWaiting: Boolean = forest == null

  /** Whether the forest is one over a range. */
  def isRanged: Boolean = forest.isInstanceOf[OverRange]

  /** The edges that wait. */
  def waitingEdges: LooseEdges = LooseEdges.of(batch.ends, batch.count)

  /** The edges that wait, with positions for their ids. */
  def waitingEdges(position: Long => Int): LooseEdges = LooseEdges.of(batch.ends, batch.count, position)

  /** Reads what the next edge will touch. */
  def readAhead: Long = batch.readAhead

  /** Adds an edge; true if the weight may have changed. */
  def add(src: Long, dst: Long): Boolean = {
    val isFull = batch.isFull
    if (isFull) makeRoom()
    batch.add(src, dst)
    isFull
  }

  /** Adds the edges between `src(from)` and `dst(from)` and so on, before `until`; true as for [[add]]. */
  def addAll(src: Array[Long], dst: Array[Long], from: Int, until: Int): Boolean = {
    var wasFull = false
    var i = from
    while (i < until) {
      if (batch.isFull) {
        makeRoom()
        wasFull = true
      }
      i = batch.addAll(src, dst, i, until)
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
    if (forest == null && spare == null && batch.isEmpty) forest = PaneForestBuilder.over(ids)
    flush()
    makeRoomFor(ids, ids.length)
    forest.add(ids, parents)
    seekRange()
  }

  /** The forest so far. No edges may follow. */
  def result(): PaneForest = {
    flush()
    forest.result()
  }

  /** The bytes of [[result]]. No edges may follow, and no memory is held any more.
    *
    * @param spare takes the emptied forest, or another one over its range, if the pane filled enough of the range
    */
  def toBytes(spare: RangedForest => Unit = _ => ()): Array[Byte] = {
    flush()
    val out = new BinaryWriter
    val vertices = forest.size
    forest.save(out)
    forest match {
      case over: OverRange if vertices >= LeastPart / 2 * over.range.length =>
        spare(over match {
          case ranged: RangedForest => ranged
          case _                    => new RangedForest(over.range)
        })
      case _ =>
    }
    forest = null
    batch.drop()
    out.toBytes
  }

  private def makeRoom(): Unit = {
    if (batch.isLargest && isWaiting) batch.mayGrowTo(math.min(more(), MaxWaiting))
    if (batch.isLargest) flush() else batch.grow()
  }

  /** Takes the edges that wait into the forest. */
  private def flush(): Unit = {
    val ends = batch.ends
    val count = batch.count
    batch.clear()
    flushed += count >> 1
    if (forest == null) {
      forest = if (spare == null) new HashedForest(math.max(expected, count), early = count) else spare
      // The spare forest is held here only until it is used.
      spare = null
    }
    makeRoomFor(ends, count)
    forest.joinAll(ends, count)
    seekRange()
  }

  /** Makes the forest one that has room for these ends. */
  private def makeRoomFor(ends: Array[Long], count: Int): Unit = forest match {
    case over: OverRange if !over.hasRoomFor(ends, count) => becomeHashed(over)
    case ranged: RangedForest
        if ranged.isThinnedFor(count) && DenseForest.isWorth(ranged.range, ranged.size) =>
      forest = DenseForest.of(ranged)
    case _ =>
  }

  /** Looks for a range now and then, while there is none. */
  private def seekRange(): Unit = forest match {
    case hashed: HashedForest if hashed.size >= sampleAt => becomeRanged(hashed)
    case _                                               =>
  }

  private def becomeHashed(over: OverRange): Unit = {
    val links = over.result()
    forest = new HashedForest(links.size)
    forest.add(links.ids, links.parents)
    sampleAt = 2 * links.size
  }

  private def becomeRanged(hashed: HashedForest): Unit = {
    sampleAt = 2 * hashed.size
    val ranged = RangedForest.of(hashed, math.max(hashed.size, expected), LeastPart)
    if (ranged != null) forest = ranged
  }
}

private object PaneForestBuilder {

  /** Edges that may wait at least. */
  private final val FewWaiting = HashedForest.Batch / 2

  /** Edges that may wait at most: 128 MiB. */
  private final val MaxWaiting = 1 << 23

  /** Vertices below which no range is looked for: the tables of fewer are in the caches of a core. */
  private final val SmallestRanged = 1 << 12

  /** The least part of a range that a pane has: then the bits of the range take no more than a word for each vertex. */
  private final val LeastPart = 1.0 / 32

  /** An empty forest for ids like these. */
  private def over(ids: Array[Long]): IdForest = {
    val range =
      if (ids.length < SmallestRanged) IdRange.Empty
      else IdRange.ofNearlyAll(IdRange.sample(ids.length)(ids(_)), ids.length, LeastPart)
    if (range.isEmpty) new HashedForest(ids.length)
    else if (DenseForest.isWorth(range, ids.length)) new DenseForest(range)
    else new RangedForest(range)
  }
}
