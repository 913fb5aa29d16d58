package io.github.sparkbic.index.forests

import java.util.Arrays
import java.util.function.IntToLongFunction

import io.github.sparkbic.index.contract.{IndexSize, Panes}
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}
import io.github.sparkbic.index.format.BinaryFormat.{unzigzag, zigzag}
import io.github.sparkbic.index.format.BinaryReader.below
import io.github.sparkbic.index.format.StateLayout.StretchSize

/** The maximum spanning forest, by pane, of all edges that windows to come may hold: the form in which the layout `value` saves
  * every index.
  *
  * Vertices have the numbers from 1 to `top`. Vertex `ids(n)` was last seen in pane `seen(n)`; before `first`, the number
  * has no vertex. A [[Link]] of pane `first` or later joins vertex `n` with its parent. For every pane `p` held, edges of
  * panes `p` and later join two vertices iff links of panes `p` and later do. So the forest answers every window to
  * come, with at most (vertices − 1) links. No link is newer than the panes in which its ends were last seen.
  *
  * [[io.github.sparkbic.index.format.StateLayout StateLayout]] draws the bytes. The order of the numbers is that of an
  * index, so nothing is sorted or looked up to save a forest, and memory is read from front to back.
  *
  * @param lastClosed the pane closed last
  * @param first  the first pane held
  * @param ids    by number, as `seen` and `links`: the index's own, which hold until it takes the next edge
  */
private[index] final class SavedForest(
    val lastClosed: Long,
    val first: Int,
    val top: Int,
    val ids: IntToLongFunction,
    val seen: Array[Int],
    val links: Array[Long]
) {

  def isVertex(number: Int): Boolean = hasVertex(number) > 0

  def isLinked(number: Int): Boolean = hasLink(number) > 0

  /** One where the number has a vertex, else zero: a loop that saves must not branch, since nothing predicts it. */
  private def hasVertex(number: Int): Int = ~(seen(number) - first) >>> 31

  /** One where the vertex has a live link, else zero. */
  private def hasLink(number: Int): Int = {
    val link = links(number)
    (~(Link.paneOf(link) - first) & ~(seen(number) - first) & -Link.parentOf(link)) >>> 31
  }

  /** The newest pane with an edge, or `Long.MinValue`. */
  def newestEdge: Long = {
    val last = lastClosed.toInt
    val ages = Array.range(1, top + 1).filter(isVertex).map(last - seen(_))
    if (ages.isEmpty) Long.MinValue else lastClosed - ages.min
  }

  /** The same forest where each number has a vertex. */
  def compact: SavedForest = {
    val places = new Array[Int](top + 1)
    var count = 0
    var n = 1
    while (n <= top) {
      count += hasVertex(n)
      places(n) = count & -hasVertex(n)
      n += 1
    }
    moved(places, count)
  }

  /** The same forest where the number of a vertex is its id plus one; `check` refuses an id that no vertex has. */
  def byId(check: Long => Unit): SavedForest = {
    val places = new Array[Int](top + 1)
    (1 to top).foreach { n =>
      if (isVertex(n)) {
        check(ids.applyAsLong(n))
        places(n) = ids.applyAsLong(n).toInt + 1
      }
    }
    moved(places, places.max)
  }

  /** The same forest with the numbers `places`, up to `last`; a vertex that has 0 there is left out. */
  private def moved(places: Array[Int], last: Int): SavedForest = {
    val movedIds = new Array[Long](last + 1)
    val made = SavedForest.ofIds(lastClosed, first, movedIds)
    var n = 1
    while (n <= top) {
      val place = places(n)
      if (place > 0) {
        if (made.isVertex(place))
          throw new CorruptStateException(s"vertex ${ids.applyAsLong(n)} occurs twice")
        movedIds(place) = ids.applyAsLong(n)
        made.seen(place) = seen(n)
        if (isLinked(n)) made.links(place) = Link.pack(Link.paneOf(links(n)), places(Link.parentOf(links(n))))
      }
      n += 1
    }
    made
  }

  def save(out: BinaryWriter): IndexSize = {
    out.signed(lastClosed)
    out.unsigned(top.toLong)
    val stretch = new SavedForest.StretchWriter(this, out)
    var from = 1
    while (from <= top) {
      stretch.save(from, math.min(StretchSize, top + 1 - from))
      from += StretchSize
    }
    IndexSize(stretch.vertices, stretch.linked)
  }
}

private[index] object SavedForest {

  /** Writes a part of a forest to `out`, some numbers at a time. */
  private final class StretchWriter(forest: SavedForest, out: BinaryWriter) {
    private val ids, seen, links, parents = new Array[Long](math.min(forest.top, StretchSize))
    private val last = forest.lastClosed.toInt

    /** How many of the numbers so far have a vertex, and how many of these are linked to a parent. */
    var vertices, linked = 0

    /** Writes `count` numbers from `from` on. No loop branches on which of them have vertices, which nothing predicts. */
    def save(from: Int, count: Int): Unit = {
      val least = smallestId(from, count)
      var parent = 0
      var i = 0
      while (i < count) {
        val n = from + i
        val link = forest.links(n)
        val isVertex = forest.hasVertex(n)
        val isLinked = forest.hasLink(n)
        ids(i) = (forest.ids.applyAsLong(n) - least) & -isVertex.toLong
        seen(i) = (last - forest.seen(n) + 1) & -isVertex
        links(i) = (last - Link.paneOf(link) + 1) & -isLinked
        parents(parent) = zigzag((Link.parentOf(link) - n).toLong)
        vertices += isVertex
        parent += isLinked
        i += 1
      }
      linked += parent
      out.signed(least)
      out.column(ids, 0, count)
      // At least a byte a number, so that no damaged count is beyond the bytes.
      out.column(seen, 0, count, least = 1)
      out.column(links, 0, count)
      out.column(parents, 0, parent)
    }

    /** The smallest id of some numbers; without a vertex any number will do. */
    private def smallestId(from: Int, count: Int): Long = {
      var smallest = Long.MaxValue
      var n = from
      while (n < from + count) {
        if (forest.isVertex(n)) smallest = math.min(smallest, forest.ids.applyAsLong(n))
        n += 1
      }
      if (smallest == Long.MaxValue) 0L else smallest
    }
  }

  /** A forest for as many numbers as there are ids, which is still to be filled. */
  private def ofIds(lastClosed: Long, first: Int, ids: Array[Long]): SavedForest = {
    val (seen, links) = (new Array[Int](ids.length), new Array[Long](ids.length))
    Arrays.fill(seen, first - 1)
    new SavedForest(lastClosed, first, ids.length - 1, ids(_), seen, links)
  }

  /** The forest that [[SavedForest.save]] wrote; anything else is refused. Vertices may occur twice. */
  def restore(perWindow: Int, in: BinaryReader): SavedForest = {
    val lastClosed = in.signed()
    val top = in.count("the number of vertices")
    val ids = new Array[Long](top + 1)
    val forest = ofIds(lastClosed, Panes.firstOf(perWindow, lastClosed).toInt, ids)
    var from = 1
    while (from <= top) {
      readStretch(forest, ids, from, math.min(StretchSize, top + 1 - from), in)
      from += StretchSize
    }
    var n = 1
    while (n <= top) {
      val pane = Link.paneOf(forest.links(n))
      if (
        pane - forest.first >= 0 &&
        (forest.seen(n) - pane < 0 || forest.seen(Link.parentOf(forest.links(n))) - pane < 0)
      )
        throw new CorruptStateException(s"the link of vertex $n is newer than one of its ends")
      n += 1
    }
    forest
  }

  /** Reads `count` numbers from `from` on. */
  private def readStretch(
      forest: SavedForest,
      allIds: Array[Long],
      from: Int,
      count: Int,
      in: BinaryReader
  ): Unit = {
    val first = forest.first
    val open = forest.lastClosed.toInt + 1
    // An age counts from one; the pane before the first pane held stands for zero, which is none.
    def paneOf(age: Long, name: String): Int = {
      val known = below(open - first + 1L, age, name)
      if (known == 0) first - 1 else open - known
    }
    def parentOf(number: Int, difference: Long): Int = {
      val parent = number + difference
      if (parent < 1 || parent > forest.top || difference == 0)
        throw new CorruptStateException(s"a link from vertex $number of ${forest.top} to vertex $parent")
      parent.toInt
    }
    val ids, seen, links, parents = new Array[Long](count)
    val least = in.signed()
    in.column(ids, count)
    in.column(seen, count)
    in.column(links, count)
    in.column(parents, Arrays.stream(links).filter(_ > 0).count.toInt)
    val allSeen = forest.seen
    val allLinks = forest.links
    var at = 0
    var i = 0
    while (i < count) {
      allIds(from + i) = least + ids(i)
      allSeen(from + i) = paneOf(seen(i), "the age of a vertex")
      val pane = paneOf(links(i), "the age of a link")
      var parent = 0
      if (links(i) > 0) {
        parent = parentOf(from + i, unzigzag(parents(at)))
        at += 1
      }
      allLinks(from + i) = Link.pack(pane, parent)
      i += 1
    }
  }
}
