package io.github.sparkbic.index.bic

import java.util.Arrays

import io.github.sparkbic.index.forests.Link.{paneOf, parentOf}
import io.github.sparkbic.index.kernels.{Prefetch, RadixSort, UnionBySize}

/** The edges of a chunk by pane, on vertex numbers, from which the backward buffer is built.
  *
  * [[thin]] leaves the edges of a maximum spanning forest by pane. The index calls it at `config.smallestThinned`
  * edges, then each time the edges have doubled and are more than twice the vertices. So there are O(vertices) edges,
  * 8 bytes each, and thinning is amortised O(α) an edge. Self-loops connect nothing and are left out.
  *
  * {{{
  * edges: | u << 32 | v | of the first pane … | of the second pane … |
  * ends:  the place after the last edge of each pane;  offsets: the offset of each pane in the chunk, rising
  * }}}
  */
private[bic] final class PaneLog {
  private[bic] var edges = Array.emptyLongArray
  private var count = 0
  private[bic] var offsets = Array.emptyIntArray
  private[bic] var ends = Array.emptyIntArray
  private[bic] var panes = 0

  def size: Int = count

  /** Begins the pane at this offset, unless it is the last pane already. */
  def open(offset: Int): Unit = if (panes == 0 || offsets(panes - 1) != offset) {
    if (panes == offsets.length) {
      offsets = Arrays.copyOf(offsets, panes + (panes >> 1) + 4)
      ends = Arrays.copyOf(ends, offsets.length)
    }
    offsets(panes) = offset
    ends(panes) = count
    panes += 1
  }

  /** Makes room for so many more edges, a quarter more at least. */
  private def reserve(more: Int): Unit =
    if (count + more > edges.length)
      edges = Arrays.copyOf(edges, math.max(count + more, count + (count >> 2)))

  /** Adds edges to the open pane: between `vertices(0)` and `vertices(1)`, `vertices(2)` and `vertices(3)` and so on. */
  def addAll(vertices: Array[Int], length: Int): Unit = {
    reserve(length >> 1)
    val into = edges
    var at = count
    var i = 0
    while (i < length) {
      into(at) = vertices(i).toLong << 32 | vertices(i + 1)
      if (vertices(i) != vertices(i + 1)) at += 1
      i += 2
    }
    count = at
    ends(panes - 1) = count
  }

  /** Kruskal's algorithm over all edges of panes at offset `from` and later, the newest first: visits the edges that join
    * two trees, which it unites in `roots`, a [[UnionBySize]].
    */
  def span(from: Int, roots: Array[Int])(visit: LinkVisitor): Unit = {
    var pane = panes - 1
    while (pane >= 0 && offsets(pane) >= from) {
      val start = if (pane == 0) 0 else ends(pane - 1)
      var until = ends(pane)
      while (until > start) {
        val slice = math.max(start, until - PaneLog.Slice)
        var read = 0
        var i = slice
        while (i < until) {
          read ^= roots((edges(i) >>> 32).toInt) ^ roots(edges(i).toInt)
          i += 1
        }
        Prefetch.keep(read.toLong)
        while (until > slice) {
          until -= 1
          val edge = edges(until)
          val ru = UnionBySize.root(roots, (edge >>> 32).toInt)
          val rv = UnionBySize.root(roots, edge.toInt)
          if (ru != rv) {
            val root = UnionBySize.unite(roots, ru, rv)
            visit.visit(edge, root, ru + rv - root, offsets(pane))
          }
        }
      }
      pane -= 1
    }
  }

  /** Drops the edges that a maximum spanning forest by pane does without; vertices are below `length`. */
  def thin(length: Int): Unit = {
    val kept = new Array[Int](panes)
    var to = count
    var pane = panes - 1
    span(0, new Array[Int](length)) { (edge, _, _, offset) =>
      while (offsets(pane) != offset) pane -= 1
      // The place is behind the edges that are yet to be visited.
      to -= 1
      edges(to) = edge
      kept(pane) += 1
    }
    val all = count
    count = 0
    (0 until panes).foreach { pane =>
      count += kept(pane)
      ends(pane) = count
    }
    System.arraycopy(edges, to, edges, 0, all - to)
  }
}

private[bic] object PaneLog {

  /** The links of panes `from until until` after the pane `start`, each as an edge. */
  def of(links: Array[Long], start: Int, from: Int, until: Int): PaneLog = {
    val offsets = new Array[Long](links.length)
    Arrays.setAll(offsets, (n: Int) => (paneOf(links(n)) - start).toLong)
    val log = new PaneLog
    RadixSort(offsets).order.foreach { n =>
      val isIn = offsets(n) >= from && offsets(n) < until && parentOf(links(n)) > 0
      if (isIn) {
        log.open(offsets(n).toInt)
        log.addAll(Array(n, parentOf(links(n))), 2)
      }
    }
    log
  }

  /** Edges whose vertices are read together. */
  private final val Slice = 256
}

/** A function of an edge that joins two trees, their root, the root that becomes its child, and the offset of the pane. */
private[bic] trait LinkVisitor {
  def visit(edge: Long, root: Int, child: Int, offset: Int): Unit
}
