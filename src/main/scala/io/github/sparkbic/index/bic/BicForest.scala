package io.github.sparkbic.index.bic

import io.github.sparkbic.index.forests.{Link, WindowForest}
import io.github.sparkbic.index.kernels.{RadixSort, UnionBySize}
import io.github.sparkbic.index.vertices.VertexNumbers

/** The saved form of a [[BicIndex]], by Kruskal's algorithm from the newest pane to the oldest. The edges of the chunk
  * come first, then the links of the backward buffer.
  *
  * A link joins the roots of an edge's ends, which links of its pane or newer join with the ends. So links serve as
  * edges. Each root is linked once, so no vertex has two links. Memory while saving: 12 bytes a vertex number or more.
  */
private[bic] final class BicForest(vertices: VertexNumbers) {
  private val entries = new Array[Int](vertices.top + 1)
  private val links = new Array[Long](vertices.top + 1)

  /** Adds the edges of the chunk whose first pane is `start`. */
  def addLog(log: PaneLog, start: Int): Unit =
    log.foreachFalling(0, entries)((u, v, offset) => add(u, v, start + offset))

  /** Adds the links of snapshot `j` of the chunk whose first pane is `start`. */
  def addBackward(backward: BackwardBuffer, j: Int, start: Int): Unit = {
    val linked = new Array[Int](backward.size)
    var count = 0
    var v = 1
    while (v < backward.size) {
      linked(count) = v
      count += (backward.label(v) - j >> 31) + 1
      v += 1
    }
    val labels = new Array[Long](count)
    var i = 0
    while (i < count) {
      labels(i) = backward.label(linked(i)).toLong
      i += 1
    }
    val order = RadixSort(labels).order
    i = count - 1
    while (i >= 0) {
      val vertex = linked(order(i))
      add(vertex, backward.parent(vertex), start + backward.label(vertex))
      i -= 1
    }
  }

  private def add(u: Int, v: Int, pane: Int): Unit = {
    val ru = UnionBySize.root(entries, u)
    val rv = UnionBySize.root(entries, v)
    if (ru != rv) {
      val root = UnionBySize.unite(entries, ru, rv)
      val child = ru + rv - root
      links(child) = Link.pack(pane, root)
    }
  }

  /** The forest of all that was added, for the panes from `first` to `closed`. */
  def result(closed: Long, first: Long): WindowForest =
    new WindowForest(closed, first.toInt, vertices.top, vertices.ids, vertices.seenPanes, links)
}
