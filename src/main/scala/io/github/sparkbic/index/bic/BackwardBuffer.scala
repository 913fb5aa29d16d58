package io.github.sparkbic.index.bic

import io.github.sparkbic.index.forests.Link.{pack, paneOf, parentOf}
import io.github.sparkbic.index.kernels.PathHalving

/** The backward buffer of a chunk: all its snapshots `b[1] … b[perWindow - 1]` in one union–find forest.
  *
  * Snapshot `b[j]` is the connectivity of panes `j` to the last of the chunk. Snapshots are computed from the newest
  * pane back, but windows ask for `b[1]` first, so all are needed at once. Each link is labelled with the snapshot
  * that made it (snapshot isolation, Algorithm 1): `b[j]` is the forest of the links labelled `j` or more. Links are
  * made from root to root while the label falls, so labels never rise along a path. So the first vertex of a path
  * whose label is below `j` is the root in `b[j]` (the paper's lemma on snapshot isolation). Paths are not compressed;
  * union by size bounds them by log2(vertices).
  *
  * The augmented trees (AUFT, Algorithm 2) also label vertices and roots with snapshots. This buffer does not: a vertex
  * without a link connects nothing, and the index knows which vertices occur.
  *
  * The vertices of a component form a list. When two components unite, the list of the new root comes first. So in
  * snapshot `b[j]` a component begins with its root and ends before the next vertex whose label is below `j`.
  *
  * The naive version: `perWindow` union–find forests, O(perWindow × vertices). This buffer: 12 bytes a vertex.
  */
private[bic] final class BackwardBuffer(perWindow: Int) {
  // The label is the pane of a link, by its offset; zero says that a vertex has no link. Vertex 0 is no vertex.
  private var links = Array.emptyLongArray
  private var nextMembers = Array.emptyIntArray

  /** The root of `vertex` in snapshot `j`, or 0 if the vertex is alone there. */
  def find(vertex: Int, j: Int): Int =
    if (vertex >= links.length) 0
    else {
      val links = this.links
      var v = vertex
      while (paneOf(links(v)) >= j) v = parentOf(links(v))
      if (v == vertex && next(v, j) == 0) 0 else v
    }

  /** The vertex after `vertex` in its component of snapshot `j`, or 0 after the last; the first is the root. */
  def next(vertex: Int, j: Int): Int = {
    val v = nextMembers(vertex)
    if (paneOf(links(v)) >= j) v else 0
  }

  /** Algorithm 2 over the panes of a chunk from offset `from` on; the buffer is empty. A second union–find with path halving
    * finds the roots, since the labelled trees must keep their paths.
    *
    * @param log    the edges of the chunk
    * @param from   the first snapshot that a window to come may ask for, at least 1: `b[0]` would be the whole chunk,
    *               which the forward buffer held
    * @param size   vertices are below
    */
  def build(log: PaneLog, from: Int, size: Int): Unit = {
    val links = new Array[Long](size)
    this.links = links
    nextMembers = new Array[Int](size)
    // Meanwhile the link of a root has the last number of its list, unless that is the root.
    def lastOf(root: Int): Int = if (links(root) == 0) root else parentOf(links(root))
    log.span(from, new Array[Int](size)) { (_, root, child, offset) =>
      nextMembers(lastOf(root)) = child
      links(root) = pack(0, lastOf(child))
      links(child) = pack(offset, root)
    }
  }

  /** The links of snapshot `j`, each as an edge of the pane that labels it. */
  def toLog(j: Int): PaneLog = PaneLog.of(links, 0, j, perWindow)

  /** Joins the ends of all links of snapshot `j` in `parents`, a forest whose roots are their own parents. */
  def joinAll(parents: Array[Int], j: Int): Unit = {
    val size = math.min(links.length, parents.length)
    var v = 1
    while (v < size) {
      if (paneOf(links(v)) >= j) PathHalving.join(parents, v, parentOf(links(v)))
      v += 1
    }
  }
}
