package io.github.sparkbic.index.forests

import java.util.Arrays

import io.github.sparkbic.index.contract.ConnectedVertices
import io.github.sparkbic.index.kernels.{Prefetch, RadixSort, UnionBySize}

/** Since when is each vertex connected with a marked vertex?
  *
  * The naive version takes the components of each suffix of the panes held: of the newest pane alone, of the newest two, and
  * so on. A vertex gets its row in the first suffix in which its component has a marked vertex. That costs O(vertices) for
  * each pane of a window.
  *
  * Here Kruskal's algorithm goes over the links once, from the newest pane to the oldest, so a union–find holds the components
  * of one suffix after the other. A marked vertex marks its component in the pane in which it was last seen, since all of its
  * links are of this pane or older. The root of a component knows the first mark of the component, and the members that have
  * no row. At the end of a pane all members of a marked component get their rows, with the pane and the mark. A later pane
  * can give the component another mark, but no member another row. So each vertex gets its row once, and windows of all
  * lengths share one pass.
  *
  * The members without a row are a circular list. Two lists become one when two of their members exchange their successors.
  *
  * Cost: a radix sort of the links by pane, and two finds a link; O(vertices · α). No id is looked up. Memory meanwhile: some
  * 60 bytes a vertex number.
  */
private[index] final class MarkedSuffixes private (forest: SavedForest) {
  import MarkedSuffixes._

  private val length = forest.top + 1
  private val last = forest.lastClosed.toInt
  private val roots = new Array[Int](length)
  // Of a root: in the high half the place of the first mark, in the low half a member without a row or zero.
  private val groups = new Array[Long](length)
  // The next member without a row.
  private val next = new Array[Int](length)
  // Vertices of marked components that have members without a row; the vertex need not be the root any more.
  private var due = new Array[Int](64)
  private var dueCount = 0

  private val numbers, ages, marks = new Array[Int](length)
  private var rows = 0

  locally {
    var n = 1
    while (n < length) {
      groups(n) = Unmarked | n
      next(n) = n
      n += 1
    }
  }

  /** @param places the number of each marked vertex, or zero */
  private def run(places: Array[Int]): ConnectedVertices = {
    val marked = present(places)
    val (linked, linkAges) = sorted(forest.linked, n => last - Link.paneOf(forest.links(n)))
    val (seen, seenAges) = sorted(marked, mark => last - forest.seen(places(mark)))
    var l = 0
    var m = 0
    while (m < seen.length || l < linked.length) {
      val age = math.min(
        if (m < seen.length) seenAges(m) else Long.MaxValue,
        if (l < linked.length) linkAges(l) else Long.MaxValue
      )
      while (m < seen.length && seenAges(m) == age) {
        mark(places(seen(m)), seen(m))
        m += 1
      }
      val from = l
      while (l < linked.length && linkAges(l) == age) l += 1
      uniteAll(linked, from, l)
      giveRows(age.toInt)
    }
    val ids = forest.ids
    new ConnectedVertices(rows, forest.lastClosed, numbers, ages, marks, ids(_))
  }

  private def present(places: Array[Int]): Array[Int] = {
    val found = new Array[Int](places.length)
    var count = 0
    var mark = 0
    while (mark < places.length) {
      found(count) = mark
      if (places(mark) > 0 && forest.isVertex(places(mark))) count += 1
      mark += 1
    }
    Arrays.copyOf(found, count)
  }

  private def mark(number: Int, mark: Int): Unit = {
    val root = UnionBySize.root(roots, number)
    val group = groups(root)
    groups(root) = math.min(group, mark.toLong << 32 | memberOf(group))
    if (memberOf(group) > 0) addDue(root)
  }

  private def uniteAll(linked: Array[Int], from: Int, until: Int): Unit = {
    var i = from
    while (i < until) {
      val slice = math.min(until, i + Slice)
      read(linked, i, slice)
      while (i < slice) {
        unite(linked(i), Link.parentOf(forest.links(linked(i))))
        i += 1
      }
    }
  }

  private def unite(u: Int, v: Int): Unit = {
    val a = UnionBySize.root(roots, u)
    val b = UnionBySize.root(roots, v)
    if (a != b) {
      val (groupA, groupB) = (groups(a), groups(b))
      val (memberA, memberB) = (memberOf(groupA), memberOf(groupB))
      if (memberA > 0 && memberB > 0) {
        val after = next(memberA)
        next(memberA) = next(memberB)
        next(memberB) = after
      }
      val root = UnionBySize.unite(roots, a, b)
      val member = if (memberA > 0) memberA else memberB
      val group = math.min(groupA, groupB) & MarkMask | member
      groups(root) = group
      if (member > 0 && group < Unmarked) addDue(root)
    }
  }

  private def addDue(vertex: Int): Unit = {
    if (dueCount == due.length) due = Arrays.copyOf(due, 2 * dueCount)
    due(dueCount) = vertex
    dueCount += 1
  }

  /** Gives all members of marked components their rows. */
  private def giveRows(age: Int): Unit = {
    var i = 0
    while (i < dueCount) {
      val root = UnionBySize.root(roots, due(i))
      val group = groups(root)
      val first = memberOf(group)
      // Another vertex that is due may have the same root.
      if (first > 0) {
        groups(root) = group & MarkMask
        var member = first
        do {
          numbers(rows) = member
          ages(rows) = age
          marks(rows) = (group >>> 32).toInt
          rows += 1
          member = next(member)
        } while (member != first)
      }
      i += 1
    }
    dueCount = 0
  }

  /** Reads the entries of both ends of some links, without a branch, so that many cache lines are waited for at once. */
  private def read(linked: Array[Int], from: Int, until: Int): Unit = {
    var seen = 0
    var i = from
    while (i < until) {
      seen ^= roots(linked(i)) ^ roots(Link.parentOf(forest.links(linked(i))))
      i += 1
    }
    prefetch.keep(seen.toLong)
  }

  private val prefetch = new Prefetch
}

private[index] object MarkedSuffixes {

  /** Links whose ends are read together. */
  private final val Slice = 256

  /** The high half of a group without a mark: after all places of marks. */
  private final val Unmarked = Int.MaxValue.toLong << 32

  private final val MarkMask = ~0xffffffffL

  private def memberOf(group: Long): Int = group.toInt

  /** These numbers by rising age, and the ages. */
  private def sorted(items: Array[Int], age: Int => Int): (Array[Int], Array[Long]) = {
    val ages = new Array[Long](items.length)
    var i = 0
    while (i < items.length) {
      ages(i) = age(items(i)).toLong
      i += 1
    }
    val byAge = RadixSort(ages)
    val inOrder = new Array[Int](items.length)
    i = 0
    while (i < items.length) {
      inOrder(i) = items(byAge.order(i))
      i += 1
    }
    (inOrder, byAge.sorted)
  }

  /** @param places the number of each marked vertex, or zero; of two marks with equal `since` the earlier place counts */
  def apply(forest: SavedForest, places: Array[Int]): ConnectedVertices =
    new MarkedSuffixes(forest).run(places)
}
