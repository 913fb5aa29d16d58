package io.github.sparkbic.index.recency

import io.github.sparkbic.index.vertices.{PaidSweep, VertexDirectory, VertexKeys}

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
  * Expired vertices are found by a sweep, a table of the directory at a time. Each vertex added pays for nine places
  * of it, so that about one vertex in ten is dead however fast vertices come and go; and every edge pays a little, so
  * that their numbers are given out again when they stop coming.
  *
  * Panes here are the low 32 bits of pane numbers; `a - b >= 0` says that `a` is not before `b`, which is right while
  * they are less than 2^31^ apart. [[sweepAll]] keeps them so: it rewrites links that have expired.
  */
private[recency] final class RecencyForest(val keys: VertexKeys, expected: Int = 0) {
  import RecencyForest._

  val links = new LinkStore(keys.seed, expected)
  val directory = new VertexDirectory(expected)
  private val sweep = new PaidSweep(directory, links.release(_))

  private val join = new EdgeJoin(links)

  /** The first pane that a window may still start at; set by the index. */
  var floor: Int = 0

  /** Whether more than half of the numbers would be out of use even if a few more vertices came. */
  def isSparse: Boolean = links.top / 2 > directory.size + (directory.size >> 2)

  /** The directory's entry of a vertex, zero if there is none. */
  def find(id: Long): Long = directory.find(keys.keyOf(id))

  /** The number of a vertex that has an edge in `pane`. It stays valid until the next sweep. */
  private def enter(key: Long, pane: Int): Int = {
    val n = directory.touch(key, pane)
    if (n >= 0) n else add(key, pane)
  }

  /** Enters the first `count` of these vertices, and notes their numbers.
    *
    * @param isNewest whether no vertex was seen after `pane`
    */
  def enterAll(
      vertexKeys: Array[Long],
      count: Int,
      pane: Int,
      isNewest: Boolean,
      numbers: Array[Int]
  ): Unit = {
    val directory = this.directory
    directory.fetchAll(vertexKeys, 0, count)
    var i = 0
    if (isNewest)
      while (i < count) {
        val n = directory.touchNewest(vertexKeys(i), pane)
        numbers(i) = if (n >= 0) n else add(vertexKeys(i), pane)
        i += 1
      }
    else
      while (i < count) {
        numbers(i) = enter(vertexKeys(i), pane)
        i += 1
      }
  }

  /** Adds the edges between `numbers(0)` and `numbers(1)`, `numbers(2)` and `numbers(3)` and so on, up to `ends`; the
    * numbers are overwritten.
    */
  def joinAll(numbers: Array[Int], ends: Int, pane: Int): Unit = join.joinAll(numbers, ends, pane, floor)

  /** [[joinAll]] for links of a pane forest, of which those of a tree come one after the other and lead to one vertex. */
  def joinLinks(numbers: Array[Int], ends: Int, pane: Int): Unit = join.joinLinks(numbers, ends, pane, floor)

  /** Sweeps what the vertices and edges since the last call have paid for, if that is a table. */
  def sweepAsPaid(edges: Int): Unit = {
    sweep.pay(edges)
    sweep.sweep(floor)
  }

  /** Rewrites everything expired now, so that panes may again be compared for 2^30^ panes to come. */
  def sweepAll(): Unit = {
    sweep.sweepAll(floor)
    links.expire(floor)
    join.forget()
  }

  private def add(key: Long, pane: Int): Int = {
    val n = links.allocate(floor)
    directory.add(key, n, pane)
    sweep.pay(AddPays)
    n
  }
}

private[recency] object RecencyForest {

  /** A forest with these vertices, numbered from zero on, and edges; they owe nothing to the sweep.
    *
    * @param seen  the newest pane in which each vertex had an edge
    * @param links an edge of each vertex, as [[LinkStore]] has links; of a pane before `floor` if there is none
    */
  def of(
      vertexKeys: VertexKeys,
      floor: Int,
      keys: Array[Long],
      seen: Array[Int],
      links: Array[Long]
  ): RecencyForest = {
    val forest = new RecencyForest(vertexKeys, keys.length)
    forest.floor = floor
    forest.directory.addAll(keys, seen)
    var n = 0
    while (n < keys.length) {
      forest.links.allocate(floor)
      n += 1
    }
    val ends = new Array[Int](2 * math.min(keys.length, Together))
    val panes = new Array[Int](ends.length / 2)
    n = 0
    while (n < keys.length) {
      val until = math.min(keys.length, n + Together)
      var count = 0
      while (n < until) {
        ends(2 * count) = n
        ends(2 * count + 1) = links(n).toInt
        panes(count) = (links(n) >> 32).toInt
        count += ~(panes(count) - floor) >>> 31
        n += 1
      }
      forest.join.joinEach(ends, panes, count, floor)
    }
    forest
  }

  /** Edges that [[of]] joins together. */
  private final val Together = 128

  /** What an added vertex pays for the sweep, in eighths of a place. Where nearly every edge adds one, 100 takes a
    * twentieth more time.
    */
  private final val AddPays = 72
}
