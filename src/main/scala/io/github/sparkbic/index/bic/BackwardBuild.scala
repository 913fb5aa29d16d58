package io.github.sparkbic.index.bic

/** Algorithm 2 over the panes of a chunk, in steps, so that no single insert has to wait for all of it.
  *
  * Panes that no window to come holds are left out; so is always pane 0, since `b[0]` would be the whole chunk, which
  * the forward buffer held. A second union–find with path halving finds the roots, since the labelled trees must keep
  * their paths; it is dropped when the build is done, and the log of a pane as it is used.
  *
  * @param panes  the panes, by rising offset, of which none is 0
  * @param size   vertices are `0 until size`
  * @param buffer what is built, without an edge
  */
private[bic] final class BackwardBuild(panes: Array[EdgeLog], size: Int, buffer: BackwardBuffer) {
  import BackwardBuild._

  private var pane = panes.length - 1
  private var segment = 0
  private var at = 0
  // Work that is done, but not paid for.
  private var debt = 0L

  // A [[SizedForest]]. Of a root, `buffer.parents` tells how far behind it, by number, the last vertex of its list is; so
  // zero, in both, is right for a vertex that is alone.
  private var entries = Array.empty[Int]
  // What [[take]] looked at first; kept, or the compiler would drop the looking.
  private[bic] var looked = 0

  /** The share of the work that an edge has to do for all to be done well before the pane after this chunk ends, if that
    * is like the last one of the chunk.
    */
  val workPerEdge: Int = {
    val edges = panes.iterator.map(_.size.toLong).sum + 4L * (size / ClearedPerEdge)
    math.max(8L, math.min(1L << 20, edges * 3 / 2 / math.max(1, panes.last.size) + 1)).toInt
  }

  def isDone: Boolean = pane < 0

  /** Does so much work, counted in edges of the chunk, and returns whether that was all. */
  def step(work: Long): Boolean = {
    var left = work
    while (left > 0 && !isDone)
      if (debt > 0) {
        val paid = math.min(left, debt)
        debt -= paid
        left -= paid
      } else if (allocate()) debt = size / ClearedPerEdge.toLong
      else left -= take(left)
    isDone
  }

  /** Makes the next array that is missing, if one is: a step for each, since zeroing one takes milliseconds. */
  private def allocate(): Boolean = {
    if (buffer.parents.length < size) buffer.parents = new Array[Int](size)
    else if (buffer.linkLabels.length < size) buffer.linkLabels = new PaneLabels(size, buffer.perWindow)
    else if (buffer.nextMembers.length < size) buffer.nextMembers = new Array[Int](size)
    else if (entries.length < size) entries = new Array[Int](size)
    else return false
    true
  }

  /** Takes in some edges, at most so many as given, and returns how many. */
  private def take(most: Long): Long = {
    val log = panes(pane)
    val edges = log.segment(segment)
    val length = math.min(log.size - segment * EdgeLog.SegmentSize, EdgeLog.SegmentSize)
    val from = at
    val until = from + math.min((length - from).toLong, math.min(most, Slice)).toInt
    // The loop that only looks waits for many cache lines at once, having no branches to mispredict.
    val entries = this.entries
    var seen = 0
    var i = from
    while (i < until) {
      seen ^= entries((edges(i) >>> 32).toInt) ^ entries(edges(i).toInt)
      i += 1
    }
    looked = seen
    i = from
    while (i < until) {
      add((edges(i) >>> 32).toInt, edges(i).toInt, log.offset)
      i += 1
    }
    at = until
    if (at == length) {
      log.drop(segment)
      segment += 1
      at = 0
    }
    if (segment * EdgeLog.SegmentSize + at >= log.size) {
      pane -= 1
      segment = 0
      at = 0
      if (isDone) buffer.size = size
    }
    (until - from).toLong
  }

  private def add(u: Int, v: Int, j: Int): Unit = {
    val entries = this.entries
    val ru = SizedForest.root(entries, u)
    val rv = SizedForest.root(entries, v)
    if (ru != rv) {
      val root = SizedForest.unite(entries, ru, rv)
      val child = ru + rv - root
      val parents = buffer.parents
      val last = child + parents(child)
      buffer.linkLabels(child) = j
      buffer.nextMembers(root + parents(root)) = child + 1
      parents(root) = last - root
      parents(child) = root
    }
  }
}

private object BackwardBuild {

  /** Numbers that are zeroed in the time of one edge. */
  private final val ClearedPerEdge = 64

  /** Edges whose vertices are looked up together. */
  private final val Slice = 256L
}
