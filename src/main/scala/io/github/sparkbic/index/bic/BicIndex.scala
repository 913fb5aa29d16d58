package io.github.sparkbic.index.bic

import io.github.sparkbic.index.contract.IndexConfig
import io.github.sparkbic.index.forests.{Link, NumberedIndex, SavedForest}
import io.github.sparkbic.index.kernels.{PathHalving, UnionBySize}

/** The paper's index: bidirectional incremental computation, which never deletes (Zhang, Bonifati, Özsu, VLDB 2024).
  *
  * Time is cut into chunks of `perWindow` panes. The window from pane `j` of chunk `c` on has the last `perWindow - j`
  * panes of `c` and the first `j` of `c + 1`. Inter-buffer checking joins snapshot `b[j]` of the backward buffer of
  * `c` and the forward buffer of `c + 1`. A window that starts with a chunk is the forward buffer alone. When a pane
  * of the next chunk arrives, the chunk's panes become a backward buffer, and the old buffer is dropped as a whole.
  *
  * How this index differs from the paper. Chunks are of panes, so a window need not be a multiple of the slide. The
  * bipartite graph is not stored, but read off both buffers ([[InterBufferSearch]]), so trees need no vertex labels and
  * no root intervals. The chunk's past is kept as a maximum spanning forest by pane ([[PaneLog]]), so memory is O(live
  * vertices). `bic-paper` in `bench/` follows Algorithms 1 to 5 to the letter, and takes three to eight times as long.
  *
  * Cost: an edge takes two look-ups, two finds and a union in the forward buffer. Thinning of the log and the backward
  * build take finds and unions too. All are amortised O(α). Memory: some 20 bytes a vertex and 8 an edge of the log,
  * beside the vertex numbers.
  *
  * Trade-off: the first edges after a chunk, or the first close of a pane, build the whole backward buffer, which takes as
  * long as a good part of the chunk did.
  */
final class BicIndex(perWindow: Int, config: IndexConfig = IndexConfig())
    extends NumberedIndex(perWindow, config) {

  // The forward buffer is the union–find over the current chunk so far. Windows ask for its snapshots in the order of their
  // computation, so only the latest snapshot is kept, and paths may be shortened.
  private[bic] var forward = new UnionBySize
  private[bic] var backward = new BackwardBuffer(perWindow)

  // Of the window that ends with the pane closed last: the search between its buffers and, once that is out of budget, a
  // union–find over its vertices. Null until the first pair needs it.
  private var search = null: InterBufferSearch
  private var united = null: Array[Int]

  // The chunk of the newest pane, its edges, and how many edges are thinned next.
  private var chunk = Long.MinValue
  private[bic] var log = new PaneLog
  private var thinAt = config.smallestThinned

  override protected def requireOpen(pane: Long): Unit =
    require(
      pane > lastClosed && pane >= newestEdge,
      s"pane $pane is closed; the last one is ${math.max(lastClosed, newestEdge)}"
    )

  override protected def reserve(length: Int): Unit = forward.reserve(length)

  override protected def joinEdges(numbers: Array[Int], count: Int, pane: Long): Unit = {
    log.open(Math.floorMod(pane, perWindow))
    forward.joinAll(numbers, count)
    log.addAll(numbers, count)
  }

  override protected def compact(): Unit = if (log.size >= thinAt) {
    log.thin(vertices.top + 1)
    setThinAt()
  }

  private def setThinAt(): Unit =
    thinAt = math.max(config.smallestThinned, 2 * math.max(log.size, vertices.top))

  override def closePane(pane: Long): Unit = {
    super.closePane(pane)
    search = null
    united = null
  }

  override def connected(windowStart: Long, source: Long, target: Long): Boolean = {
    val j = snapshotOf(windowStart)
    val s = vertices.find(source, windowStart.toInt)
    val t = vertices.find(target, windowStart.toInt)
    s > 0 && t > 0 && (s == t || {
      if (united != null) areUnited(s, t)
      else {
        // Intra-buffer checking, then inter-buffer checking (Algorithm 5). Snapshot 0 is the forward buffer alone.
        val forwardS = forward.find(s)
        val forwardT = forward.find(t)
        forwardS > 0 && forwardS == forwardT || j > 0 && areJoined(windowStart, j, s, t, forwardS, forwardT)
      }
    })
  }

  /** Whether links of the backward buffer, or of both buffers, join two vertices with these roots in the forward buffer. */
  private def areJoined(windowStart: Long, j: Int, s: Int, t: Int, forwardS: Int, forwardT: Int): Boolean = {
    val backwardS = backward.find(s, j)
    val backwardT = backward.find(t, j)
    if (backwardS > 0 && backwardS == backwardT) true
    else if (forwardS + backwardS == 0 || forwardT + backwardT == 0) false
    else {
      if (search == null) search = new InterBufferSearch(forward, backward, j, vertices.top)
      val found = search.connected(forwardS, backwardS, forwardT, backwardT)
      if (found == InterBufferSearch.OutOfBudget) {
        united = parentsFrom(windowStart)
        areUnited(s, t)
      } else found == InterBufferSearch.Met
    }
  }

  private def areUnited(s: Int, t: Int): Boolean = PathHalving.root(united, s) == PathHalving.root(united, t)

  override protected def parentsFrom(windowStart: Long): Array[Int] = {
    val j = snapshotOf(windowStart)
    val parents = vertices.seenSince(windowStart.toInt)
    forward.fill(parents)
    if (j > 0) backward.joinAll(parents, j)
    parents
  }

  private def snapshotOf(windowStart: Long): Int = {
    require(
      windowStart + perWindow - 1 == lastClosed && newestEdge <= lastClosed,
      s"the window of panes [$windowStart, ${windowStart + perWindow}) does not end with the pane closed last, which " +
        s"is $lastClosed"
    )
    Math.floorMod(windowStart, perWindow)
  }

  /** Moves on to the chunk of the newest pane. */
  override protected def advanced(): Unit = {
    val next = Math.floorDiv(newest, perWindow.toLong)
    if (next != chunk) {
      forward.clear()
      backward = new BackwardBuffer(perWindow)
      // Windows to come need no pane before the previous chunk, whose edges the log holds.
      val j = Math.floorMod(firstHeld, perWindow)
      if (log.size > 0 && j > 0) backward.build(log, j, vertices.top + 1)
      log = new PaneLog
      thinAt = config.smallestThinned
      chunk = next
    }
  }

  override protected def clear(): Unit = {
    forward = new UnionBySize
    backward = new BackwardBuffer(perWindow)
    log = new PaneLog
  }

  /** By Kruskal's algorithm from the newest pane to the oldest: the edges of the chunk, then the links of the backward
    * buffer. A link joins the roots of an edge's ends, which links of its pane or newer join with the ends. So links serve as
    * edges. Memory meanwhile: 12 bytes a vertex number or more.
    */
  override protected def saved(closed: Long): SavedForest = {
    val start = chunk * perWindow
    val entries = new Array[Int](vertices.top + 1)
    val links = new Array[Long](vertices.top + 1)
    // A root is linked once, so no vertex has two links.
    def add(log: PaneLog, start: Int): Unit = log.span(0, entries) { (_, root, child, offset) =>
      links(child) = Link.pack(start + offset, root)
    }
    add(log, start.toInt)
    if (firstHeld < start)
      add(backward.toLog(Math.floorMod(firstHeld, perWindow)), (start - perWindow).toInt)
    new SavedForest(closed, firstHeld.toInt, vertices.top, vertices.ids, vertices.seenPanes, links)
  }

  /** Takes links of this chunk into log and forward buffer, and links of the chunk before into the backward buffer. */
  override protected def build(forest: SavedForest): Unit = {
    chunk = Math.floorDiv(newest, perWindow.toLong)
    val start = (chunk * perWindow).toInt
    log = PaneLog.of(forest.links, start, 0, perWindow)
    log.span(0, new Array[Int](vertices.top + 1)) { (edge, _, _, _) =>
      forward.joinAll(Array((edge >>> 32).toInt, edge.toInt), 2)
    }
    val from = Math.floorMod(firstHeld, perWindow)
    if (from > 0)
      backward.build(PaneLog.of(forest.links, start - perWindow, from, perWindow), from, vertices.top + 1)
    setThinAt()
  }
}

object BicIndex {

  /** Its name in the public API. */
  val Name: String = "bic"
}
