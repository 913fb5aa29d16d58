package io.github.sparkbic.index.forests

import io.github.sparkbic.index.contract.{
  ConnectivityIndex,
  EdgeSet,
  IndexConfig,
  IndexSize,
  PaneClock,
  WindowComponents
}
import io.github.sparkbic.index.format.{BinaryWriter, CorruptStateException}
import io.github.sparkbic.index.vertices.VertexNumbers

/** The part that all indexes share: the batch of single edges, the vertex numbers, the clock, and the saved
  * [[WindowForest]].
  *
  * Invariant: all edges that wait are of one pane. Memory: 16 bytes an edge that waits. Once a window, if three
  * quarters of the vertex numbers have expired, the index is rebuilt from its saved form. A rebuild takes as long as a
  * restart.
  */
private[index] abstract class BatchedIndex(perWindow: Int, config: IndexConfig) extends ConnectivityIndex {
  import BatchedIndex.LeastLive

  protected val clock = new PaneClock(perWindow, config.reach)
  protected var vertices = new VertexNumbers(config)

  // Edges that wait, all of one pane, and the pane that takes edges.
  private val batch = new EdgeBatch(config.batchEdges)
  private var batchPane = Long.MinValue
  private var openPane = Long.MinValue
  // The newest pane after whose edges the index was tidied.
  private var tidyPane = Long.MinValue

  /** Refuses an edge of a pane that does not take edges. */
  protected def requireOpen(pane: Long): Unit

  /** Makes room for vertex numbers below `length`. */
  protected def reserve(length: Int): Unit

  /** Adds the edges `numbers(0) – numbers(1)`, `numbers(2) – numbers(3)` … of `pane`; `numbers` may be overwritten. */
  protected def joinEdges(numbers: Array[Int], count: Int, pane: Long): Unit

  /** [[joinEdges]] for the links of a forest: the links of a tree are consecutive and share their first end. */
  protected def joinTrees(numbers: Array[Int], count: Int, pane: Long): Unit

  /** Forgets all edges. */
  protected def clear(): Unit

  /** Notes that the clock has moved, and that `vertices` has followed it. */
  protected def advanced(move: PaneClock.Move): Unit

  /** Tidies up after some batches of edges, if there is need. */
  protected def compact(): Unit = ()

  /** Refuses a window that cannot be answered. */
  protected def requireWindow(windowStart: Long): Unit

  /** A forest of the components of the window that starts at pane `windowStart`: for each vertex number up to
    * `vertices.top` its parent, which is the number itself for a root, and 0 where the vertex is not in the window.
    */
  protected def parentsFrom(windowStart: Long): Array[Int]

  /** The saved form, if `closed` is the pane closed last. */
  protected def saved(closed: Long): WindowForest

  /** Takes all links from `forest`, whose vertices have the numbers that `vertices` gives; the index has no edge. */
  protected def build(forest: WindowForest): Unit

  private[index] def vertexNumbers: VertexNumbers = vertices

  /** Whether no edge waits for others. */
  protected def isFlushed: Boolean = batch.isEmpty

  final override def insert(pane: Long, src: Long, dst: Long): Unit = {
    if (pane != batchPane || batch.isFull) makeRoom(pane)
    batch.add(src, dst)
  }

  /** Makes room for an edge of `pane`. */
  private def makeRoom(pane: Long): Unit =
    if (pane == batchPane && !batch.isLargest) batch.grow()
    else {
      flush()
      requireOpen(pane)
      batchPane = pane
      if (batch.isFull) batch.grow()
    }

  final override def insert(pane: Long, edges: EdgeSet): Unit = {
    flush()
    requireOpen(pane)
    add(pane)(edges.feed(feed))
    tidy()
  }

  /** Inserts the edges that wait. The next edge is checked against the clock again. */
  protected def flush(): Unit = {
    if (!batch.isEmpty) {
      add(batchPane)(feed.addEdges(batch.ends, batch.count))
      // Answers wait for the last batch of a pane: no tidying follows unless the batch is full or the only batch.
      if (batch.isFull || tidyPane != batchPane) tidy()
      batch.clear()
    }
    batchPane = Long.MinValue
  }

  private def add(pane: Long)(feedAll: => Unit): Unit = {
    advance(pane)
    clock.newestEdge = math.max(clock.newestEdge, pane)
    openPane = pane
    feedAll
  }

  private def tidy(): Unit = {
    tidyPane = openPane
    compact()
    if (clock.isReviewDue && vertices.review()) rebuild(saved(clock.newest).compact)
  }

  private val feed = new ForestFeed {
    override protected def enterAll(
        ids: Array[Long],
        from: Int,
        count: Int,
        numbers: Array[Int]
    ): Unit = {
      vertices.enterAll(ids, from, count, openPane.toInt, numbers)
      reserve(vertices.capacity)
    }

    override protected def joinEdges(numbers: Array[Int], count: Int): Unit =
      BatchedIndex.this.joinEdges(numbers, count, openPane)

    override protected def joinTrees(numbers: Array[Int], count: Int): Unit =
      BatchedIndex.this.joinTrees(numbers, count, openPane)
  }

  override def closePane(pane: Long): Unit = {
    require(pane >= clock.closed, s"pane $pane is before pane ${clock.closed}, which is closed")
    flush()
    advance(pane)
    clock.closed = pane
  }

  private def advance(pane: Long): Unit = {
    val move = clock.advance(pane)
    if (move == PaneClock.Clear && vertices.top > 0) {
      vertices = new VertexNumbers(config)
      clear()
    }
    vertices.firstPane = clock.first.toInt
    if (move == PaneClock.Rewrite) vertices.rewriteExpired()
    advanced(move)
  }

  final override def components(windowStart: Long): WindowComponents = {
    flush()
    requireWindow(windowStart)
    if (windowStart > clock.newestEdge) WindowComponents.Empty
    else WindowComponents(parentsFrom(windowStart), vertices.ids.toArray, config.threadsFor(vertices.top))
  }

  final override def vertices(visit: Long => Unit): Unit = {
    flush()
    if (!clock.isEmpty) vertices.foreach(clock.first.toInt)(visit)
  }

  final override def save(out: BinaryWriter): IndexSize = {
    flush()
    require(
      clock.newestEdge <= clock.closed,
      s"pane ${clock.newestEdge} must be closed before the index is saved; the pane closed last is ${clock.closed}"
    )
    val forest = saved(clock.closed)
    // Numbers without a vertex take room in the saved form, too.
    val isSparse = vertices.countSeen(clock.first.toInt) < vertices.top * LeastLive
    (if (isSparse) forest.compact else forest).save(out, config.threadsFor(forest.top))
  }

  /** Takes the place of all that was there from `forest`, the saved form of an index whose clock reads the same. */
  private def rebuild(forest: WindowForest): Unit = {
    vertices = VertexNumbers.of(config, clock.first.toInt, forest.top, forest.ids, forest.seen)
    clear()
    reserve(vertices.capacity)
    build(forest)
  }

  /** Makes this empty index a copy of `other`, but for the links. */
  protected def copyVertices(other: BatchedIndex): Unit = {
    clock.copyFrom(other.clock)
    vertices = other.vertices.copy
  }

  /** Makes this empty index the index with the saved form `forest`. */
  private[index] def restore(forest: WindowForest): this.type = {
    clock.restore(forest.closed, forest.newestEdge)
    rebuild(forest)
    vertices.repeated.foreach(id => throw new CorruptStateException(s"vertex $id occurs twice"))
    this
  }
}

private object BatchedIndex {

  /** The least part of the numbers of a saved form that have a vertex. */
  private final val LeastLive = 0.75
}
