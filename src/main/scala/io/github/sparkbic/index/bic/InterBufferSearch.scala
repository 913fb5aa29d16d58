package io.github.sparkbic.index.bic

import java.util.Arrays

import io.github.sparkbic.index.kernels.PathHalving

/** Inter-buffer checking (Algorithm 5) without a stored backward–forward bipartite graph (BFBG).
  *
  * In the paper's graph, snapshot `j` joins a backward root and a forward root iff some vertex has both roots: an
  * inter-vertex. The paper keeps these edges, labelled with intervals of snapshots, and moves them when two forward
  * roots become one. Here the edges are read off both buffers, since both can list the vertices of a component. A
  * forward root is joined with the backward roots of its ring, and a backward root with the forward roots of its list.
  * So an insert does no work for the graph: uniting two rings moves the edges, and the labels of the backward buffer
  * hold the intervals. Trade-off: a search may meet an edge once for each inter-vertex.
  *
  * A search visits vertices from both ends in turns until the two sides meet or one side is exhausted: at most twice
  * the smaller side. A contraction unites all edges of the snapshot by union–find; each later check is amortised O(log
  * vertices). The cheaper method depends on the number of checks in the window, which is not known beforehand. So
  * searches run until their visits have taken about the time of a contraction, and then the contraction is made. That
  * is at most about twice the cost of the better choice. Memory: 4 bytes a vertex once contracted, some 40 a node met.
  *
  * The naive version: an edge list, and a traversal of all of it for each check. Not thread safe.
  *
  * A node is a forward root as it is, or a backward root as its complement. Root 0 is none.
  */
private[bic] final class InterBufferSearch(forward: ForwardBuffer, backward: BackwardBuffer) {
  import InterBufferSearch._

  private val sources = new Side(1)
  private val targets = new Side(2)

  // Nodes met, by open addressing: 30 bits that name the search, 32 for the node, 2 for the side. Entries of earlier
  // searches count as empty.
  private var met = new Array[Long](64)
  private var metCount = 0
  private var searches = 0L

  // A union–find over vertices, which stand for the roots that they are, valid for snapshot `contracted`.
  private var united = Array.empty[Int]
  private var contracted = NoSnapshot
  private var asked = NoSnapshot
  // Vertices that searches in the current window have visited.
  private var searched = 0L

  /** A pane was closed: contraction and budget were of the window before. */
  def changed(): Unit = {
    contracted = NoSnapshot
    asked = NoSnapshot
  }

  /** Whether the components of two vertices, neither of which is alone in both buffers, are joined in snapshot `j`.
    *
    * @param fs  its root in the forward buffer, or 0; likewise `ft`
    * @param bs  its root in the backward buffer, or 0; likewise `bt`
    * @param top vertices are `1 to top`
    */
  def connected(fs: Int, bs: Int, ft: Int, bt: Int, j: Int, top: Int): Boolean = {
    if (asked != j) {
      asked = j
      searched = 0
    }
    val found =
      if (contracted == j) OutOfBudget else search(fs, bs, ft, bt, j, top / VerticesPerVisit - searched)
    if (found != OutOfBudget) found == Met
    else {
      contract(j, top)
      component(fs, bs) == component(ft, bt)
    }
  }

  /** Makes `component` answer for snapshot `j`. */
  private def contract(j: Int, top: Int): Unit =
    if (contracted != j) {
      if (united.length <= top) united = new Array[Int](top + 1)
      var v = 1
      while (v <= top) {
        united(v) = v
        v += 1
      }
      forward.fill(united)
      backward.joinAll(united, j)
      contracted = j
    }

  /** After a contraction: a vertex that names the component of a vertex with these roots, one of which may be 0. */
  private def component(forwardRoot: Int, backwardRoot: Int): Int =
    PathHalving.root(united, if (forwardRoot > 0) forwardRoot else backwardRoot)

  private def search(fs: Int, bs: Int, ft: Int, bt: Int, j: Int, budget: Long): Int = {
    startSearch()
    sources.start()
    targets.start()
    if (fs > 0) sources.meet(fs)
    if (bs > 0) sources.meet(~bs)
    var found = Searching
    if (ft > 0 && targets.meet(ft)) found = Met
    if (bt > 0 && targets.meet(~bt)) found = Met
    var visits = 0L
    while (found == Searching)
      if (visits > budget) found = OutOfBudget
      else {
        found = sources.visit(j)
        if (found == Searching) found = targets.visit(j)
        visits += 2
      }
    searched += visits
    found
  }

  /** The nodes joined with one end, in the order of meeting, and how far their vertices have been visited. */
  private final class Side(number: Int) {
    private var nodes = new Array[Int](16)
    private var head = 0
    private var tail = 0
    private var vertex = 0

    def start(): Unit = {
      head = 0
      tail = 0
      vertex = 0
    }

    /** Adds a node unless it was met; returns whether the other side has met it. */
    def meet(node: Int): Boolean = {
      val place = placeOf(node)
      if (!isCurrent(met(place))) {
        met(place) = entryOf(node, number)
        metCount += 1
        if (tail == nodes.length) nodes = Arrays.copyOf(nodes, tail * 2)
        nodes(tail) = node
        tail += 1
        if (metCount * 2 > met.length) grow()
        false
      } else (met(place) & 3) != number
    }

    /** Visits one vertex. */
    def visit(j: Int): Int = {
      if (vertex == 0) {
        if (head == tail) return Exhausted
        val node = nodes(head)
        vertex = if (node > 0) node else ~node
      }
      val node = nodes(head)
      val v = vertex
      if (node > 0) {
        val after = forward.next(v)
        step(after, after == node)
        val root = backward.find(v, j)
        if (root > 0 && meet(~root)) Met else Searching
      } else {
        val after = backward.next(v, j)
        step(after, after == 0)
        val root = forward.find(v)
        if (root > 0 && meet(root)) Met else Searching
      }
    }

    private def step(after: Int, isEnd: Boolean): Unit =
      if (isEnd) {
        vertex = 0
        head += 1
      } else vertex = after
  }

  private def startSearch(): Unit = {
    searches += 1
    metCount = 0
    if (searches == MaxSearches || met.length > LargeTable) {
      searches = 1
      met = new Array[Long](64)
    }
  }

  private def entryOf(node: Int, side: Int): Long = searches << 34 | (node & 0xffffffffL) << 2 | side

  private def isCurrent(entry: Long): Boolean = (entry >>> 34) == searches

  /** Where the node is in the table, or would be. */
  private def placeOf(node: Int): Int = {
    val met = this.met
    val mask = met.length - 1
    var at = ((node * 0x9e3779b97f4a7c15L) >>> 32).toInt & mask
    while (isCurrent(met(at)) && (met(at) >> 2).toInt != node) at = (at + 1) & mask
    at
  }

  private def grow(): Unit = {
    val old = met
    met = new Array[Long](old.length * 2)
    old.foreach(entry => if (isCurrent(entry)) met(placeOf((entry >> 2).toInt)) = entry)
  }
}

private object InterBufferSearch {
  private final val NoSnapshot = -1

  /** A contraction passes so many vertices in the time of one visit of a search. */
  private final val VerticesPerVisit = 4

  private final val MaxSearches = 1L << 30

  /** A table of more places is given back when the next search starts. */
  private final val LargeTable = 1 << 16

  // The result of a step of a search.
  private final val Searching = 0
  private final val Met = 1
  private final val Exhausted = 2
  private final val OutOfBudget = 3
}
