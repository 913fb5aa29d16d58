package io.github.sparkbic.bench.baseline.paper

/** Algorithm 3, `computeEdgesAndIntervals`: every root that an inter-vertex `v` has in `b[j]`, `b[j + 1]`, …, with the
  * interval of the snapshots in which it is the root of `v`.
  *
  * The object is the list of line 2; each [[compute]] replaces the list. The end `v_f` is the same for all edges of the
  * list, so the caller adds it. Empty intervals are left out: the paper's text wants "each vertex that is labelled with a
  * non-empty interval".
  */
private[paper] final class RootIntervals {
  // A path in a union-find tree has at most 31 edges: see Uft.
  private val roots = new Array[Int](32)
  private val starts = new Array[Int](32)
  private val ends = new Array[Int](32)
  private var count = 0

  def size: Int = count
  def root(i: Int): Int = roots(i)
  def start(i: Int): Int = starts(i)
  def end(i: Int): Int = ends(i)

  /** The path is that in `b[j]`, "the current snapshot of backward buffer b": it ends at the root of `v` in `b[j]`. */
  def compute(b: Auft, j: Int, v: Int): Unit = {
    count = 0
    val l = b.vertexLabel(v)
    // Line 4. The root in b[j] ends the search at the latest: its interval starts at j or before, and l is not below j.
    var vb = v
    while (!(b.hasInterval(vb) && b.rootStart(vb) <= l)) vb = b.parent(vb)
    val end = math.min(l, b.rootEnd(vb)) // line 5
    if (b.isRootIn(vb, j)) add(vb, j, end) // lines 6 and 7
    else {
      add(vb, b.rootStart(vb), end) // line 9
      var temp = b.rootStart(vb) - 1 // line 11
      vb = b.parent(vb) // line 10
      while (!b.isRootIn(vb, j)) { // lines 12 to 16
        add(vb, b.rootStart(vb), temp)
        temp = b.rootStart(vb) - 1
        vb = b.parent(vb)
      }
      add(vb, j, temp) // line 17
    }
  }

  private def add(root: Int, start: Int, end: Int): Unit = if (start <= end) {
    roots(count) = root
    starts(count) = start
    ends(count) = end
    count += 1
  }
}
