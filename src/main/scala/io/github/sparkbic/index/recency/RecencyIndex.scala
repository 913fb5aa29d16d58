package io.github.sparkbic.index.recency

import java.util.Arrays

import io.github.sparkbic.index.contract.{ConnectivityIndex, EdgeSet, IndexConfig, IndexSize, PaneClock}
import io.github.sparkbic.index.format.BinaryWriter
import io.github.sparkbic.index.forests.{EdgeBatch, ForestFeed, WindowForest}
import io.github.sparkbic.index.vertices.VertexNumbers

/** Connectivity of every window that ends now, from one forest of the most recent links.
  *
  * The index holds more than [[ConnectivityIndex]] asks for: the last `perWindow` panes, counted back from the newest pane
  * that was closed or had an edge. An edge may be inserted into any pane held, in any order, closed or not. A window
  * may start at any pane held, so that windows of several lengths share one index; its answers cover all edges from that
  * pane on.
  *
  * Cost: expected O(log n) for an edge and for a question, where n vertices are held; in practice a few steps, so that most
  * of the time goes into the cache misses of looking both vertices up. No work when a window moves on. Memory: 8 bytes a
  * number for its link, beside [[VertexNumbers]]. No edge is stored.
  *
  * A rank hangs on the number of its vertex. So where there are far fewer vertices than there were, the index is built anew
  * from its own saved form; that takes as long as a restart.
  *
  * Prior work on forests of recent edges: M. S. Crouch, A. McGregor, D. Stubbs, "Dynamic graphs in the sliding-window
  * model", ESA 2013; D. Anderson, G. Blelloch, K. Tangwongsan, arXiv 2002.05710; C. Zhang, A. Bonifati, M. T. Özsu,
  * arXiv 2410.00884 (OMST); Q. Ding, Y. Gu, Y. Sun, arXiv 2504.04619 (AM-tree).
  */
final class RecencyIndex private (perWindow: Int, config: IndexConfig) extends ConnectivityIndex {

  private val clock = new PaneClock(perWindow, config.reach)
  private var vertices = new VertexNumbers(config)
  private var links = new LinkForest(config)
  private var join = new EdgeJoin(links)

  // Edges that wait, all of one pane, and the pane that takes edges.
  private val batch = new EdgeBatch(config.batchEdges)
  private var batchPane = Long.MinValue
  private var openPane = Long.MinValue

  /** The first pane held: edges and windows may start there. */
  private[recency] def firstHeld: Long = clock.first

  private[index] def vertexNumbers: VertexNumbers = vertices

  override def insert(pane: Long, src: Long, dst: Long): Unit = {
    if (pane != batchPane || batch.isFull) makeRoom(pane)
    batch.add(src, dst)
  }

  /** Makes room for an edge of `pane`. */
  private def makeRoom(pane: Long): Unit =
    if (pane == batchPane && !batch.isLargest) batch.grow()
    else {
      flush()
      admit(pane)
      batchPane = pane
      if (batch.isFull) batch.grow()
    }

  override def insert(pane: Long, edges: EdgeSet): Unit = {
    flush()
    admit(pane)
    openPane = pane
    edges.feed(feed)
    reviewIfDue()
  }

  override def closePane(pane: Long): Unit = {
    require(pane >= clock.closed, s"pane $pane is before pane ${clock.closed}, which is closed")
    flush()
    clock.closed = pane
    advance(pane)
  }

  override def connected(windowStart: Long, source: Long, target: Long): Boolean = {
    flush()
    requireHeld(windowStart)
    val p = windowStart.toInt
    windowStart <= clock.newestEdge && {
      val s = vertices.find(source, p)
      val t = vertices.find(target, p)
      s > 0 && t > 0 && links.find(s, p) == links.find(t, p)
    }
  }

  override def components(windowStart: Long)(visit: (Long, Long) => Unit): Unit = {
    flush()
    requireHeld(windowStart)
    if (windowStart <= clock.newestEdge) {
      val p = windowStart.toInt
      val top = vertices.top
      val smallest = new Array[Long](top + 1)
      Arrays.fill(smallest, Long.MaxValue)
      var n = 1
      while (n <= top) {
        if (vertices.isSeen(n, p)) {
          val root = links.find(n, p)
          smallest(root) = math.min(smallest(root), vertices.id(n))
        }
        n += 1
      }
      n = 1
      while (n <= top) {
        if (vertices.isSeen(n, p)) visit(vertices.id(n), smallest(links.find(n, p)))
        n += 1
      }
    }
  }

  override def vertices(visit: Long => Unit): Unit = {
    flush()
    if (!clock.isEmpty) vertices.foreach(clock.first.toInt)(visit)
  }

  override def save(out: BinaryWriter): IndexSize = {
    flush()
    require(
      clock.newest == clock.closed,
      s"pane ${clock.newest} must be closed before the index is saved; the pane closed last is ${clock.closed}"
    )
    saved(clock.closed).save(out)
  }

  private def saved(closed: Long): WindowForest = RecencyForest.of(closed, clock.first, vertices, links)

  /** Inserts the edges that wait. The next edge is checked against the clock again. */
  private def flush(): Unit = {
    if (!batch.isEmpty) {
      openPane = batchPane
      feed.addEdges(batch.ends, batch.count)
      batch.clear()
      reviewIfDue()
    }
    batchPane = Long.MinValue
  }

  private val feed = new ForestFeed {
    override protected def enterAll(
        ids: Array[Long],
        from: Int,
        count: Int,
        numbers: Array[Int]
    ): Unit = {
      vertices.enterAll(ids, from, count, openPane.toInt, openPane == clock.newestEdge, numbers)
      links.reserve(vertices.capacity)
    }

    override protected def joinEdges(numbers: Array[Int], count: Int): Unit =
      join.joinAll(numbers, count, openPane.toInt)

    override protected def joinTrees(numbers: Array[Int], count: Int): Unit =
      join.joinTrees(numbers, count, openPane.toInt)
  }

  private def requireHeld(windowStart: Long): Unit =
    require(
      windowStart >= clock.first,
      s"a window from pane $windowStart is no longer held; the first pane held is ${clock.first}"
    )

  /** Moves on to a pane newer than all panes before, and refuses a pane no longer held. */
  private def admit(pane: Long): Unit = {
    advance(pane)
    require(
      pane >= clock.first,
      s"pane $pane is no longer held; the first pane held, for windows of $perWindow panes up to pane ${clock.newest}, " +
        s"is ${clock.first}"
    )
    clock.newestEdge = math.max(clock.newestEdge, pane)
  }

  private def advance(pane: Long): Unit = {
    val move = clock.advance(pane)
    if (move == PaneClock.Clear && vertices.top > 0) use(new VertexNumbers(config), new LinkForest(config))
    vertices.firstPane = clock.first.toInt
    links.firstPane = clock.first.toInt
    if (move == PaneClock.Rewrite) {
      vertices.rewriteExpired()
      links.rewriteExpired()
      join.forget()
    }
  }

  private def use(vertices: VertexNumbers, links: LinkForest): Unit = {
    this.vertices = vertices
    this.links = links
    join = new EdgeJoin(links)
  }

  private def reviewIfDue(): Unit = if (clock.isReviewDue && vertices.review()) build(saved(clock.newest))

  /** Takes all vertices and links from `forest`. */
  private def build(forest: WindowForest): Unit = {
    val first = clock.first.toInt
    val built = new LinkForest(config)
    built.firstPane = first
    use(VertexNumbers.of(config, first, forest.ids, forest.seen), built)
    built.reserve(vertices.capacity)
    RecencyForest.join(forest, join)
  }

  /** The first violation of an invariant, if there is one; O(vertices). */
  private[recency] def validate(): Option[String] = {
    flush()
    RecencyForest.validate(clock.first.toInt, vertices, links)
  }
}

object RecencyIndex {

  /** Its name in the public API. */
  val Name: String = "recency"

  def apply(perWindow: Int, config: IndexConfig = IndexConfig()): RecencyIndex =
    new RecencyIndex(perWindow, config)

  /** The index with the saved form `forest`, in expected time O(vertices × log vertices). */
  private[index] def of(perWindow: Int, forest: WindowForest, config: IndexConfig): RecencyIndex = {
    val index = new RecencyIndex(perWindow, config)
    index.clock.restore(forest.closed, forest.newestEdge)
    index.build(forest)
    index
  }
}
