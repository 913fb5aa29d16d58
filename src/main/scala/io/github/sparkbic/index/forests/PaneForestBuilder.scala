package io.github.sparkbic.index.forests

import io.github.sparkbic.index.contract.EdgeSink

/** Builds a [[PaneForest]] from edges in any order.
  *
  * Edges wait in a batch, so that their look-ups overlap. A pane of few edges stays in the batch, so that a hundred
  * thousand graphs are cheap. More edges become a [[HashedForest]], and a [[RangedForest]] once the ids are dense
  * enough; later panes may begin with this range.
  *
  * With 100,000 vertices a pane, an edge takes about 30 ns with a range and 60 ns without, packing included. Memory:
  * 16 bytes an edge that waits, 12 to 60 bytes a vertex; allocated only to grow. Not thread safe.
  *
  * @param expected vertices, if known
  * @param waiting  edges that may wait; [[waitingEdges]] has all edges until more come
  * @param spare    the emptied forest that [[toBytes]] of an earlier pane gave, or null
  */
final class PaneForestBuilder(
    expected: Int = 0,
    waiting: Int = PaneForestBuilder.FewWaiting,
    private var spare: RangedForest = null
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

  /** Whether the forest is a [[RangedForest]]. */
  def isRanged: Boolean = forest.isInstanceOf[RangedForest]

  /** The edges that wait. */
  def waitingEdges: LooseEdges = LooseEdges.of(batch.ends, batch.count)

  /** The edges that wait, with positions for their ids. */
  def waitingEdges(position: Long => Int): LooseEdges = LooseEdges.of(batch.ends, batch.count, position)

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
    flush()
    becomeHashed()
    forest.add(ids, parents)
  }

  /** The forest so far. No edges may follow. */
  def result(): PaneForest = {
    flush()
    forest.result()
  }

  /** The bytes of [[result]]. No edges may follow, and no memory is held any more.
    *
    * @param spare takes the emptied forest, if the pane filled enough of its range
    */
  def toBytes(spare: RangedForest => Unit = _ => ()): Array[Byte] = {
    val links = result()
    forest match {
      case ranged: RangedForest if links.size >= LeastPart / 2 * ranged.range.length => spare(ranged)

      case _ =>
    }
    forest = null
    batch.drop()
    links.toBytes
  }

  private def makeRoom(): Unit = if (batch.isLargest) flush() else batch.grow()

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
    (forest: @unchecked) match {
      case ranged: RangedForest =>
        if (!ranged.hasRoomFor(ends, count)) becomeHashed()
        forest.joinAll(ends, count)
      case hashed: HashedForest =>
        hashed.joinAll(ends, count)
        if (hashed.size >= sampleAt) becomeRanged(hashed)
    }
  }

  private def becomeHashed(): Unit = forest match {
    case ranged: RangedForest =>
      val links = ranged.result()
      forest = new HashedForest(links.size)
      forest.add(links.ids, links.parents)
      sampleAt = 2 * links.size
    case _ =>
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
}
