package io.github.sparkbic.index.recency

import java.util.Arrays

import io.github.sparkbic.index.recency.LinkStore.pack

/** Adds edges to the links of their vertices, so that the invariants of [[RecencyForest]] hold afterwards.
  *
  * It goes in rounds, since a link between two vertices takes the place of an older one, and that is an edge to be
  * added again; nearly all meet in the second round. Until then the invariants hold of links and waiting edges taken
  * together. In each round all edges climb first, and then those are linked whose ends did not meet: climbing that
  * hardly stores anything, and does not branch on whether they met, is work on many edges at once to the core, where
  * one edge after the other would wait for each other's stores and for wrong guesses.
  */
private[recency] final class EdgeJoin(links: LinkStore) {

  // The panes of the edges that are being added.
  private var panes = Array.empty[Int]

  /** Adds the edges of `pane` between `numbers(0)` and `numbers(1)`, `numbers(2)` and `numbers(3)` and so on, up to
    * `ends`; the numbers are overwritten.
    *
    * @param floor the first pane that a window may start at
    */
  def joinAll(numbers: Array[Int], ends: Int, pane: Int, floor: Int): Unit = {
    val count = ends >> 1
    reserve(count)
    Arrays.fill(panes, 0, count, pane)
    joinEach(numbers, panes, count, floor)
  }

  /** Adds `count` edges, each of its own pane; both arrays are overwritten. */
  def joinEach(numbers: Array[Int], panes: Array[Int], count: Int, floor: Int): Unit = {
    var waiting = count
    while (waiting > 0) waiting = linkAll(numbers, panes, climbAll(numbers, panes, waiting), floor)
  }

  /** Climbs from the ends of `count` edges, and moves those whose ends did not meet to the front; returns how many. */
  private def climbAll(numbers: Array[Int], panes: Array[Int], count: Int): Int = {
    val links = this.links
    var apart = 0
    var i = 0
    while (i < count) {
      val p = panes(i)
      val a = links.climb(numbers(2 * i), p)
      val b = links.climb(numbers(2 * i + 1), p)
      numbers(2 * apart) = a
      numbers(2 * apart + 1) = b
      panes(apart) = p
      // One if they differ.
      apart += ((a ^ b) | -(a ^ b)) >>> 31
      i += 1
    }
    apart
  }

  /** Links the ends of `count` edges, most of them roots, and moves what that displaced to the front; returns how many.
    */
  private def linkAll(numbers: Array[Int], panes: Array[Int], count: Int, floor: Int): Int = {
    val links = this.links
    var displacing = 0
    var i = 0
    while (i < count) {
      val p = panes(i)
      val a = links.climbOn(numbers(2 * i), p)
      val b = links.climbOn(numbers(2 * i + 1), p)
      if (a != b) {
        // The lower-ranked one takes the link.
        val swap = (a ^ b) & links.maskOfLower(b, a)
        val low = a ^ swap
        val high = b ^ swap
        val displaced = links(low)
        links(low) = pack(p, high)
        // What hung on the displaced link still hangs together, now one level up.
        val q = (displaced >> 32).toInt
        numbers(2 * displacing) = displaced.toInt
        numbers(2 * displacing + 1) = high
        panes(displacing) = q
        // One unless it has expired.
        displacing += ~(q - floor) >>> 31
      }
      i += 1
    }
    displacing
  }

  private def reserve(count: Int): Unit = if (panes.length < count) panes = new Array[Int](count)
}
