package io.github.sparkbic.index.bic

import java.util.Arrays

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
  * the smaller side. A union–find over all vertices of the window answers each later check in amortised O(log vertices).
  * The cheaper method depends on the number of checks in the window, which is not known beforehand. So searches run until
  * their visits have taken about the time of that union–find, and are out of budget then. That is at most about twice the
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
    forward: ForwardBuffer,
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

  /** Whether the components of two vertices, neither of which is alone in both buffers, are joined: [[Met]],
    * [[Exhausted]], or [[OutOfBudget]].
    *
    * @param fs its root in the forward buffer, or 0; likewise `ft`
    * @param bs its root in the backward buffer, or 0; likewise `bt`
    */
  def connected(fs: Int, bs: Int, ft: Int, bt: Int): Int = {
    if (budget < 0) return OutOfBudget
    budget -= 1
    searches += 1
    metCount = 0
    sources.start()
    targets.start()
    if (fs > 0) sources.meet(fs)
    if (bs > 0) sources.meet(~bs)
    var found = Searching
    if (ft > 0 && targets.meet(ft)) found = Met
    if (bt > 0 && targets.meet(~bt)) found = Met
    while (found == Searching)
      if (budget < 0) found = OutOfBudget
      else {
        budget -= 2
        found = sources.visit()
        if (found == Searching) found = targets.visit()
      }
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
    def visit(): Int = {
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

  // The result of a step of a search.
  private final val Searching = 0
  final val Met = 1
  final val Exhausted = 2
  final val OutOfBudget = 3
}
