package io.github.sparkbic.index.bic

import java.util.Arrays

import io.github.sparkbic.index.kernels.UnionBySize

/** Inter-buffer checking (Algorithm 5) without a stored backward–forward bipartite graph (BFBG).
  *
  * In the paper's graph, snapshot `j` joins a backward root and a forward root iff some vertex has both roots: an
  * inter-vertex. The paper keeps these edges, labelled with intervals of snapshots, and moves them when two forward
  * roots become one. Here a forward root is joined with the backward roots of its ring, and a backward root with the
  * forward roots of its list. So an insert does no work for the graph: uniting two rings moves the edges, and the labels
  * of the backward buffer hold the intervals. Trade-off: a search may meet an edge once for each inter-vertex.
  *
  * A search visits vertices from both ends in turns until the two sides meet or one side is exhausted: at most twice
  * the smaller side. Where a window has many checks, a union–find over all of its vertices is cheaper. So searches run
  * until their visits have taken about the time of that union–find, and are out of budget then: at most about twice the
  * cost of the better choice. Memory: some 40 bytes a node met.
  *
  * The naive version: an edge list, and a traversal of all of it for each check. Not thread safe.
  *
  * A node is a forward root as it is, or a backward root as its complement. Root 0 is none.
  *
  * @param j   the snapshot of the backward buffer that begins the window
  * @param top vertices are `1 to top`
  */
private[bic] final class InterBufferSearch(
    forward: UnionBySize,
    backward: BackwardBuffer,
    j: Int,
    top: Int
) {
  import InterBufferSearch._

  private val sources = new Side(1)
  private val targets = new Side(2)

  // Nodes met, by open addressing: 30 bits that name the search, 32 for the node, 2 for the side. Entries of earlier
  // searches count as empty. Each search takes of the budget, so there are fewer than 2^30^.
  private var met = new Array[Long](64)
  private var metCount = 0
  private var searches = 0L
  // Vertices that may still be visited.
  private var budget: Int = top / VerticesPerVisit

  /** Whether the components of two vertices are joined: [[Met]], [[Exhausted]], or [[OutOfBudget]]. `fs` and `bs` are the roots
    * of the first in the forward and in the backward buffer, or 0 where it is alone; likewise `ft` and `bt`.
    */
  def connected(fs: Int, bs: Int, ft: Int, bt: Int): Int = {
    budget -= 1
    searches += 1
    metCount = 0
    sources.start(fs, bs)
    var found = targets.start(ft, bt)
    while (found == OutOfBudget && budget >= 0) {
      budget -= 2
      found = sources.visit()
      if (found == OutOfBudget) found = targets.visit()
    }
    found
  }

  /** The nodes joined with one end, in the order of meeting, and how far their vertices have been visited. */
  private final class Side(number: Int) {
    private var nodes = new Array[Int](16)
    private var head, tail = 0
    // The vertex of the first node that comes next, or 0 for the root.
    private var vertex = 0

    def start(forwardRoot: Int, backwardRoot: Int): Int = {
      head = 0
      tail = 0
      vertex = 0
      val found = meet(forwardRoot)
      if (found == Met) Met else meet(~backwardRoot)
    }

    /** Adds a node, unless it was met or stands for no root: [[Met]] if the other side has met it, else [[OutOfBudget]]. */
    private def meet(node: Int): Int =
      if (node == 0 || node == -1) OutOfBudget
      else {
        val place = placeOf(node)
        if (isCurrent(met(place))) { if ((met(place) & 3) == number) OutOfBudget else Met }
        else {
          met(place) = entryOf(node, number)
          metCount += 1
          if (tail == nodes.length) nodes = Arrays.copyOf(nodes, tail * 2)
          nodes(tail) = node
          tail += 1
          if (metCount * 2 > met.length) grow()
          OutOfBudget
        }
      }

    def visit(): Int =
      if (head == tail) Exhausted
      else {
        val node = nodes(head)
        val isForward = node > 0
        val v = if (vertex > 0) vertex else if (isForward) node else ~node
        // A ring ends before its root, and a list with 0.
        val after = if (isForward) forward.next(v) else backward.next(v, j)
        vertex = if (after == node) 0 else after
        if (vertex == 0) head += 1
        meet(if (isForward) ~backward.find(v, j) else forward.find(v))
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

private[bic] object InterBufferSearch {

  /** The union–find passes so many vertices in the time of one visit of a search. */
  private final val VerticesPerVisit = 4

  // The result of a step of a search, which goes on while the budget lasts unless the step finds the answer.
  final val OutOfBudget = 0
  final val Met = 1
  final val Exhausted = 2
}
