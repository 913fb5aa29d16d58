package io.github.sparkbic.index.forests

import java.util.{Arrays, BitSet}

import io.github.sparkbic.index.contract.{ConnectedVertices, WindowComponents}
import io.github.sparkbic.index.kernels.Prefetch

/** Since when is each vertex connected with a marked vertex, and with which?
  *
  * The naive version takes the components of each suffix of the panes held: of the newest pane alone, of the newest two, and
  * so on. A vertex gets its row in the first suffix in which its component has a marked vertex. That costs O(vertices) for
  * each pane of a window.
  *
  * Here the trees of the forest tell it, by two passes. Panes are told by their age, in panes before the newest. The links of
  * a suffix cut each tree into components, and each component has a top, to which the links of its vertices lead.
  *
  *   - Each marked vertex climbs its tree and leaves an entry at each vertex on the way: its place in the list, and the age
  *     from which on links join it with this vertex, which is the greatest age on the way. It stops where a vertex has an
  *     entry of an earlier place that is no older, since such an entry is better further above as well. So the entries of a
  *     vertex have falling ages, and each is of a later place than the entries before.
  *   - From the root down, each vertex gets the age of its row and the top of its component by then. A vertex with an entry
  *     newer than its link is the top itself. Any other vertex is in the component of its parent by then: the age and the top
  *     are those of its parent; or, where its own link is older, the top is further above. The first place among the entries
  *     of the top that are old enough is that of the mark.
  *
  * Cost: O(vertices + marked vertices) times the length of a path, which is logarithmic in expectation, and mostly one or two
  * steps. Nothing is sorted, and no id is looked up. Where a sample says that few vertices have rows, the components tell
  * which these are, for half the time of the second pass. Memory meanwhile: 12 bytes a vertex number, 12 an entry, and then 4
  * more a number.
  */
private[index] final class MarkedSuffixes private (forest: SavedForest) {
  import MarkedSuffixes._

  private val length = forest.top + 1
  private val links = forest.links
  private val last = forest.lastClosed.toInt
  // By number: the newest entry, or zero.
  private val heads = new Array[Int](length)
  private var ages, places, olders = new Array[Int](64)
  private var entries = 1
  // By number: the age and the top, or None; Unknown as long as the row is not known.
  private val rows = new Array[Long](length)
  private var path = new Array[Int](64)
  private val prefetch = new Prefetch

  /** @param numbers    the number of each marked vertex, or zero
    * @param components the components of all panes held
    */
  private def run(numbers: Array[Int], components: => WindowComponents): ConnectedVertices = {
    var place = 0
    while (place < numbers.length) {
      if (numbers(place) > 0 && forest.isVertex(numbers(place))) climb(numbers(place), place)
      place += 1
    }
    if (isMarkedMostly) rowsOf(components = null, hasMark = null)
    else {
      val parts = components
      // Bits, which mostly fit the caches.
      val hasMark = new BitSet(parts.components)
      numbers.foreach { number =>
        // A number without a vertex has no component.
        val component = parts.componentOf(number)
        if (component >= 0) hasMark.set(component)
      }
      rowsOf(parts, hasMark)
    }
  }

  /** Whether most of a sample of vertices are in a tree with a marked vertex, whose root has an entry. */
  private def isMarkedMostly: Boolean = {
    val step = math.max(1, length / Sample)
    var found, seen = 0
    var n = 1
    while (n < length) {
      if (forest.isVertex(n)) {
        seen += 1
        if (heads(topFrom(n, Int.MaxValue)) > 0) found += 1
      }
      n += step
    }
    2 * found > seen
  }

  /** The rows of the components that have a mark, or of all if `components` is null. */
  private def rowsOf(components: WindowComponents, hasMark: BitSet): ConnectedVertices = {
    var numbers, agesOut, marks = new Array[Int](if (components == null) length else 64)
    var count = 0
    var n = 1
    while (n < length) {
      if (components == null && n % Slice == 1) readAbove(n, math.min(length, n + Slice))
      val isWanted = components == null || {
        val component = components.componentOf(n)
        component >= 0 && hasMark.get(component)
      }
      if (isWanted) {
        if (rows(n) == Unknown) resolve(n)
        if (count == numbers.length) {
          numbers = Arrays.copyOf(numbers, 2 * count)
          agesOut = Arrays.copyOf(agesOut, 2 * count)
          marks = Arrays.copyOf(marks, 2 * count)
        }
        numbers(count) = n
        agesOut(count) = ageOf(rows(n))
        if (rows(n) != None) {
          marks(count) = placeAt(rows(n).toInt, ageOf(rows(n)))
          count += 1
        }
      }
      n += 1
    }
    new ConnectedVertices(count, forest.lastClosed, numbers, agesOut, marks, forest.ids)
  }

  /** Reads the rows of the two vertices above each of some numbers, without a branch, so that many cache lines are waited for
    * at once.
    */
  private def readAbove(from: Int, until: Int): Unit = {
    var read = 0L
    var n = from
    while (n < until) {
      // The parent of an expired link is a number, too.
      val parent = Link.parentOf(links(n))
      val above = Link.parentOf(links(parent))
      read ^= rows(parent) ^ rows(above)
      n += 1
    }
    prefetch.keep(read)
  }

  /** Whether a vertex has a link that has not expired; if so, it was seen when the link was. */
  private def isLinked(number: Int): Boolean =
    Link.paneOf(links(number)) - forest.first >= 0 && Link.parentOf(links(number)) > 0

  private def linkAge(number: Int): Int = last - Link.paneOf(links(number))

  /** Leaves the entries of a marked vertex. */
  private def climb(number: Int, place: Int): Unit = {
    var v = number
    var age = last - forest.seen(number)
    while (v > 0 && (heads(v) == 0 || age < ages(heads(v)))) {
      enter(v, age, place)
      if (isLinked(v)) {
        age = math.max(age, linkAge(v))
        v = Link.parentOf(links(v))
      } else v = 0
    }
  }

  private def enter(number: Int, age: Int, place: Int): Unit = {
    if (entries == ages.length) {
      ages = Arrays.copyOf(ages, 2 * entries)
      places = Arrays.copyOf(places, 2 * entries)
      olders = Arrays.copyOf(olders, 2 * entries)
    }
    ages(entries) = age
    places(entries) = place
    olders(entries) = heads(number)
    heads(number) = entries
    entries += 1
  }

  /** Finds the rows of a vertex and of all vertices above it. */
  private def resolve(number: Int): Unit = {
    var depth = 0
    var v = number
    while (rows(v) == Unknown && isLinked(v)) {
      if (depth == path.length) path = Arrays.copyOf(path, 2 * depth)
      path(depth) = v
      depth += 1
      v = Link.parentOf(links(v))
    }
    if (rows(v) == Unknown) rows(v) = own(v)
    while (depth > 0) {
      depth -= 1
      rows(path(depth)) = below(v, path(depth))
      v = path(depth)
    }
  }

  /** The row of a vertex that is the top of its component. */
  private def own(number: Int): Long = {
    val entry = heads(number)
    if (entry == 0) None else pack(ages(entry), number)
  }

  /** The row of a vertex with a link to a vertex whose row is known. */
  private def below(parent: Int, number: Int): Long = {
    val age = linkAge(number)
    val entry = heads(number)
    if (entry > 0 && ages(entry) < age) pack(ages(entry), number)
    else if (ageOf(rows(parent)) >= age) rows(parent)
    else pack(age, topFrom(rows(parent).toInt, age))
  }

  /** The top of the component of a vertex over links of this age or newer. */
  private def topFrom(number: Int, age: Int): Int = {
    var top = number
    while (isLinked(top) && linkAge(top) <= age) top = Link.parentOf(links(top))
    top
  }

  /** The first place among the entries of a vertex that are of this age or newer; there is one. */
  private def placeAt(number: Int, age: Int): Int = {
    var entry = heads(number)
    while (olders(entry) > 0 && ages(olders(entry)) <= age) entry = olders(entry)
    places(entry)
  }
}

private[index] object MarkedSuffixes {
  // No top is zero.
  private final val Unknown = 0L

  /** Numbers whose vertices above are read together. */
  private final val Slice = 256

  /** Vertices that tell whether most have rows. */
  private final val Sample = 256

  /** No row: older than all panes. */
  private final val None = Int.MaxValue.toLong << 32

  private def pack(age: Int, top: Int): Long = age.toLong << 32 | top

  private def ageOf(row: Long): Int = (row >>> 32).toInt

  /** @param numbers    the number of each marked vertex, or zero
    * @param components the components of all panes held
    */
  def apply(forest: SavedForest, numbers: Array[Int], components: => WindowComponents): ConnectedVertices =
    new MarkedSuffixes(forest).run(numbers, components)
}
