package io.github.sparkbic.index.recency

import java.util.Arrays

import io.github.sparkbic.index.contract.IndexConfig
import io.github.sparkbic.index.forests.Link.{pack, paneOf, parentOf}
import io.github.sparkbic.index.forests.SavedForest
import io.github.sparkbic.index.kernels.Prefetch

/** A maximum spanning forest of edges between vertex numbers, where an edge weighs its pane.
  *
  * Every vertex has one [[io.github.sparkbic.index.forests.Link Link]], which may have expired. Ranks are
  * a seeded permutation of the numbers, so they take no memory, never tie, and are random to whoever chose the edges.
  *
  * Invariants. Along a path ranks rise strictly; panes may rise or fall. For every pane `p` still held, edges of panes
  * `p` and later join two vertices iff [[find]] with `p` gives both the same root. No link is newer than the pane in
  * which either of its ends was last seen.
  *
  * So one forest answers every window that ends now, and a window moves on without a deletion: old links are not
  * followed. Paths are logarithmic in expectation, whatever the edges are. Trade-off: a link carries its pane, so a path
  * over several panes cannot be shortened.
  *
  * {{{
  * join(u, v, pane):
  *   a = root of u, b = root of v, over links of pane or later; done if they are the same
  *   let a have the lower rank: its link (q, c) makes way for (pane, b)
  *   join(c, b, q), unless pane q has expired: a and c stay joined from q on, now over b
  * }}}
  *
  * All edges of a batch go through rounds together; nearly all are done after two rounds. Between rounds the
  * invariants hold of links and waiting edges taken together.
  *
  * The naive version: keep all edges by pane, and for a window run Kruskal's algorithm from the newest pane to the
  * oldest. Memory: 8 bytes a number. Not thread safe.
  */
private[recency] final class RecencyLinks(config: IndexConfig) {
  private val salt = (config.seed ^ (config.seed >>> 32)).toInt
  private var links = Array.emptyLongArray

  /** The first pane held; links of panes before it have expired. To be set by the index. */
  var firstPane: Int = 0

  /** The links by number, not to be changed. */
  def all: Array[Long] = links

  /** Makes room for numbers below `length`, without links. */
  def reserve(length: Int): Unit = {
    val before = links.length
    if (length > before) {
      links = Arrays.copyOf(links, length)
      Arrays.fill(links, before, length, pack(firstPane - 1, 0))
    }
  }

  def rank(n: Int): Int = {
    var h = (n ^ salt) * 0x9e3779b1
    h = (h ^ (h >>> 16)) * 0x85ebca6b
    h ^ (h >>> 15)
  }

  /** The root of `from` over links of panes not before `pane`. Two links in a row of one pane hold in the same windows, so the
    * path is halved there.
    */
  def find(from: Int, pane: Int): Int = {
    val links = this.links
    var v = from
    var link = links(v)
    while (paneOf(link) - pane >= 0) {
      val parent = parentOf(link)
      val above = links(parent)
      if (((above ^ link) >>> 32) == 0) {
        links(v) = above
        v = parentOf(above)
        link = links(v)
      } else {
        v = parent
        link = above
      }
    }
    v
  }

  /** Adds the edges `numbers(0) – numbers(1)`, `numbers(2) – numbers(3)` … of `pane`; `numbers` is overwritten. */
  def joinAll(numbers: Array[Int], ends: Int, pane: Int): Unit = {
    val panes = new Array[Int](ends >> 1)
    Arrays.fill(panes, pane)
    joinEach(numbers, panes, panes.length)
  }

  /** Adds all links of a saved form. */
  def joinLinks(forest: SavedForest): Unit = {
    val panes = new Array[Int](math.min(forest.top, RecencyLinks.Batch))
    val ends = new Array[Int](2 * panes.length)
    var n = 1
    while (n <= forest.top) {
      var count = 0
      while (n <= forest.top && count < panes.length) {
        if (forest.isLinked(n)) {
          ends(2 * count) = n
          ends(2 * count + 1) = parentOf(forest.links(n))
          panes(count) = paneOf(forest.links(n))
          count += 1
        }
        n += 1
      }
      joinEach(ends, panes, count)
    }
  }

  /** Adds `count` edges, each of its own pane; both arrays are overwritten. */
  private def joinEach(numbers: Array[Int], panes: Array[Int], count: Int): Unit = {
    var waiting = count
    while (waiting > 0) waiting = joinRound(numbers, panes, waiting)
  }

  /** Links `count` edges, and moves displaced links to the front; returns their count. */
  private def joinRound(numbers: Array[Int], panes: Array[Int], count: Int): Int = {
    val links = this.links
    val first = firstPane
    var read = 0L
    var i = 0
    while (i < 2 * count) {
      read ^= links(numbers(i))
      i += 1
    }
    Prefetch.keep(read)
    var displacing = 0
    i = 0
    while (i < count) {
      val p = panes(i)
      val a = find(numbers(2 * i), p)
      val b = find(numbers(2 * i + 1), p)
      if (a != b) {
        // The lower-ranked root takes the link. A branch on the ranks could not be predicted.
        val swap = (a ^ b) & ((rank(b).toLong - rank(a)) >> 63).toInt
        val low = a ^ swap
        val high = b ^ swap
        val displaced = links(low)
        links(low) = pack(p, high)
        numbers(2 * displacing) = parentOf(displaced)
        numbers(2 * displacing + 1) = high
        panes(displacing) = paneOf(displaced)
        // One unless the link has expired.
        displacing += ~(paneOf(displaced) - first) >>> 31
      }
      i += 1
    }
    displacing
  }

  /** For each number up to `top` the parent over links of `pane` and later: the number itself for a root, and 0 where
    * `seen`, the pane in which a vertex was last seen, is earlier. One pass without a branch.
    */
  def parents(seen: Array[Int], top: Int, pane: Int): Array[Int] = {
    val links = this.links
    val parents = new Array[Int](top + 1)
    var n = 1
    while (n <= top) {
      val link = links(n)
      // All ones if the link is too old to be followed, and if the vertex is not there.
      val isOld = (paneOf(link) - pane) >> 31
      val isGone = (seen(n) - pane) >> 31
      parents(n) = ((n & isOld) | (parentOf(link) & ~isOld)) & ~isGone
      n += 1
    }
    parents
  }

  /** The latest pane from which on links join `a` and `b`: that of the oldest link on the path between them, or a pane before
    * the first pane held if no links join them.
    *
    * @param pane the pane in which the one of them was last seen that was seen earlier
    */
  def oldestBetween(a: Int, b: Int, pane: Int): Int = {
    val links = this.links
    // A pattern of three variables would box them.
    var u = a
    var v = b
    var oldest = pane
    while (u != v && oldest - firstPane >= 0) {
      // The vertex with the lower rank is not above the other.
      if (rank(u) > rank(v)) {
        val other = u
        u = v
        v = other
      }
      val link = links(u)
      if (paneOf(link) - oldest < 0) oldest = paneOf(link)
      u = parentOf(link)
    }
    oldest
  }

  def copy: RecencyLinks = {
    val made = new RecencyLinks(config)
    made.links = links.clone()
    made.firstPane = firstPane
    made
  }
}

private object RecencyLinks {

  /** Links of a saved form that are added together. */
  private final val Batch = 128
}
