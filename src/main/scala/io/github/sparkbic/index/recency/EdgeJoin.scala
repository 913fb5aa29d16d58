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
  import EdgeJoin._

  // The panes of the edges that are being added.
  private var panes = Array.empty[Int]

  // Displaced links, each with the vertex that it was to lead to from then on: the last one of each pane, modulo the
  // number of places.
  private var recent = new Array[Long](2)

  /** Told of displaced links before they are added again; null if nobody wants to know. */
  var listener: DisplacedLinks = null

  // What was looked at ahead; kept, or the compiler would drop the looking.
  private[recency] var looked = 0L

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

  /** [[joinAll]] for the links of a pane forest, of which those of a tree come one after the other and lead to one vertex.
    *
    * That saves the first round: where the root of the tree ends is known from the link before, and its other vertices
    * mostly are ends themselves, having had no edge in this pane.
    *
    * It saves most of the second one too. Vertices of a tree that were last seen in one pane mostly hang on one vertex
    * since then. All these links, once displaced, are the same edge, between that vertex and the end of this tree; it is
    * added once. If it was added long ago, it still holds: a link is no newer than what it joins was seen, so as long as
    * it has not expired both vertices have been there all the time.
    */
  def joinLinks(numbers: Array[Int], ends: Int, pane: Int, floor: Int): Unit = {
    val count = ends >> 1
    reserve(count)
    if (count > Few && recent.length < 2 * Recent) recent = new Array[Long](2 * Recent)
    looked = links.look(numbers, ends)
    val displacing = linkTrees(numbers, count, pane, floor)
    if (listener != null) listener.displaced(numbers, panes, displacing)
    joinEach(numbers, panes, displacing, floor)
  }

  /** Forgets displaced links, before other panes have the same 32 bits. */
  def forget(): Unit = Arrays.fill(recent, 0L)

  /** Links the vertices of each tree to its end, and moves what that displaced to the front; returns how many. */
  private def linkTrees(numbers: Array[Int], count: Int, pane: Int, floor: Int): Int = {
    val links = this.links
    val panes = this.panes
    val recent = this.recent
    val places = recent.length / 2 - 1
    var displacing = 0
    var root = -1
    var top = -1
    var topRank = 0
    var i = 0
    while (i < count) {
      if (numbers(2 * i) != root) {
        root = numbers(2 * i)
        top = links.climbOn(root, pane)
        topRank = links.rank(top)
      }
      val end = links.climbOn(numbers(2 * i + 1), pane)
      if (end != top) {
        // In a large tree hardly any rank is above all before.
        val rank = links.rank(end)
        var low = end
        if (rank > topRank) {
          low = top
          top = end
          topRank = rank
        }
        val displaced = links(low)
        links(low) = pack(pane, top)
        val q = (displaced >> 32).toInt
        numbers(2 * displacing) = displaced.toInt
        numbers(2 * displacing + 1) = top
        panes(displacing) = q
        val place = 2 * (q & places)
        val differs = (recent(place) ^ displaced) | (recent(place + 1) ^ top)
        recent(place) = displaced
        recent(place + 1) = top
        // One unless it has expired, or is the same as the one before it in its place.
        displacing += (~(q - floor) >>> 31) & ((differs | -differs) >>> 63).toInt
      }
      i += 1
    }
    displacing
  }

  /** Adds `count` edges, each of its own pane; both arrays are overwritten. */
  def joinEach(numbers: Array[Int], panes: Array[Int], count: Int, floor: Int): Unit = {
    var waiting = count
    while (waiting > 0) {
      waiting = linkAll(numbers, panes, climbAll(numbers, panes, waiting), floor)
      if (listener != null) listener.displaced(numbers, panes, waiting)
    }
  }

  /** Climbs from the ends of `count` edges, and moves those whose ends did not meet to the front; returns how many. */
  private def climbAll(numbers: Array[Int], panes: Array[Int], count: Int): Int = {
    val links = this.links
    looked = links.lookAhead(numbers, panes, count)
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

/** Whoever wants to know of links that make way for newer ones. */
private[recency] trait DisplacedLinks {

  /** What hung on them hangs together by these edges now, one between `ends(0)` and `ends(1)` and so on, each of the pane
    * that its link had; the arrays are not to be changed.
    */
  def displaced(ends: Array[Int], panes: Array[Int], count: Int): Unit
}

private object EdgeJoin {

  /** Links of which as many as come together have one place for all panes: graphs of a few edges stay small. */
  private final val Few = 32

  /** Places for panes where more come. */
  private final val Recent = 64
}
