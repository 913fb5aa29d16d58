package io.github.sparkbic.index.bic

import io.github.sparkbic.index.kernels.{LongInterner, PathHalving}

/** Inter-buffer checking (Algorithm 5) without a stored backward–forward bipartite graph (BFBG).
  *
  * In the paper's graph, snapshot `j` joins a backward root and a forward root iff some vertex has both roots: an
  * inter-vertex. The paper keeps these edges, labelled with intervals of snapshots, and moves them when two forward
  * roots become one. Here the edges are read off both buffers, since both can list the vertices of a component, so an
  * insert does no work for the graph. Trade-off: a search may meet an edge once for each inter-vertex.
  *
  * A search visits vertices from both ends in turns until the two sides meet or one side is exhausted: at most twice
  * the smaller side. A contraction unites all edges of the snapshot by union–find; each later check is amortised O(log
  * vertices). The cheaper method depends on the number of checks in the window, which is not known beforehand. So
  * searches run until their visits have taken about the time of a contraction, and then the contraction is made. That
  * is at most about twice the cost of the better choice. Memory: 4 bytes a vertex once contracted, and a
  * [[LongInterner]] of the nodes that a search meets.
  *
  * The naive version: an edge list, and a traversal of all of it for each check. Not thread safe.
  *
  * A node is a forward root as it is, or a backward root as its complement. Root 0 is none.
  */
private[bic] final class InterBufferSearch(forward: ForwardBuffer, backward: BackwardBuffer) {
  import InterBufferSearch._

  // A union–find over vertices, which stand for the roots that they are, once the window is contracted.
  private var united = Array.empty[Int]
  private var isContracted = false
  // Vertices that searches in the current window have visited.
  private var searched = 0L

  /** A pane was closed: contraction and budget were of the window before. */
  def changed(): Unit = {
    isContracted = false
    searched = 0
  }

  /** Whether the components of two vertices, which neither buffer joins and which are not alone in both buffers, are
    * joined in snapshot `j`, that of the window that ends with the last closed pane.
    *
    * @param fs  the root of the one in the forward buffer, or 0; likewise `ft` of the other
    * @param bs  its root in the backward buffer, or 0; likewise `bt`
    * @param top vertices are `1 to top`
    */
  def connected(fs: Int, bs: Int, ft: Int, bt: Int, j: Int, top: Int): Boolean = {
    val found =
      if (isContracted) OutOfBudget
      else search(new Side(fs, bs, j), new Side(ft, bt, j), top / VerticesPerVisit - searched)
    if (found != OutOfBudget) found == Met
    else {
      if (!isContracted) contract(j, top)
      component(fs, bs) == component(ft, bt)
    }
  }

  private def contract(j: Int, top: Int): Unit = {
    if (united.length <= top) united = new Array[Int](top + 1)
    var v = 1
    while (v <= top) {
      united(v) = v
      v += 1
    }
    forward.fill(united)
    backward.joinAll(united, j)
    isContracted = true
  }

  /** After a contraction: a vertex that names the component of a vertex with these roots, one of which may be 0. */
  private def component(forwardRoot: Int, backwardRoot: Int): Int =
    PathHalving.root(united, if (forwardRoot > 0) forwardRoot else backwardRoot)

  private def search(sources: Side, targets: Side, budget: Long): Int = {
    var side = sources
    var other = targets
    var visits = 0L
    var found = Searching
    while (found == Searching)
      if (side.isExhausted) found = Apart
      else if (visits > budget) found = OutOfBudget
      else {
        visits += 1
        val node = side.visit()
        if (other.has(node)) found = Met
        else {
          side.meet(node)
          val next = other
          other = side
          side = next
        }
      }
    searched += visits
    found
  }

  /** The nodes joined with one end, in the order of meeting, and how far their vertices have been visited. */
  private final class Side(forwardRoot: Int, backwardRoot: Int, j: Int) {
    private val nodes = new LongInterner
    private var head = 0
    // The next vertex of the first node that is left; 0 before its first vertex.
    private var vertex = 0

    meet(forwardRoot)
    if (backwardRoot > 0) meet(~backwardRoot)

    def isExhausted: Boolean = head == nodes.size

    def has(node: Int): Boolean = nodes.find(node.toLong) >= 0

    def meet(node: Int): Unit = if (node != 0) nodes.intern(node.toLong): Unit

    /** Visits one vertex; returns the node that it joins with the vertex's node, or 0. */
    def visit(): Int = {
      val node = nodes.id(head).toInt
      val isForward = node > 0
      val v = if (vertex != 0) vertex else if (isForward) node else ~node
      val after = if (isForward) forward.next(v) else backward.next(v, j)
      // A ring ends where it began, a list ends with 0.
      vertex = if (after == node) 0 else after
      if (vertex == 0) head += 1
      if (!isForward) forward.find(v)
      else {
        val root = backward.find(v, j)
        if (root > 0) ~root else 0
      }
    }
  }
}

private object InterBufferSearch {

  /** A contraction passes so many vertices in the time of one visit of a search. */
  private final val VerticesPerVisit = 4

  // How far a search has come.
  private final val Searching = 0
  private final val Met = 1
  private final val Apart = 2
  private final val OutOfBudget = 3
}
