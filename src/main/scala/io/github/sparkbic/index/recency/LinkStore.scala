package io.github.sparkbic.index.recency

import io.github.sparkbic.index.Fetching
import io.github.sparkbic.index.vertices.NumberPool

/** The links of the vertices, one `Long` each: the pane in its high half, the number of the parent in its low half.
  *
  * Panes are the low 32 bits of the pane number, compared by their difference; see [[RecencyForest]] for why that is
  * right. Vertices are numbered, and the numbers of those that are gone are given out again.
  *
  * A rank is a seeded permutation of the number, so that nothing has to be kept for it: no two vertices tie, and it is
  * random to whoever chose the edges. A vertex can therefore not change its number; see [[RecencyIndex]] for how memory
  * is given back.
  *
  * Links live in one array, so that a step is one load: over an array of segments, whose lengths take a line of the cache
  * each, climbing took half as much time again. The array grows by an eighth. Lest anybody waits for the copying, the
  * larger one is made when there is room for a 32nd of all numbers yet, and every number given out from then on pays
  * for copying some links, which are written to both arrays until the larger one takes over. What cannot be spread is
  * making it, since the JVM fills it with zeros: about 2 ms for 5 million vertices.
  *
  * @param expected vertices that will be added
  */
private[recency] final class LinkStore(seed: Long, expected: Int = 0) {
  import LinkStore._

  private val salt = (seed ^ (seed >>> 32)).toInt
  private val numbers = new NumberPool
  private var links = new Array[Long](math.max(Smallest, expected + (expected >> 3)))
  // The array to come, and how many links it has already; none most of the time.
  private var larger = Array.empty[Long]
  private var copied = 0
  // Numbers from here on pay for copying: all of them once it has begun, so that there are two arrays for a short time.
  private var growAt = growFrom(links.length)

  /** Whether [[climbOn]] halves the ways that it goes; see [[ForestCopy]] for when it must not. */
  var halves: Boolean = true

  /** Numbers given out so far are `0 until top`. */
  def top: Int = numbers.top

  def apply(n: Int): Long = links(n)

  def update(n: Int, link: Long): Unit = {
    links(n) = link
    if (n < copied) larger(n) = link
  }

  /** Looks at the links of `at(0)` to `at(count - 1)`, as [[Fetching]] does. */
  def look(at: Array[Int], count: Int): Long = Fetching.look(links, at, count)

  /** Looks at the links of the ends of `count` edges, and at those of where they lead to, which [[climb]] waits for. Nothing
    * is looked at where all links fit in the caches of a core and those around it: there it takes longer than it saves.
    *
    * @param ends  of an edge, `ends(0)` and `ends(1)`, and so on
    * @param panes of each edge, as in [[climb]]
    */
  def lookAhead(ends: Array[Int], panes: Array[Int], count: Int): Long = {
    var seen = 0L
    if (top > Large) {
      val links = this.links
      var i = 0
      while (i < count) {
        seen ^= links(step(links, ends(2 * i), panes(i))) ^ links(step(links, ends(2 * i + 1), panes(i)))
        i += 1
      }
    }
    seen
  }

  /** All ones if the rank of `a` is lower than that of `b`, else zero: which it is cannot be predicted, so nothing
    * should branch on it.
    */
  def maskOfLower(a: Int, b: Int): Int = ((rank(a).toLong - rank(b)) >> 63).toInt

  def rank(n: Int): Int = {
    var h = (n ^ salt) * 0x9e3779b1
    h = (h ^ (h >>> 16)) * 0x85ebca6b
    h ^ (h >>> 15)
  }

  /** The end of the path from `from` over links of panes not before `pane`.
    *
    * Most paths are at most one link long, and whether none or one cannot be predicted: the first step does not branch.
    */
  def climb(from: Int, pane: Int): Int = {
    val links = this.links
    val v = step(links, from, pane)
    if ((links(v) >> 32).toInt - pane < 0) v else climbOn(from, pane)
  }

  /** Where the link of `from` leads to, or `from` if its pane is before `pane`. */
  private def step(links: Array[Long], from: Int, pane: Int): Int = {
    val link = links(from)
    // All ones if the link is too old to be followed.
    val stays = ((link >> 32).toInt - pane) >> 31
    (from & stays) | (link.toInt & ~stays)
  }

  /** [[climb]] for a vertex that most likely is an end itself. Of two links of one pane in a row, which hold in the same
    * windows, it halves the way, unless [[halves]] is off.
    */
  def climbOn(from: Int, pane: Int): Int = {
    val links = this.links
    val halves = this.halves
    var v = from
    var link = links(v)
    while ((link >> 32).toInt - pane >= 0) {
      val parent = link.toInt
      val above = links(parent)
      if (((above ^ link) >>> 32) == 0 && halves) {
        this(v) = above
        v = above.toInt
        link = links(v)
      } else {
        v = parent
        link = above
      }
    }
    v
  }

  /** The number of a vertex without a link.
    *
    * @param floor the first pane that a window may start at
    */
  def allocate(floor: Int): Int = {
    val n = numbers.allocate()
    if (n >= growAt) grow()
    this(n) = unlinked(n, floor)
    n
  }

  /** Takes back a number that nothing leads to. */
  def release(n: Int): Unit = numbers.release(n)

  /** Forgets the links of panes before `floor`. */
  def expire(floor: Int): Unit = {
    var n = 0
    while (n < top) {
      if ((this(n) >> 32).toInt - floor < 0) this(n) = unlinked(n, floor)
      n += 1
    }
  }

  private def grow(): Unit = {
    if (copied == 0) {
      larger =
        new Array[Long](links.length + (if (links.length < Doubling) links.length else links.length >> 3))
      growAt = 0
    }
    val until = copied + math.min(CopiedAtOnce, links.length - copied)
    System.arraycopy(links, copied, larger, copied, until - copied)
    copied = until
    if (copied == links.length) {
      links = larger
      larger = Array.empty
      copied = 0
      growAt = growFrom(links.length)
    }
  }
}

private[recency] object LinkStore {
  private final val Smallest = 8

  /** Below, the array doubles. */
  private final val Doubling = 1 << 14

  /** Links that take 16 MiB. Where eight million ids have a range, an edge takes a quarter less for what is looked at. */
  private final val Large = 1 << 21

  /** Links that a number pays to be copied: twice as many as it takes for all to be copied in time. */
  private final val CopiedAtOnce = 64

  /** Where copying begins in an array of some length. */
  private def growFrom(length: Int): Int = length - (length >> 5)

  def pack(pane: Int, parent: Int): Long = (pane.toLong << 32) | (parent & 0xffffffffL)

  /** What a vertex without a link has: one to itself that no window follows. */
  def unlinked(n: Int, floor: Int): Long = pack(floor - 1, n)
}
