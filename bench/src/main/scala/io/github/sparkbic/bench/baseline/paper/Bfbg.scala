package io.github.sparkbic.bench.baseline.paper

import java.util.Arrays

import io.github.sparkbic.bench.baseline.{Adjacency, EdgeTable}

/** The backward-forward bipartite graph (BFBG) between the roots of `b_i` and those of `f_{i+1}`: section 6.2.
  *
  * Each edge is stored once, with the intervals that label it: in a table by its ends, and in the lists of both ends.
  * The node of a backward root is odd and the node of a forward root is even, so that one space holds both.
  */
private[paper] final class Bfbg(b: Auft, f: Uft) {
  import Bfbg.{backwardNode, forwardNode}

  // Both number edges from zero and give the last number freed out first, so that an edge has one number in both.
  private val edges = new EdgeTable
  private val adjacent = new Adjacency
  private var intervals = new Array[Array[Int]](16)
  private val list = new RootIntervals

  // Of the breadth-first search: the search that visited a node last, and the nodes to visit.
  private var visited = new Array[Int](16)
  private var queue = new Array[Int](16)
  private var search = 0

  /** Algorithm 4, `processVertex`: an edge with end `v` has come to the forward buffer of snapshot `j`.
    *
    * @param inBackward the number of `v` in the backward buffer, or -1
    * @param inForward  the number of `v` in the forward buffer, which holds `v` by now
    */
  def processVertex(inBackward: Int, inForward: Int, j: Int): Unit =
    if (inBackward >= 0 && b.contains(inBackward, j)) { // line 3
      val vf = f.find(inForward) // line 4
      list.compute(b, j, inBackward) // line 5
      var i = 0
      while (i < list.size) { // lines 6 and 7
        insert(list.root(i), vf, list.start(i), list.end(i))
        i += 1
      }
    }

  /** "Updating v_f" of section 6.2: the root `child` has become a child of `root` in the forward buffer, so the edges
    * adjacent to `child` move to `root`.
    */
  def moveEdges(child: Int, root: Int): Unit = {
    val node = forwardNode(child)
    var half = adjacent.first(node)
    while (half >= 0) {
      val e = half / 2
      val far = adjacent.end(half ^ 1)
      val moved = intervals(e)
      remove(e, far, node)
      var i = 0
      while (i < moved.length) {
        insert(far / 2, root, moved(i), moved(i + 1))
        i += 2
      }
      half = adjacent.first(node)
    }
  }

  /** Whether two nodes are connected by edges that snapshot `j` has: the breadth-first search of Algorithm 5, line 19. */
  def connected(from: Int, to: Int, j: Int): Boolean = {
    search += 1
    var head = 0
    var tail = visit(from, 0)
    while (head < tail && !isVisited(to)) {
      var half = adjacent.first(queue(head))
      while (half >= 0) {
        val far = adjacent.end(half ^ 1)
        if (!isVisited(far) && Intervals.contain(intervals(half / 2), j)) tail = visit(far, tail)
        half = adjacent.next(half)
      }
      head += 1
    }
    isVisited(to)
  }

  /** The intervals that label the edge `(v_b, v_f)`; none if there is no such edge. */
  def labels(vb: Int, vf: Int): Array[Int] = {
    val e = edges.find(backwardNode(vb), forwardNode(vf))
    if (e >= 0) intervals(e) else Intervals.Empty
  }

  /** Inserts `(v_b, v_f)` labelled with `[start, end]`, or adds that to the labels of the edge. */
  private def insert(vb: Int, vf: Int, start: Int, end: Int): Unit = {
    val u = backwardNode(vb)
    val v = forwardNode(vf)
    val found = edges.find(u, v)
    if (found >= 0) intervals(found) = Intervals.insert(intervals(found), start, end)
    else {
      val e = edges.add(u, v)
      val same = adjacent.add(u, v)
      if (same != e) throw new IllegalStateException(s"edge $e of the table is edge $same of the lists")
      if (e >= intervals.length) intervals = Arrays.copyOf(intervals, 2 * e)
      intervals(e) = Array(start, end)
    }
  }

  private def remove(e: Int, u: Int, v: Int): Unit = {
    edges.remove(u, v)
    edges.release(e)
    adjacent.remove(e)
    intervals(e) = null
  }

  private def isVisited(node: Int): Boolean = node < visited.length && visited(node) == search

  /** Puts the node at the end of the queue, and returns the new end. */
  private def visit(node: Int, tail: Int): Int = {
    if (node >= visited.length) visited = Arrays.copyOf(visited, 2 * node + 1)
    if (tail == queue.length) queue = Arrays.copyOf(queue, 2 * tail)
    visited(node) = search
    queue(tail) = node
    tail + 1
  }
}

private[paper] object Bfbg {
  def backwardNode(root: Int): Int = 2 * root + 1
  def forwardNode(root: Int): Int = 2 * root
}
