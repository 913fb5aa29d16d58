package io.github.sparkbic.bench.baseline.paper

/** Augmented Union-Find Trees (AUFTs) in a backward buffer `b` with snapshot isolation: Algorithms 1 and 2.
  *
  * One forest stores every snapshot `b[|c|-1]`, …, `b[1]`. The label of a tree edge is the snapshot in which it was
  * inserted, so `b[j]` has the tree edges with labels of at least `j`. The label of a vertex is the largest snapshot that
  * contains it. A vertex that was a root has the interval of the snapshots in which it was a root.
  */
private[paper] final class Auft(vertices: Int) extends Uft(vertices) {
  // Zero stands for no label, since `b[0]` is never computed: section 5.3.
  private val vertexLabels = new Array[Int](parents.length)
  private val edgeLabels = new Array[Int](parents.length)
  private val starts = new Array[Int](parents.length)
  private val ends = new Array[Int](parents.length)

  /** The vertex label of `v`, or zero if no snapshot contains `v`. */
  def vertexLabel(v: Int): Int = vertexLabels(v)

  /** The label of the edge from `v` to its parent, or zero at a root. */
  def edgeLabel(v: Int): Int = edgeLabels(v)

  /** Whether `v` has a root interval, which is `[rootStart(v), rootEnd(v)]`. */
  def hasInterval(v: Int): Boolean = ends(v) > 0
  def rootStart(v: Int): Int = starts(v)
  def rootEnd(v: Int): Int = ends(v)

  /** Whether `b[j]` contains `v`. */
  def contains(v: Int, j: Int): Boolean = vertexLabels(v) >= j

  /** Whether `v` has no parent in `b[j]`: the loop of Algorithm 1, line 13, ends there. */
  def isRootIn(v: Int, j: Int): Boolean = isRoot(v) || edgeLabels(v) < j

  /** Algorithm 1, `findRootWithSnapshotIsolation`, lines 10 to 17: the root of `v` in `b[j]`, or -1 if `b[j]` does not
    * contain `v`.
    */
  def find(v: Int, j: Int): Int =
    if (!contains(v, j)) -1
    else {
      var root = v
      while (!isRootIn(root, j)) root = parent(root)
      root
    }

  /** Algorithm 2, lines 5 to 16: inserts the edge `(u, v)` of `c[j]`. The label of line 16 is also that of Algorithm 1,
    * line 9.
    *
    * Algorithm 2 gives intervals to the roots of unions alone, but a vertex whose first edge is a self-loop is a root
    * without a union. Without its interval, Algorithm 3 would name a later root in the snapshots before the union. So such
    * a vertex gets the interval that the definition in section 6.3 gives to each root; any other root has its interval.
    */
  def insert(u: Int, v: Int, j: Int): Unit = {
    labelVertex(u, j)
    labelVertex(v, j)
    val ru = find(u)
    val rv = find(v)
    if (ru == rv) labelRoot(ru, j)
    else {
      val child = union(ru, rv)
      labelRoot(if (child == ru) rv else ru, j)
      updateInterval(child, j)
      edgeLabels(child) = j
    }
  }

  /** Algorithm 2, lines 18 to 20. */
  private def labelVertex(v: Int, j: Int): Unit = if (vertexLabels(v) == 0) vertexLabels(v) = j

  /** Algorithm 2, lines 21 to 23. */
  private def labelRoot(r: Int, j: Int): Unit = if (!hasInterval(r)) {
    starts(r) = 1
    ends(r) = j
  }

  /** Algorithm 2, lines 24 to 27. The interval becomes empty if the root came and went in one snapshot. */
  private def updateInterval(v: Int, j: Int): Unit = if (hasInterval(v)) starts(v) = j + 1
}

private[paper] object Auft {

  /** Algorithm 2, `computeBackwardBufferWithAUFTs`, lines 1 to 17: the backward buffer of `c`. */
  def compute(c: Chunk): Auft = {
    val b = new Auft(c.vertices.size)
    var j = c.size - 1
    while (j >= 1) {
      var edge = c.begin(j)
      while (edge < c.end(j)) {
        b.insert(c.u(edge), c.v(edge), j)
        edge += 1
      }
      j -= 1
    }
    b
  }
}
