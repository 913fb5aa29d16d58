package io.github.sparkbic.index.forests

import io.github.sparkbic.index.contract.EdgeSink
import io.github.sparkbic.index.format.BinaryWriter

/** Builds a [[PaneForest]] from edges in any order.
  *
  * Edges wait for one another, to be looked up together. A forest of a few edges is nothing but these until it is asked
  * for, which is what makes a hundred thousand graphs cheap. One of many is an [[IdForest]]: a [[HashedForest]] at first,
  * and a [[RangedForest]] as soon as a good part of a run of ids is there, for the panes after it from the beginning.
  *
  * About 30 ns an edge with a range and 60 without, with what packing it takes, where a pane has 100,000 vertices; 16 bytes
  * an edge that waits, 12 to 60 bytes a vertex; no allocation but when it grows. Not thread safe.
  *
  * @param expected vertices, if known
  * @param waiting  edges that may wait; as long as no more came, they can be had as they are, at hardly a cost
  * @param spare    what [[toBytes]] of an earlier pane gave; null if there is none
  */
final class PaneForestBuilder(
    expected: Int = 0,
    waiting: Int = PaneForestBuilder.FewWaiting,
    private var spare: RangedForest = null
) extends EdgeSink {
  import PaneForestBuilder._

  // Made when the first edges are looked up.
  private var forest = null: IdForest
  // Vertices of a hashed forest at which ids are looked at for a range.
  private var lookAt = SmallestRanged

  private val batch = new EdgeBatch(math.min(math.max(waiting, FewWaiting), MaxWaiting))
  private var flushed = 0L

  /** How many edges came. */
  def edges: Long = flushed + (batch.count >> 1)

  /** Distinct vertices so far, but for those of the edges that wait; may take a pass over them. */
  def size: Int = if (forest == null) 0 else forest.size

  /** The memory that this takes, in vertices of some 60 bytes. */
  def weight: Int = {
    val held = if (forest == null) spare else forest
    (if (held == null) 0 else held.weight) + (batch.room >> 3)
  }

  /** Whether all edges so far wait, so that [[waitingEdges]] has them. */
  def isWaiting: Boolean = forest == null

  /** Whether it is a [[RangedForest]]. */
  def isRanged: Boolean = forest.isInstanceOf[RangedForest]

  /** The edges that wait. */
  def waitingEdges: LooseEdges = LooseEdges.of(batch.ends, batch.count)

  /** The same with positions for their ids. */
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

  /** What the forest's `toBytes` would be. No edges may follow, and no memory is held any more.
    *
    * @param spare is given the memory of the forest, if it is of use to the pane after it
    */
  def toBytes(spare: RangedForest => Unit = _ => ()): Array[Byte] = {
    flush()
    val vertices = size
    val out = new BinaryWriter(16 + 2 * vertices)
    forest.drainTo(out)
    forest match {
      case ranged: RangedForest if vertices >= LeastPart / 2 * ranged.range.length => spare(ranged)

      case _ =>
    }
    forest = null
    batch.drop()
    out.toBytes
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
      // The forest of an earlier pane is held no longer than it is of use.
      spare = null
    }
    (forest: @unchecked) match {
      case ranged: RangedForest =>
        if (!ranged.hasRoomFor(ends, count)) becomeHashed()
        forest.joinAll(ends, count)
      case hashed: HashedForest =>
        hashed.joinAll(ends, count)
        if (hashed.size >= lookAt) becomeRanged(hashed)
    }
  }

  private def becomeHashed(): Unit = forest match {
    case ranged: RangedForest =>
      val links = ranged.result()
      forest = new HashedForest(links.size)
      forest.add(links.ids, links.parents)
      lookAt = 2 * links.size
    case _ =>
  }

  private def becomeRanged(hashed: HashedForest): Unit = {
    lookAt = 2 * hashed.size
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

  /** The part of a range that a pane has at least: then the bits of the range take no more than a word for each vertex. */
  private final val LeastPart = 1.0 / 32
}
