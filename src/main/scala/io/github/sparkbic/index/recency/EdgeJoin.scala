package io.github.sparkbic.index.recency

import java.util.Arrays

import io.github.sparkbic.index.forests.Link.{paneOf, parentOf}
import io.github.sparkbic.index.forests.SavedForest

/** Adds edges to a [[RecencyLinks]], so that its invariants hold afterwards.
  *
  * {{{
  * join(u, v, pane):
  *   a = root of u, b = root of v, over links of pane or later; done if they are the same
  *   let a have the lower rank: its link (q, c) makes way for (pane, b)
  *   join(c, b, q), unless pane q has expired: a and c stay joined from q on, now over b
  * }}}
  *
  * All edges of a batch go through rounds together; nearly all are done after two rounds. Between rounds the
  * invariants hold of links and waiting edges taken together. A round first finds all roots, then links the edges
  * whose roots differ. Finding hardly stores anything and does not branch on whether roots differ, so the core works
  * on many edges at once. The naive version adds one edge after the other, and waits for stores and wrong guesses.
  * Memory: 4 bytes an edge of a batch, and up to 1 KiB of displaced links.
  */
private[recency] final class EdgeJoin(links: RecencyLinks) {
  import EdgeJoin._

  // The panes of the edges that are being added.
  private var panes = Array.emptyIntArray

  // Displaced links, each with its new parent: the last link of each pane, modulo the number of places.
  private var recent = new Array[Long](2)

  /** Adds the edges `numbers(0) – numbers(1)`, `numbers(2) – numbers(3)` … of `pane`; `numbers` is overwritten. */
  def joinAll(numbers: Array[Int], ends: Int, pane: Int): Unit = {
    val count = ends >> 1
    reserve(count)
    Arrays.fill(panes, 0, count, pane)
    joinEach(numbers, panes, count)
  }

  /** [[joinAll]] for the links of a pane forest: the links of a tree are consecutive and share their first end.
    *
    * The first round is saved. The link before gives the root of the shared end; most other ends had no edge in this
    * pane and are roots.
    *
    * Most of the second round is saved too. Vertices of a tree that were last seen in one pane mostly share a parent.
    * Their displaced links are then the same edge, from the old parent to the new parent, which is added once. An edge
    * of an earlier batch still holds. No link is newer than the panes in which its ends were last seen, so both ends
    * keep their numbers until the link expires.
    */
  def joinTrees(numbers: Array[Int], ends: Int, pane: Int): Unit = {
    val count = ends >> 1
    reserve(count)
    if (count > Few && recent.length < 2 * Recent) recent = new Array[Long](2 * Recent)
    links.prefetch(numbers, ends)
    joinEach(numbers, panes, linkTrees(numbers, count, pane))
  }

  /** Links the vertices of each tree to its root, and moves displaced links to the front; returns their count. */
  private def linkTrees(numbers: Array[Int], count: Int, pane: Int): Int = {
    val links = this.links
    val first = links.firstPane
    val panes = this.panes
    val recent = this.recent
    val places = recent.length / 2 - 1
    var displacing = 0
    var shared = -1
    var top = -1
    var topRank = 0
    var i = 0
    while (i < count) {
      if (numbers(2 * i) != shared) {
        shared = numbers(2 * i)
        top = links.findHalving(shared, pane)
        topRank = links.rank(top)
      }
      val root = links.findHalving(numbers(2 * i + 1), pane)
      if (root != top) {
        // In a large tree hardly any rank is above all ranks before.
        val rank = links.rank(root)
        var low = root
        if (rank > topRank) {
          low = top
          top = root
          topRank = rank
        }
        val displaced = links.replace(low, pane, top)
        val q = paneOf(displaced)
        keep(numbers, panes, displacing, parentOf(displaced), top, q)
        val place = 2 * (q & places)
        val differs = (recent(place) ^ displaced) | (recent(place + 1) ^ top)
        recent(place) = displaced
        recent(place + 1) = top
        // One unless the link has expired, or is the same as the link before it in its place.
        displacing += (~(q - first) >>> 31) & ((differs | -differs) >>> 63).toInt
      }
      i += 1
    }
    displacing
  }

  /** Adds `count` edges, each of its own pane; both arrays are overwritten. */
  private def joinEach(numbers: Array[Int], panes: Array[Int], count: Int): Unit = {
    var waiting = count
    while (waiting > 0) waiting = linkAll(numbers, panes, findAll(numbers, panes, waiting))
  }

  /** Adds all links of a saved form. */
  def joinLinks(forest: SavedForest): Unit = {
    val ends = new Array[Int](2 * math.min(forest.top, Batch))
    val panes = new Array[Int](ends.length / 2)
    var n = 1
    while (n <= forest.top) {
      val until = math.min(forest.top, n + Batch - 1)
      var count = 0
      while (n <= until) {
        if (forest.isLinked(n)) {
          keep(ends, panes, count, n, parentOf(forest.links(n)), paneOf(forest.links(n)))
          count += 1
        }
        n += 1
      }
      joinEach(ends, panes, count)
    }
  }

  /** Finds the roots of `count` edges, and moves the edges whose roots differ to the front; returns their count. */
  private def findAll(numbers: Array[Int], panes: Array[Int], count: Int): Int = {
    val links = this.links
    links.prefetchPaths(numbers, panes, count)
    var apart = 0
    var i = 0
    while (i < count) {
      val p = panes(i)
      val a = links.find(numbers(2 * i), p)
      val b = links.find(numbers(2 * i + 1), p)
      numbers(2 * apart) = a
      numbers(2 * apart + 1) = b
      panes(apart) = p
      // One if they differ.
      apart += ((a ^ b) | -(a ^ b)) >>> 31
      i += 1
    }
    apart
  }

  /** Links `count` edges, mostly between roots, and moves displaced links to the front; returns their count. */
  private def linkAll(numbers: Array[Int], panes: Array[Int], count: Int): Int = {
    val links = this.links
    val first = links.firstPane
    var displacing = 0
    var i = 0
    while (i < count) {
      val p = panes(i)
      val a = links.findHalving(numbers(2 * i), p)
      val b = links.findHalving(numbers(2 * i + 1), p)
      if (a != b) {
        // The lower-ranked root takes the link.
        val swap = (a ^ b) & links.maskOfLower(b, a)
        val low = a ^ swap
        val high = b ^ swap
        val displaced = links.replace(low, p, high)
        val q = paneOf(displaced)
        keep(numbers, panes, displacing, parentOf(displaced), high, q)
        // One unless the link has expired.
        displacing += ~(q - first) >>> 31
      }
      i += 1
    }
    displacing
  }

  /** Notes an edge for the next round. */
  private def keep(numbers: Array[Int], panes: Array[Int], at: Int, a: Int, b: Int, pane: Int): Unit = {
    numbers(2 * at) = a
    numbers(2 * at + 1) = b
    panes(at) = pane
  }

  private def reserve(count: Int): Unit = if (panes.length < count) panes = new Array[Int](count)
}

private object EdgeJoin {

  /** Links of a saved form that are added together. */
  private final val Batch = 128

  /** Up to so many links at once, all panes share one place, so that graphs of a few edges stay small. */
  private final val Few = 32

  /** Places for panes where more come. */
  private final val Recent = 64
}
