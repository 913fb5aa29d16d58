package io.github.sparkbic.index.bic

import java.util.Arrays

import io.github.sparkbic.index.forests.PathHalving

/** The backward buffer of a chunk: all its snapshots `b[1] … b[perWindow - 1]` in one union–find forest.
  *
  * Snapshot `b[j]` is the connectivity of panes `j` to the last of the chunk. It is computed against time and
  * accessed along it, so all snapshots are needed at once. Each link is labelled with the snapshot that made it
  * (snapshot isolation, Algorithm 1): `b[j]` is the forest of the links labelled `j` or more. Links are made from root
  * to root while the label falls, so labels never rise on the way to a root, and a climb that stops at the first label
  * below `j` ends at the root in `b[j]` (the paper's Lemma on snapshot isolation). Paths are not compressed, union by
  * size bounds them by log2(vertices).
  *
  * The augmented trees (AUFT, Algorithm 2) label each vertex with the first snapshot computed that contains it, and
  * each root with the interval of snapshots in which it is one. Neither is kept: a vertex that no snapshot contains is
  * one that has no link there, alone as a vertex that only loops to itself is, and what is alone connects nothing. That
  * a vertex occurs in the window is for the index to know.
  *
  * The vertices of a component form a list. When two components unite, that of the new root comes first. So in every
  * snapshot the component of a root begins with the root and ends before the next vertex that is a root, which the
  * label of that one's link tells.
  *
  * The naive version: `perWindow` union–find forests, O(perWindow × vertices). This: 9 bytes a vertex, 12 if a
  * chunk has more than 256 panes.
  *
  * Vertices are `0 until size`. A link label of zero says that a vertex has no link, and then no parent; the vertex after
  * another is plus one, and zero says that there is none. So arrays of zeros are a buffer without an edge.
  */
private[bic] final class BackwardBuffer(val perWindow: Int, room: Int = 0) {
  var parents = new Array[Int](room)
  var linkLabels = new PaneLabels(room, perWindow)
  var nextMembers = new Array[Int](room)

  /** Vertices from here on are in no snapshot. */
  var size: Int = room

  /** The root of `vertex` in snapshot `j`, or -1 if it is alone there. */
  def find(vertex: Int, j: Int): Int =
    if (vertex >= size) -1
    else {
      val parents = this.parents
      val labels = this.linkLabels
      var v = vertex
      while (labels(v) >= j) v = parents(v)
      if (v == vertex && next(v, j) < 0) -1 else v
    }

  /** The vertex after `vertex` in its component of snapshot `j`, or -1 if it is the last; the first is the root. */
  def next(vertex: Int, j: Int): Int = {
    val v = nextMembers(vertex) - 1
    if (v >= 0 && linkLabels(v) >= j) v else -1
  }

  /** Forgets all edges and gives the memory back. */
  def drop(): Unit = {
    parents = Array.emptyIntArray
    linkLabels = new PaneLabels(0, perWindow)
    nextMembers = parents
    size = 0
  }

  /** Checks what every operation relies on; the message names the first violation. */
  def validate(): Option[String] = {
    val depthBound = 33 - Integer.numberOfLeadingZeros(size)
    (0 until size).iterator.filter(linkLabels(_) > 0).flatMap { v =>
      val p = parents(v)
      if (p < 0 || p >= size) Some(s"a link to vertex $p of $size")
      else if (linkLabels(p) > linkLabels(v)) Some("labels rise on the way to a root")
      else {
        var depth = 0
        var x = v
        while (linkLabels(x) > 0 && depth <= depthBound) {
          x = parents(x)
          depth += 1
        }
        if (depth > depthBound) Some(s"a path of more than $depthBound links over $size vertices") else None
      }
    }.nextOption()
  }

  /** Makes the lists of members, from links that are valid. */
  def listMembers(): Unit = {
    val roots = new Array[Int](size)
    val lasts = new Array[Int](size)
    val links = new Array[Long](size)
    var v = 0
    while (v < size) {
      roots(v) = v
      lasts(v) = v
      nextMembers(v) = 0
      links(v) = linkLabels(v).toLong << 32 | v
      v += 1
    }
    Arrays.sort(links)
    var i = size - 1
    while (i >= 0 && (links(i) >>> 32) > 0) {
      val child = links(i).toInt
      val root = PathHalving.root(roots, parents(child))
      nextMembers(lasts(root)) = child + 1
      lasts(root) = lasts(child)
      roots(child) = root
      i -= 1
    }
  }
}
