package io.github.sparkbic.index.bic

import java.util.Arrays

import scala.collection.mutable.ArrayBuffer

import io.github.sparkbic.index.{
  BinaryReader,
  BinaryWriter,
  ConnectivityIndex,
  IndexSize,
  LongInterner,
  PaneForest,
  PathHalving
}

/** The paper's index: bidirectional incremental computation, which never deletes (Zhang, Bonifati, Özsu, VLDB 2024).
  *
  * Time is cut into chunks of `perWindow` panes. The window that starts `j` panes into chunk `c` is the last
  * `perWindow - j` panes of `c` and the first `j` of `c + 1`: snapshot `b[j]` of the backward buffer of `c` and the
  * forward buffer of `c + 1`, joined by the bipartite graph between their roots. A window that starts with a chunk is
  * the forward buffer alone. When a pane of the next chunk arrives, the chunk's panes become a backward buffer and the
  * old one is dropped as a whole: that is all the deleting there is, and vertices that are gone with it lose their
  * numbers.
  *
  * Beyond the paper: chunks are of panes, so a window need not be a multiple of the slide and gaps of any length are
  * ordinary; only a forest of each pane is kept, not its edges; and the backward build goes along with the
  * inserts into the first pane after the chunk, a few links an edge, so that no answer waits for it.
  *
  * Cost: an edge is interned and looked up in the forest of its pane, and only if it joins two trees there goes on to
  * the forward buffer; O(α) finds and, amortised, O(log) moves. Once per chunk O(links of the chunk) for the backward
  * buffer. Memory: the pane forests of a chunk at 8 bytes a vertex and pane, and about 70 bytes a vertex of the window.
  *
  * Trade-off: inserts into the first pane of a chunk are several times slower than others; if that pane is short, what
  * is left of the build comes when it is closed.
  */
final class BicIndex private (
    perWindow: Int,
    private var interner: LongInterner,
    private var backward: BackwardBuffer,
    private var chunk: Long
) extends ConnectivityIndex {
  import BicIndex.{NoNode, NotInPane}

  def this(perWindow: Int) = this(perWindow, new LongInterner(), BackwardBuffer.Empty, Long.MinValue)

  private var forward = new ForwardBuffer(interner.size)
  private var bipartite = new BipartiteGraph(backward)
  // Of each root of the forward buffer: the bag of its component in the bipartite graph, plus one.
  private var bags = new Array[Int](interner.size + 8)

  private var panes = ArrayBuffer.empty[ChunkPane]
  // The pane that takes edges: a union–find whose members are listed, so that closing it costs what it holds.
  private var openPane = Long.MinValue
  private var closedPane = Long.MinValue
  private var paneParents = filled(interner.size + 8)
  private var members = new Array[Int](16)
  private var memberCount = 0
  // Edges that wait for one another, all of the open pane; numbers of their ends; what [[flush]] looked at, which is kept
  // lest the compiler drops the looking.
  private var batch = new Array[Long](16)
  private var numbers = new Array[Int](16)
  private var batched = 0
  private[bic] var looked = 0L
  // The backward buffer in the making, and how many members have been connected with it since.
  private var pending: Option[BackwardBuild] = None
  private var connectedMembers = 0

  override def insert(pane: Long, src: Long, dst: Long): Unit = {
    if (batched == 0 || pane != openPane || 2 * batched == batch.length) {
      flush()
      open(pane)
    }
    batch(2 * batched) = src
    batch(2 * batched + 1) = dst
    batched += 1
  }

  /** Inserts the edges that wait.
    *
    * The loops that only look do so without branches to mispredict, and so wait for many cache lines at once, where the
    * work proper would wait for one after the other.
    */
  private def flush(): Unit =
    if (batched > 0) {
      val ends = 2 * batched
      batched = 0
      // Graphs of a few edges stay small.
      if (ends == batch.length && ends < 2 * BicIndex.Batch) growBatch()
      if (pending.nonEmpty) build(ends / 2)
      val interner = this.interner
      var seen = 0L
      var i = 0
      while (i < ends) {
        seen ^= interner.peek(batch(i))
        i += 1
      }
      i = 0
      while (i < ends) {
        numbers(i) = number(batch(i))
        i += 1
      }
      i = 0
      while (i < ends) {
        seen ^= paneParents(numbers(i)) ^ forward.peek(numbers(i))
        i += 1
      }
      looked = seen
      i = 0
      while (i < ends) {
        val u = numbers(i)
        val v = numbers(i + 1)
        enter(u)
        if (u != v) {
          enter(v)
          join(u, v)
        }
        i += 2
      }
    }

  private def growBatch(): Unit = {
    batch = Arrays.copyOf(batch, batch.length * 2)
    numbers = new Array[Int](batch.length)
  }

  override def insert(pane: Long, forest: PaneForest): Unit = {
    flush()
    open(pane)
    val numbers = new Array[Int](forest.size)
    var i = 0
    while (i < numbers.length) {
      numbers(i) = number(forest.ids(i))
      enter(numbers(i))
      i += 1
    }
    i = 0
    while (i < numbers.length) {
      if (forest.parents(i) != i) join(numbers(forest.parents(i)), numbers(i))
      i += 1
    }
    // Nothing is gained by slices where edges come as a whole.
    finishBuild()
  }

  override def closePane(pane: Long): Unit = {
    require(pane >= closedPane, s"pane $pane is before pane $closedPane, which is closed")
    flush()
    freezeOpenPane()
    moveTo(Math.floorDiv(pane, perWindow.toLong))
    finishBuild()
    closedPane = pane
  }

  override def connected(windowStart: Long, source: Long, target: Long): Boolean = {
    val j = snapshotOf(windowStart)
    val s = interner.find(source)
    val t = interner.find(target)
    if (s < 0 || t < 0) false
    else {
      // Intra-buffer checking, then inter-buffer checking (Algorithm 5). Snapshot 0 is the forward buffer alone.
      val forwardS = forward.find(s)
      val forwardT = forward.find(t)
      if (forwardS >= 0 && forwardS == forwardT) true
      else if (j == 0) false
      else {
        val backwardS = backward.find(s, j)
        val backwardT = backward.find(t, j)
        if (backwardS >= 0 && backwardS == backwardT) true
        else {
          val nodeS = nodeOf(forwardS, backwardS)
          val nodeT = nodeOf(forwardT, backwardT)
          nodeS != NoNode && nodeT != NoNode && bipartite.connected(nodeS, nodeT, j)
        }
      }
    }
  }

  override def components(windowStart: Long)(visit: (Long, Long) => Unit): Unit = {
    val j = snapshotOf(windowStart)
    val n = interner.size
    if (j > 0) bipartite.contract(j)
    // A component is a label of the contraction, or a root that no edge of the bipartite graph touches.
    val labels = if (j > 0) bipartite.labels else 0
    val smallest = new Array[Long](labels + 2 * n)
    Arrays.fill(smallest, Long.MaxValue)
    val keys = new Array[Int](n)
    var v = 0
    while (v < n) {
      val f = forward.find(v)
      val b = if (j == 0) -1 else backward.find(v, j)
      val node = nodeOf(f, b)
      val key = if (node == NoNode || j == 0) -1 else bipartite.label(node)
      keys(v) = if (key >= 0) key else if (f >= 0) labels + f else if (b >= 0) labels + n + b else -1
      if (keys(v) >= 0) smallest(keys(v)) = math.min(smallest(keys(v)), interner.id(v))
      v += 1
    }
    v = 0
    while (v < n) {
      if (keys(v) >= 0) visit(interner.id(v), smallest(keys(v)))
      v += 1
    }
  }

  override def vertices(visit: Long => Unit): Unit = {
    flush()
    finishBuild()
    (0 until interner.size).foreach(v => visit(interner.id(v)))
  }

  override def save(out: BinaryWriter): IndexSize = {
    require(openPane <= closedPane, s"pane $openPane must be closed before the index is saved")
    BicState.save(out, perWindow, chunk, closedPane, interner, backward, panes.toSeq)
  }

  /** The parts, for tests of the paper's figures. */
  private[bic] def parts: (LongInterner, ForwardBuffer, BackwardBuffer, BipartiteGraph) =
    (interner, forward, backward, bipartite)

  /** The bag of a forward root, for the same. */
  private[bic] def bagOf(root: Long): Int = bags(interner.find(root)) - 1

  private def snapshotOf(windowStart: Long): Int = {
    require(
      windowStart + perWindow - 1 == closedPane && openPane <= closedPane,
      s"the window of panes [$windowStart, ${windowStart + perWindow}) does not end with the pane closed last, which " +
        s"is $closedPane"
    )
    Math.floorMod(windowStart, perWindow)
  }

  /** The node of the bipartite graph for a vertex with these roots (-1 for none). A vertex of both buffers has an edge
    * between its two nodes, so either will do.
    */
  private def nodeOf(forwardRoot: Int, backwardRoot: Int): Int =
    if (forwardRoot >= 0) { if (bags(forwardRoot) == 0) NoNode else bags(forwardRoot) - 1 }
    else if (backwardRoot >= 0) bipartite.rootNode(backwardRoot)
    else NoNode

  private def open(pane: Long): Unit =
    if (pane != openPane) {
      require(
        pane > closedPane && pane > openPane,
        s"pane $pane is closed; the last one is ${math.max(openPane, closedPane)}"
      )
      freezeOpenPane()
      moveTo(Math.floorDiv(pane, perWindow.toLong))
      openPane = pane
    } else require(pane > closedPane, s"pane $pane is closed")

  private def number(id: Long): Int = {
    val n = interner.intern(id)
    if (n >= paneParents.length) {
      val room = n + (n >> 1) + 8
      val old = paneParents.length
      paneParents = Arrays.copyOf(paneParents, room)
      Arrays.fill(paneParents, old, room, NotInPane)
      bags = Arrays.copyOf(bags, room)
    }
    n
  }

  /** Makes the vertex occur in the open pane, and so in the forward buffer; there, on its first time in this chunk, it
    * may be an inter-vertex (Algorithm 3). Later times need no look: its forward root moves with the unions, and its
    * backward roots of all later snapshots are in the graph.
    */
  private def enter(v: Int): Unit =
    if (paneParents(v) == NotInPane) {
      paneParents(v) = v
      if (memberCount == members.length) members = Arrays.copyOf(members, memberCount * 2)
      members(memberCount) = v
      memberCount += 1
      if (!forward.contains(v)) {
        forward.add(v)
        bags(v) = 0
        if (pending.isEmpty) connect(v)
      }
    }

  /** Tells the bipartite graph of a vertex of the forward buffer that may be in the backward buffer too. */
  private def connect(v: Int): Unit = {
    val j = Math.floorMod(openPane, perWindow) + 1
    if (backward.contains(v, j)) {
      val component = forward.find(v)
      if (bags(component) == 0) bags(component) = bipartite.newBag() + 1
      val bag = bags(component) - 1
      backward.roots(v, j)((root, last) => bipartite.connect(root, bag, last))
    }
  }

  private def join(u: Int, v: Int): Unit = {
    val ru = PathHalving.root(paneParents, u)
    val rv = PathHalving.root(paneParents, v)
    if (ru != rv) {
      paneParents(rv) = ru
      val fu = forward.find(u)
      val fv = forward.find(v)
      if (fu != fv) {
        val root = forward.link(fu, fv)
        val bagU = bags(fu)
        val bagV = bags(fv)
        bags(root) = if (bagU == 0) bagV else if (bagV == 0) bagU else bipartite.unite(bagU - 1, bagV - 1) + 1
      }
    }
  }

  private def freezeOpenPane(): Unit =
    if (memberCount > 0) {
      finishBuild()
      val vertices = Arrays.copyOf(members, memberCount)
      val parents = new Array[Int](memberCount)
      var i = 0
      while (i < memberCount) {
        parents(i) = paneParents(vertices(i))
        i += 1
      }
      vertices.foreach(v => paneParents(v) = NotInPane)
      memberCount = 0
      panes += new ChunkPane(Math.floorMod(openPane, perWindow), vertices, parents)
    }

  /** Makes `next` the current chunk. Vertices are numbered anew, as the backward buffer or new edges meet them, so that
    * vertices that occur in neither buffer are forgotten.
    */
  private def moveTo(next: Long): Unit =
    if (next != chunk) {
      val before = interner
      interner = new LongInterner()
      pending =
        if (next == chunk + 1 && panes.exists(_.offset > 0))
          Some(new BackwardBuild(panes.toSeq, before, interner))
        else None
      backward = BackwardBuffer.Empty
      chunk = next
      panes = ArrayBuffer.empty
      forward = new ForwardBuffer(0)
      bipartite = new BipartiteGraph(backward)
      bags = new Array[Int](16)
      paneParents = filled(16)
    }

  /** Does the share of the backward build that falls to some edges of the open pane. */
  private def build(edges: Int): Unit = pending.foreach { build =>
    val links = build.linksPerEdge.toLong * edges
    if (!build.isDone) {
      if (build.step(links)) install(build)
    } else connectMembers(links)
  }

  /** Completes the backward build, if one is under way. */
  private def finishBuild(): Unit = pending.foreach { build =>
    if (!build.isDone) {
      build.step(Long.MaxValue)
      install(build)
    }
    connectMembers(Long.MaxValue)
  }

  private def install(build: BackwardBuild): Unit = {
    backward = build.result()
    bipartite = new BipartiteGraph(backward)
    connectedMembers = 0
  }

  /** Catches up with the inter-vertices of the open pane, the first of the chunk, which came during the build. */
  private def connectMembers(most: Long): Unit = {
    val until = connectedMembers + math.min((memberCount - connectedMembers).toLong, most).toInt
    while (connectedMembers < until) {
      connect(members(connectedMembers))
      connectedMembers += 1
    }
    if (connectedMembers == memberCount) pending = None
  }

  private def filled(size: Int): Array[Int] = {
    val array = new Array[Int](size)
    Arrays.fill(array, NotInPane)
    array
  }
}

object BicIndex {

  /** Its name in the public API. */
  val Name: String = "bic"

  private val NotInPane = -1

  /** Edges whose vertices are looked up together. */
  private final val Batch = 128

  private val NoNode = Int.MinValue

  /** The index that [[BicIndex.save]] wrote. The forward buffer and the bipartite graph are made again from the pane
    * forests of the chunk, in time O(their links).
    */
  def restore(perWindow: Int, in: BinaryReader): BicIndex = {
    val saved = BicState.restore(perWindow, in)
    val index = new BicIndex(perWindow, saved.interner, saved.backward, saved.chunk)
    saved.panes.foreach { pane =>
      index.openPane = saved.chunk * perWindow + pane.offset
      pane.vertices.foreach(index.enter)
      var i = 0
      while (i < pane.vertices.length) {
        index.join(pane.parents(i), pane.vertices(i))
        i += 1
      }
      index.freezeOpenPane()
    }
    index.closedPane = saved.closedPane
    index
  }
}
