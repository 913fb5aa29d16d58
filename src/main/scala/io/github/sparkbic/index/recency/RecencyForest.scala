package io.github.sparkbic.index.recency

import io.github.sparkbic.index.vertices.{IdRange, VertexKeys}

/** The vertices of all windows still held, and a maximum spanning forest of their edges, an edge weighing its pane.
  *
  * Invariants. Every vertex has at most one link (parent, pane). Along a path ranks rise strictly; panes may rise or
  * fall. For every pane `p` still held, two vertices are joined by edges of panes `p` and later iff climbing from both
  * over links of pane `p` or later ends at the same vertex. `seen` of a vertex is the newest pane in which it had an
  * edge, and no link at the vertex is newer.
  *
  * So one forest answers every window that ends now: nothing is deleted when a window moves on, links just grow too old
  * to be followed. Since ranks are random, paths are logarithmic in expectation whatever the edges are.
  *
  * Panes here are the low 32 bits of pane numbers; `a - b >= 0` says that `a` is not before `b`, which is right while
  * they are less than 2^31^ apart. [[sweepAll]] keeps them so: it rewrites links that have expired.
  *
  * @param range    ids that number their vertices; to be prepared before the first is entered ([[RecencyVertices.prepare]])
  * @param expected vertices that will be added outside the range
  */
private[recency] final class RecencyForest(
    val keys: VertexKeys,
    range: IdRange = IdRange.Empty,
    expected: Int = 0
) {
  val links = new LinkStore(keys.seed, range.length + expected)
  val vertices = new RecencyVertices(keys, range, links, expected)

  private val join = new EdgeJoin(links)

  /** The first pane that a window may still start at; set by the index. */
  def floor: Int = vertices.floor

  def floor_=(pane: Int): Unit = vertices.floor = pane

  /** [[RecencyVertices.enterAll]]. */
  def enterAll(
      ids: Array[Long],
      from: Int,
      count: Int,
      pane: Int,
      isNewest: Boolean,
      numbers: Array[Int]
  ): Unit =
    vertices.enterAll(ids, from, count, pane, isNewest, numbers)

  /** Adds the edges between `numbers(0)` and `numbers(1)`, `numbers(2)` and `numbers(3)` and so on, up to `ends`; the
    * numbers are overwritten.
    */
  def joinAll(numbers: Array[Int], ends: Int, pane: Int): Unit = join.joinAll(numbers, ends, pane, floor)

  /** [[joinAll]] for links of a pane forest, of which those of a tree come one after the other and lead to one vertex. */
  def joinLinks(numbers: Array[Int], ends: Int, pane: Int): Unit = join.joinLinks(numbers, ends, pane, floor)

  /** [[joinAll]] for `count` edges, each of its own pane; both arrays are overwritten. */
  def joinEach(numbers: Array[Int], panes: Array[Int], count: Int): Unit =
    join.joinEach(numbers, panes, count, floor)

  /** From now on tells of every link that changes, which none does but for a newer one; null ends that. */
  def tellDisplaced(listener: DisplacedLinks): Unit = {
    links.halves = listener == null
    join.forget()
    join.listener = listener
  }

  /** Sweeps what the vertices and edges since the last call have paid for, if that is a table. */
  def sweepAsPaid(edges: Int): Unit = vertices.sweepAsPaid(edges)

  /** Rewrites everything expired now, so that panes may again be compared for 2^30^ panes to come. */
  def sweepAll(): Unit = {
    vertices.sweepAll()
    links.expire(floor)
    join.forget()
  }
}

private[recency] object RecencyForest {

  /** A forest with these vertices and edges; they owe nothing to the sweep.
    *
    * @param seen  the newest pane in which each vertex had an edge
    * @param links an edge of each vertex, as [[LinkStore]] has links, to the place of another one; of a pane before `floor`
    *              if there is none
    */
  def of(
      vertexKeys: VertexKeys,
      range: IdRange,
      floor: Int,
      ids: Array[Long],
      seen: Array[Int],
      links: Array[Long]
  ): RecencyForest = {
    val forest = new RecencyForest(vertexKeys, range, if (range.isEmpty) ids.length else 0)
    forest.floor = floor
    while (!forest.vertices.isReady) forest.vertices.prepare(range.length)
    val numbers = forest.vertices.bringAll(ids, seen)
    val ends = new Array[Int](2 * math.min(ids.length, Together))
    val panes = new Array[Int](ends.length / 2)
    var n = 0
    while (n < ids.length) {
      val until = math.min(ids.length, n + Together)
      var count = 0
      while (n < until) {
        ends(2 * count) = numbers(n)
        ends(2 * count + 1) = numbers(links(n).toInt)
        panes(count) = (links(n) >> 32).toInt
        count += ~(panes(count) - floor) >>> 31
        n += 1
      }
      forest.joinEach(ends, panes, count)
    }
    forest
  }

  /** Edges that [[of]] joins together. */
  private final val Together = 128
}
