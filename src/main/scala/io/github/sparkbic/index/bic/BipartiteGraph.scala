package io.github.sparkbic.index.bic

import java.util.Arrays

/** The backward–forward bipartite graph (BFBG) between the roots of both buffers, for inter-buffer checking.
  *
  * An edge joins a root of the backward buffer with a component of the forward buffer, and holds in the snapshots in
  * which some vertex of that component has that root. The paper labels an edge with a set of intervals of snapshots.
  * All intervals of one backward root begin where the root's own interval begins, whichever vertex they come from
  * (see [[BackwardBuffer.roots]]), so their union is one interval, and one number is enough: the last snapshot.
  *
  * A forward component is represented by a *bag*, the list of its edges. When two components unite, the shorter bag
  * is poured into the longer (the paper moves the edges of the loser's root): O(log E) moves per edge in all. Edges
  * that meet there are merged. Bags are named by dense numbers that are not used again; a component without edges has
  * none.
  *
  * Two ways of asking. A search visits what is joined with one end. A contraction labels all components of the graph,
  * after which a question costs O(1). Which is cheaper depends on the number of questions in a window, which nobody
  * knows beforehand; so searches go on until they have visited as many edges as a contraction would, and then it is
  * made: at most twice the cost of the better choice.
  *
  * The naive version: an edge list and a traversal of all of it for each question.
  */
private[bic] final class BipartiteGraph(backward: BackwardBuffer) {
  import BipartiteGraph.{None, NoNode}

  // Edge e joins backward root edgeRoots(e) with bag edgeBags(e) up to snapshot edgeLasts(e); merged edges have no bag.
  private var edgeRoots = new Array[Int](16)
  private var edgeBags = new Array[Int](16)
  private var edgeLasts = new Array[Int](16)
  private var nextOfBag = new Array[Int](16)
  private var nextOfRoot = new Array[Int](16)
  private var edges = 0
  private var merged = 0

  private var bagHeads = new Array[Int](16)
  private var bagSizes = new Array[Int](16)
  private var bags = 0

  private val rootHeads = filled(backward.size, None)

  // (root, bag) -> edge, by open addressing; entries of poured bags stay as garbage until the table grows.
  private var table = new Array[Int](32)
  private var tableUsed = 0

  // Labels at or above `firstLabel` belong to the current snapshot; a search uses a label of its own.
  private val rootLabels = new Array[Int](backward.size)
  private var bagLabels = new Array[Int](16)
  private var nextLabel = 1
  private var firstLabel = 1
  private var contracted = None
  private var askedAt = None
  private var searched = 0L
  private var queue = new Array[Int](16)

  def edgeCount: Int = edges - merged

  def newBag(): Int = {
    if (bags == bagHeads.length) {
      bagHeads = Arrays.copyOf(bagHeads, bags * 2)
      bagSizes = Arrays.copyOf(bagSizes, bags * 2)
      bagLabels = Arrays.copyOf(bagLabels, bags * 2)
    }
    bagHeads(bags) = None
    bags += 1
    bags - 1
  }

  /** Adds that the forward component of `bag` shares a vertex with `root` in the root's snapshots up to `last`. */
  def connect(root: Int, bag: Int, last: Int): Unit = {
    changed()
    val known = edgeBetween(root, bag)
    if (known != None) edgeLasts(known) = math.max(edgeLasts(known), last)
    else {
      if (edges == edgeRoots.length) growEdges()
      val e = edges
      edges += 1
      edgeBags(e) = None
      edgeRoots(e) = root
      edgeLasts(e) = last
      nextOfRoot(e) = rootHeads(root)
      rootHeads(root) = e
      putInBag(e, bag)
    }
  }

  /** Unites two bags whose components became one, and returns the bag that holds the edges of both. */
  def unite(a: Int, b: Int): Int = {
    changed()
    val into = if (bagSizes(a) >= bagSizes(b)) a else b
    var e = bagHeads(a + b - into)
    while (e != None) {
      val next = nextOfBag(e)
      val known = edgeBetween(edgeRoots(e), into)
      if (known != None) {
        edgeLasts(known) = math.max(edgeLasts(known), edgeLasts(e))
        edgeBags(e) = None
        merged += 1
      } else putInBag(e, into)
      e = next
    }
    bagHeads(a + b - into) = None
    bagSizes(a + b - into) = 0
    into
  }

  /** A node as one number: a bag as it is, a backward root as its complement. */
  def rootNode(root: Int): Int = ~root

  /** Whether two nodes are joined by edges that hold in snapshot `j`. */
  def connected(a: Int, b: Int, j: Int): Boolean =
    if (a == b) true
    else {
      begin(j)
      if (contracted != j && searched > edgeCount) contract(j)
      if (contracted == j) {
        val label = labelOf(a)
        label >= firstLabel && label == labelOf(b)
      } else {
        val label = newLabel()
        spread(a, b, label, j) || labelOf(b) == label
      }
    }

  /** Labels the components of snapshot `j`; see [[label]]. */
  def contract(j: Int): Unit = {
    begin(j)
    if (contracted != j) {
      firstLabel = nextLabel
      var e = 0
      while (e < edges) {
        if (holds(e, j) && rootLabels(edgeRoots(e)) < firstLabel)
          spread(rootNode(edgeRoots(e)), NoNode, newLabel(), j)
        e += 1
      }
      contracted = j
    }
  }

  /** After a contraction: the number of the node's component, `0 until labels`, or -1 if no edge holds at it. */
  def label(node: Int): Int = math.max(-1, labelOf(node) - firstLabel)

  def labels: Int = nextLabel - firstLabel

  /** Every edge as (root, a bag, last snapshot), for tests of the paper's figures. */
  def edgeList: Seq[(Int, Int, Int)] =
    (0 until edges).filter(edgeBags(_) != None).map(e => (edgeRoots(e), edgeBags(e), edgeLasts(e)))

  private def labelOf(node: Int): Int = if (node >= 0) bagLabels(node) else rootLabels(~node)

  private def holds(e: Int, j: Int): Boolean =
    edgeBags(e) != None && edgeLasts(e) >= j && backward.linkLabels(edgeRoots(e)) < j

  private def changed(): Unit = {
    contracted = None
    searched = 0
    firstLabel = nextLabel
  }

  private def begin(j: Int): Unit = {
    if (askedAt != j) {
      changed()
      askedAt = j
    }
    // Far from overflow still, so that a contraction, which needs at most a label a root, never has to start anew.
    if (nextLabel > BipartiteGraph.LabelBound) {
      Arrays.fill(rootLabels, 0)
      Arrays.fill(bagLabels, 0)
      nextLabel = 1
      changed()
    }
  }

  private def newLabel(): Int = {
    nextLabel += 1
    nextLabel - 1
  }

  /** Breadth-first: labels all that is joined with `from` in snapshot `j`; stops early, with true, at `until`. */
  private def spread(from: Int, until: Int, label: Int, j: Int): Boolean = {
    var head = 0
    var tail = mark(from, label, 0)
    var work = 0L
    while (head < tail) {
      val node = queue(head)
      head += 1
      var e = if (node >= 0) bagHeads(node) else rootHeads(~node)
      while (e != None) {
        work += 1
        if (holds(e, j)) {
          val other = if (node >= 0) ~edgeRoots(e) else edgeBags(e)
          if (labelOf(other) != label) {
            if (other == until) {
              searched += work
              return true
            }
            tail = mark(other, label, tail)
          }
        }
        e = if (node >= 0) nextOfBag(e) else nextOfRoot(e)
      }
    }
    searched += work
    false
  }

  private def mark(node: Int, label: Int, tail: Int): Int = {
    if (node >= 0) bagLabels(node) = label else rootLabels(~node) = label
    if (tail == queue.length) queue = Arrays.copyOf(queue, tail * 2)
    queue(tail) = node
    tail + 1
  }

  private def putInBag(e: Int, bag: Int): Unit = {
    // First, since growing re-enters every edge under the bag that it has then.
    if (tableUsed * 2 >= table.length) growTable()
    edgeBags(e) = bag
    nextOfBag(e) = bagHeads(bag)
    bagHeads(bag) = e
    bagSizes(bag) += 1
    putInTable(e)
  }

  private def edgeBetween(root: Int, bag: Int): Int = {
    val table = this.table
    val mask = table.length - 1
    var at = BipartiteGraph.hash(root, bag) & mask
    while (table(at) != 0) {
      val e = table(at) - 1
      if (edgeRoots(e) == root && edgeBags(e) == bag) return e
      at = (at + 1) & mask
    }
    None
  }

  private def putInTable(e: Int): Unit = {
    val mask = table.length - 1
    var at = BipartiteGraph.hash(edgeRoots(e), edgeBags(e)) & mask
    while (table(at) != 0) at = (at + 1) & mask
    table(at) = e + 1
    tableUsed += 1
  }

  private def growTable(): Unit = {
    val live = edgeCount
    table = new Array[Int](math.max(32, Integer.highestOneBit(math.max(1, live)) * 8))
    tableUsed = 0
    var e = 0
    while (e < edges) {
      if (edgeBags(e) != None) putInTable(e)
      e += 1
    }
  }

  private def growEdges(): Unit = {
    val room = edges * 2
    edgeRoots = Arrays.copyOf(edgeRoots, room)
    edgeBags = Arrays.copyOf(edgeBags, room)
    edgeLasts = Arrays.copyOf(edgeLasts, room)
    nextOfBag = Arrays.copyOf(nextOfBag, room)
    nextOfRoot = Arrays.copyOf(nextOfRoot, room)
  }

  private def filled(size: Int, value: Int): Array[Int] = {
    val array = new Array[Int](size)
    Arrays.fill(array, value)
    array
  }
}

private object BipartiteGraph {
  private val None = -1
  private val NoNode = Int.MinValue
  private val LabelBound = 1 << 30

  private def hash(root: Int, bag: Int): Int = {
    val h = (root * 0x9e3779b97f4a7c15L + bag) * 0xd6e8feb86659fd93L
    (h >>> 32).toInt
  }
}
