package io.github.sparkbic.index.recency

import java.util.Arrays

import io.github.sparkbic.index.contract.IndexConfig
import io.github.sparkbic.index.forests.Link.{pack, paneOf, parentOf}
import io.github.sparkbic.index.kernels.{Prefetch, Threads}

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
  * followed. Since ranks are random, paths are logarithmic in expectation, whatever the edges are. Trade-off: a link
  * carries its pane, so a path over several panes cannot be shortened.
  *
  * The naive version: keep all edges by pane, and for a window run Kruskal's algorithm from the newest pane to the
  * oldest. Memory: 8 bytes a number. Panes are the low 32 bits of pane numbers, compared by their difference. Not
  * thread safe.
  */
private[recency] final class RecencyLinks(config: IndexConfig) {
  private val salt = (config.seed ^ (config.seed >>> 32)).toInt
  private var links = Array.emptyLongArray
  private val ahead = new Prefetch

  /** The first pane held; links of panes before it have expired. To be set by the index. */
  var firstPane: Int = 0

  /** The links by number, not to be changed. */
  def all: Array[Long] = links

  /** Gives `number`, a root over links of `pane` and later, a link of `pane`; returns the link that makes way. */
  def replace(number: Int, pane: Int, parent: Int): Long = {
    val displaced = links(number)
    links(number) = pack(pane, parent)
    displaced
  }

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

  /** All ones if the rank of `a` is lower than the rank of `b`, else zero: a branch on it could not be predicted. */
  def maskOfLower(a: Int, b: Int): Int = ((rank(a).toLong - rank(b)) >> 63).toInt

  /** The root of `from` over links of panes not before `pane`.
    *
    * Most paths have no link or one, which cannot be predicted, so the first step does not branch.
    */
  def find(from: Int, pane: Int): Int = {
    val links = this.links
    val v = step(links, from, pane)
    if (paneOf(links(v)) - pane < 0) v else findHalving(from, pane)
  }

  /** The parent of `from`, or `from` if its link is of a pane before `pane`. */
  private def step(links: Array[Long], from: Int, pane: Int): Int = {
    val link = links(from)
    // All ones if the link is too old to be followed.
    val stays = (paneOf(link) - pane) >> 31
    (from & stays) | (parentOf(link) & ~stays)
  }

  /** [[find]] for a vertex that most likely is a root itself. Two links in a row of one pane hold in the same windows,
    * so the path is halved there.
    */
  def findHalving(from: Int, pane: Int): Int = {
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

  /** For each number up to `top` the parent over links of `pane` and later: the number itself for a root, and 0 where
    * `seen`, the pane in which a vertex was last seen, is earlier. One pass without a branch.
    */
  def parents(seen: Array[Int], top: Int, pane: Int, threads: Int): Array[Int] = {
    val parents = new Array[Int](top + 1)
    Threads.map(1, top + 1, threads)(fill(parents, _, _, seen, pane))
    parents
  }

  private def fill(parents: Array[Int], from: Int, until: Int, seen: Array[Int], pane: Int): Unit = {
    val links = this.links
    var n = from
    while (n < until) {
      val link = links(n)
      // All ones if the link is too old to be followed, and if the vertex is not there.
      val isOld = (paneOf(link) - pane) >> 31
      val isGone = (seen(n) - pane) >> 31
      parents(n) = ((n & isOld) | (parentOf(link) & ~isOld)) & ~isGone
      n += 1
    }
  }

  /** The latest pane from which on links join `a` and `b`: the oldest link on the path between them. No link is older
    * than the first pane held.
    *
    * @param pane the pane in which the one of them was last seen that was seen earlier
    * @return a pane before the first pane held if no links join them
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

  /** Reads the links of `numbers` ahead of a loop over them. */
  def prefetch(numbers: Array[Int], count: Int): Unit = ahead.longs(links, numbers, count)

  /** Reads the links of the ends of `count` edges and of their parents, ahead of [[find]]. Where all links lie in the
    * caches of a core, that takes longer than it saves.
    *
    * @param ends  of an edge, `ends(0)` and `ends(1)`, and so on
    * @param panes of each edge
    */
  def prefetchPaths(ends: Array[Int], panes: Array[Int], count: Int): Unit =
    if (links.length > config.largestPrefetched) {
      val links = this.links
      var read = 0L
      var i = 0
      while (i < count) {
        read ^= links(step(links, ends(2 * i), panes(i))) ^ links(step(links, ends(2 * i + 1), panes(i)))
        i += 1
      }
      ahead.keep(read)
    }
}
