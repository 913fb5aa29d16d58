package io.github.sparkbic.index.forests

import java.util.Arrays

import io.github.sparkbic.index.contract.{ConnectedVertices, WindowComponents}

/** Since when is each vertex connected with a marked vertex, and with which?
  *
  * The naive version takes the components of each suffix of the panes held: of the newest pane alone, of the newest two, and
  * so on. A vertex gets its row in the first suffix in which its component has a marked vertex. That costs O(vertices) for
  * each pane of a window.
  *
  * Here the trees of the forest tell it, by two passes. Panes are told by their age, in panes before the newest. The links of
  * a suffix cut each tree into components, and each component has a top, to which the links of its vertices lead.
  *
  *   - Each marked vertex leaves an entry at each vertex on its path to the root: its place in the list, and the greatest age
  *     on the path up to there, from which on links join both. The path ends where a vertex has an entry of an earlier place
  *     that is no older, since such an entry is better further above as well. So the entries of a vertex have falling ages and
  *     rising places.
  *   - From the root down, each vertex gets the age of its row and the top of its component by then. A vertex with an entry
  *     newer than its link is the top itself. Any other vertex has the age and the top of its parent; or, where its own link
  *     is older, that age and a top further above. The first place among the entries of the top that are old enough is that
  *     of the mark.
  *
  * Cost: O(vertices + marked vertices) times the length of a path, mostly one or two links. Nothing is sorted, and no id is
  * looked up. The second pass visits only components that have a marked vertex: mostly few, or else they have most vertices.
  * Memory meanwhile: 12 bytes a vertex number, and 12 an entry.
  */
private[index] final class MarkedSuffixes(forest: SavedForest) {
  import MarkedSuffixes._

  private val length = forest.top + 1
  private val links = forest.links
  private val last = forest.lastClosed.toInt
  // By number: the newest entry, or zero.
  private val heads = new Array[Int](length)
  private var ages, places, olders = new Array[Int](64)
  private var entries = 1
  // By number: the age and the top, or Unknown as long as the row is not known.
  private val rows = new Array[Long](length)
  private var path = new Array[Int](64)

  /** @param numbers    the number of each marked vertex, or zero
    * @param components the components of all panes held that have a marked vertex
    */
  def connectedTo(numbers: Array[Int], components: WindowComponents): ConnectedVertices = {
    var place = 0
    while (place < numbers.length) {
      if (numbers(place) > 0 && forest.isVertex(numbers(place))) climb(numbers(place), place)
      place += 1
    }
    val count = components.vertices.toInt
    val found, agesOf, marks = new Array[Int](count)
    var i = 0
    var n = 1
    while (i < count) {
      if (components.componentOf(n) >= 0) {
        if (rows(n) == Unknown) resolve(n)
        found(i) = n
        agesOf(i) = ageOf(rows(n))
        marks(i) = placeAt(rows(n).toInt, agesOf(i))
        i += 1
      }
      n += 1
    }
    new ConnectedVertices(count, forest.lastClosed, found, agesOf, marks, forest.ids)
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
    // The root has an entry, as its tree has a marked vertex.
    if (rows(v) == Unknown) rows(v) = pack(ages(heads(v)), v)
    while (depth > 0) {
      depth -= 1
      rows(path(depth)) = below(v, path(depth))
      v = path(depth)
    }
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

private object MarkedSuffixes {
  // No top is zero.
  private final val Unknown = 0L

  private def pack(age: Int, top: Int): Long = age.toLong << 32 | top

  private def ageOf(row: Long): Int = (row >>> 32).toInt
}
