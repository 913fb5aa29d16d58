package io.github.sparkbic.index.bic

import io.github.sparkbic.index.kernels.{PathHalving, RadixSort}

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
  * The naive version: `perWindow` union–find forests, O(perWindow × vertices). This buffer: 9 bytes a vertex, or 12 if
  * a chunk has more than 256 panes. A label of zero says that a vertex has no link; vertex 0 is no vertex.
  */
private[bic] final class BackwardBuffer(val perWindow: Int) {
  import BackwardBuffer.PaneLabels

  private var parents = Array.emptyIntArray
  private var labels = new PaneLabels(0, perWindow)
  private var nextMembers = Array.emptyIntArray
  // Vertices from here on are in no snapshot.
  private var length = 0

  /** The root of `vertex` in snapshot `j`, or 0 if the vertex is alone there. */
  def find(vertex: Int, j: Int): Int =
    if (vertex >= length) 0
    else {
      val parents = this.parents
      val labels = this.labels
      var v = vertex
      while (labels(v) >= j) v = parents(v)
      if (v == vertex && next(v, j) == 0) 0 else v
    }

  /** The vertex after `vertex` in its component of snapshot `j`, or 0 after the last; the first is the root. */
  def next(vertex: Int, j: Int): Int = {
    val v = nextMembers(vertex)
    if (labels(v) >= j) v else 0
  }

  /** Forgets all edges and gives the memory back. */
  def drop(): Unit = {
    parents = Array.emptyIntArray
    labels = new PaneLabels(0, perWindow)
    nextMembers = parents
    length = 0
  }

  /** Algorithm 2 over the panes of a chunk from offset `from` on. A second union–find with path halving finds the
    * roots, since the labelled trees must keep their paths.
    *
    * @param log    the edges of the chunk
    * @param from   the first snapshot that a window to come may ask for, at least 1: `b[0]` would be the whole chunk,
    *               which the forward buffer held
    * @param size   vertices are below
    * @param roots  an array of zeros for the second union–find, at least as long; overwritten
    */
  def build(log: PaneLog, from: Int, size: Int, roots: Array[Int]): Unit = {
    parents = new Array[Int](size)
    labels = new PaneLabels(size, perWindow)
    nextMembers = new Array[Int](size)
    length = size
    val links = parents
    // Meanwhile the parent entry of a root is the last number of its list minus its own number: at first zero.
    log.span(from, roots) { (_, root, child, offset) =>
      val last = child + links(child)
      labels(child) = offset
      nextMembers(root + links(root)) = child
      links(root) = last - root
      links(child) = root
    }
  }

  /** The links of snapshot `j`, each as an edge of the pane that labels it. */
  def toLog(j: Int): PaneLog = {
    val linked = new Array[Int](length)
    var count = 0
    var v = 1
    while (v < length) {
      linked(count) = v
      count += (labels(v) - j >> 31) + 1
      v += 1
    }
    val log = new PaneLog
    log.reserve(count)
    RadixSort(Array.tabulate(count)(i => labels(linked(i)).toLong)).order.foreach { i =>
      log.add(labels(linked(i)), linked(i), parents(linked(i)))
    }
    log
  }

  /** Joins the ends of all links of snapshot `j` in `parents`, a forest whose roots are their own parents. */
  def joinAll(parents: Array[Int], j: Int): Unit = {
    val size = math.min(length, parents.length)
    var v = 1
    while (v < size) {
      if (labels(v) >= j) PathHalving.join(parents, v, this.parents(v))
      v += 1
    }
  }
}

private object BackwardBuffer {

  /** Panes that a byte can distinguish. */
  private final val InByte = 256

  /** A pane of the chunk for each vertex, by its offset: a byte where a chunk has few panes, which most chunks have. At
    * first all are zero.
    */
  private final class PaneLabels(size: Int, perWindow: Int) {
    private val bytes = if (perWindow <= InByte) new Array[Byte](size) else null
    private val ints = if (bytes == null) new Array[Int](size) else null

    def apply(vertex: Int): Int = if (ints == null) bytes(vertex) & 0xff else ints(vertex)

    def update(vertex: Int, pane: Int): Unit =
      if (ints == null) bytes(vertex) = pane.toByte else ints(vertex) = pane
  }
}
