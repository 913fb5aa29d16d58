package io.github.sparkbic.index.bic

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
  * each root with the interval of snapshots in which it is one. A vertex is a root from its vertex label down to the
  * link that ends that, so its interval is `[linkLabel + 1, vertexLabel]` and needs no memory of its own; a vertex
  * linked in the snapshot that brought it has the empty interval.
  *
  * The naive version: `perWindow` union–find forests, O(perWindow × vertices). This: 12 bytes a vertex.
  *
  * Vertices are `0 until size`. A label of zero says that the vertex is in no snapshot, or has no link.
  */
private[bic] final class BackwardBuffer(
    val parents: Array[Int],
    val linkLabels: Array[Int],
    val vertexLabels: Array[Int]
) {

  def size: Int = parents.length

  /** Whether `vertex` occurs in snapshot `j`. */
  def contains(vertex: Int, j: Int): Boolean = vertex < size && vertexLabels(vertex) >= j

  /** The root of `vertex` in snapshot `j`, or -1 if it does not occur there. */
  def find(vertex: Int, j: Int): Int =
    if (!contains(vertex, j)) -1
    else {
      val parents = this.parents
      val labels = this.linkLabels
      var v = vertex
      while (labels(v) >= j) v = parents(v)
      v
    }

  /** Algorithm 4: visits, as `visit(root, last)`, every vertex that is the root of `vertex` in some snapshot from `j`
    * on; it is so from the snapshot where it became a root of others' links (its `linkLabel + 1`, or `j`) to `last`.
    * One climb gives all of them: `x` on the path is the root in the snapshots that have all links below it, but not
    * its own.
    */
  def roots(vertex: Int, j: Int)(visit: (Int, Int) => Unit): Unit = {
    var v = vertex
    var last = if (vertex < size) vertexLabels(vertex) else 0
    while (last >= j) {
      val label = linkLabels(v)
      if (label < last) visit(v, last)
      last = label
      v = parents(v)
    }
  }

  /** Checks what every operation relies on; the message names the first violation. */
  def validate(perWindow: Int): Option[String] = {
    val depthBound = 33 - Integer.numberOfLeadingZeros(size)
    (0 until size).iterator.flatMap { v =>
      val p = parents(v)
      if (vertexLabels(v) < 0 || vertexLabels(v) >= perWindow)
        Some(s"vertex label ${vertexLabels(v)} is not a snapshot of a window of $perWindow panes")
      else if (linkLabels(v) == 0) None
      else if (linkLabels(v) < 0 || linkLabels(v) > vertexLabels(v))
        Some(s"link label ${linkLabels(v)} of a vertex labelled ${vertexLabels(v)}")
      else if (p < 0 || p >= size) Some(s"a link to vertex $p of $size")
      else if (vertexLabels(p) < linkLabels(v)) Some("a link to a vertex of a later snapshot")
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
}

private[bic] object BackwardBuffer {

  val Empty: BackwardBuffer = new BackwardBuffer(Array.empty, Array.empty, Array.empty)
}

/** The forest of one pane of a chunk, on vertex numbers: `vertices(i)` is linked to `parents(i)`, a root to itself.
  *
  * @param offset the pane's place in its chunk, `0 until perWindow`
  */
private[bic] final class ChunkPane(val offset: Int, val vertices: Array[Int], val parents: Array[Int])
