package io.github.sparkbic.index.forests

import java.util.function.IntToLongFunction

import io.github.sparkbic.index.contract.{IndexSize, Panes}
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}
import io.github.sparkbic.index.format.BinaryFormat.{unzigzag, zigzag}
import io.github.sparkbic.index.format.BinaryReader.below
import io.github.sparkbic.index.format.StateLayout.SegmentSize
import io.github.sparkbic.index.kernels.Threads

/** The maximum spanning forest, by pane, of all edges that windows to come may hold: the saved form of every index.
  *
  * Vertices have the numbers from 1 to `top`. Vertex `ids(n)` was last seen in pane `seen(n)`; before `first`, the number
  * has no vertex. A [[Link]] of pane `first` or later joins vertex `n` with its parent. For every pane `p` held, edges of
  * panes `p` and later join two vertices iff links of panes `p` and later do. So the forest answers every window to
  * come, with at most (vertices − 1) links. No link is newer than the panes in which its ends were last seen.
  *
  * Panes are the low 32 bits of pane numbers, of which the last `perWindow` up to `lastClosed` are held.
  * [[io.github.sparkbic.index.format.StateLayout StateLayout]] draws the bytes. The order of the numbers is that of an
  * index, so nothing is sorted or looked up to save a forest, and memory is read from front to back.
  *
  * @param lastClosed the pane closed last
  * @param first  the first pane held
  * @param ids    by number, as `seen` and `links`: all are the index's own, and hold until it takes the next edge
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

  /** The numbers of the vertices that have a link. */
  def linked: Array[Int] = Array.range(1, top + 1).filter(isLinked)

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
      if (isVertex(n)) {
        count += 1
        places(n) = count
      }
      n += 1
    }
    val compactIds = new Array[Long](count + 1)
    val made = SavedForest.ofIds(lastClosed, first, compactIds)
    n = 1
    while (n <= top) {
      val place = places(n)
      if (place > 0) {
        compactIds(place) = ids.applyAsLong(n)
        made.seen(place) = seen(n)
        if (isLinked(n)) {
          val link = links(n)
          made.links(place) = Link.pack(Link.paneOf(link), places(Link.parentOf(link)))
        }
      }
      n += 1
    }
    made
  }

  /** Appends the forest. Several threads write segments at once: to `out`, and to writers of their own. */
  def save(out: BinaryWriter, threads: Int): IndexSize = {
    out.signed(lastClosed)
    out.unsigned(top.toLong)
    val segments = (top - 1) / SegmentSize + 1
    val parts = Threads.map(0, segments, threads) { (first, end) =>
      val to = if (first == 0) out else new BinaryWriter(SavedForest.expected(end - first))
      val segment = new SavedForest.SegmentWriter(this, to)
      var from = first * SegmentSize + 1
      while (from <= math.min(top, end * SegmentSize)) {
        segment.save(from, math.min(SegmentSize, top + 1 - from))
        from += SegmentSize
      }
      segment
    }
    parts.tail.foreach(_.appendTo(out))
    IndexSize(parts.map(_.vertices).sum, parts.map(_.linked).sum)
  }
}

private[index] object SavedForest {

  /** The bytes that so many segments will mostly take. */
  private def expected(segments: Int): Int = math.min(segments.toLong * SegmentSize * 12, 1L << 30).toInt

  /** Writes a part of a forest to `out`, some numbers at a time. */
  private final class SegmentWriter(forest: SavedForest, out: BinaryWriter) {
    private val column = new Array[Long](math.min(forest.top, SegmentSize))
    private val last = forest.lastClosed.toInt

    /** How many of the numbers so far have a vertex, and how many of these are linked to a parent. */
    var vertices = 0
    var linked = 0

    def appendTo(other: BinaryWriter): Unit = other.raw(out)

    /** Writes `count` numbers from `from` on. Which of them have vertices and links cannot be predicted, so no loop
      * branches on it.
      */
    def save(from: Int, count: Int): Unit = {
      saveIds(from, count)
      val seen = forest.seen
      val links = forest.links
      var i = 0
      while (i < count) {
        val there = forest.hasVertex(from + i)
        column(i) = (last - seen(from + i) + 1).toLong & -there
        vertices += there
        i += 1
      }
      // At least a byte a number, so that no damaged count is beyond the bytes.
      out.column(column, 0, count, least = 1)
      i = 0
      while (i < count) {
        val there = forest.hasLink(from + i)
        column(i) = (last - Link.paneOf(links(from + i)) + 1).toLong & -there
        linked += there
        i += 1
      }
      out.column(column, 0, count)
      var parents = 0
      i = 0
      while (i < count) {
        val difference = Link.parentOf(links(from + i)) - (from + i)
        column(parents) = zigzag(difference.toLong)
        parents += forest.hasLink(from + i)
        i += 1
      }
      out.column(column, 0, parents)
    }

    /** Writes the differences to the smallest id. */
    private def saveIds(from: Int, count: Int): Unit = {
      val ids = forest.ids
      var smallest = Long.MaxValue
      var i = 0
      while (i < count) {
        if (forest.isVertex(from + i)) smallest = math.min(smallest, ids.applyAsLong(from + i))
        i += 1
      }
      // Without a vertex any number will do.
      val least = if (smallest == Long.MaxValue) 0L else smallest
      out.signed(least)
      i = 0
      while (i < count) {
        column(i) = (ids.applyAsLong(from + i) - least) & -forest.hasVertex(from + i).toLong
        i += 1
      }
      out.column(column, 0, count)
    }
  }

  /** A forest for as many numbers as there are ids, which is still to be filled. */
  private def ofIds(lastClosed: Long, first: Int, ids: Array[Long]): SavedForest =
    new SavedForest(lastClosed, first, ids.length - 1, ids(_), new Array(ids.length), new Array(ids.length))

  /** The forest that [[SavedForest.save]] wrote; anything else is refused. Vertices may occur twice. */
  def restore(perWindow: Int, in: BinaryReader): SavedForest = {
    val lastClosed = in.signed()
    val top = in.count("the number of vertices")
    val ids = new Array[Long](top + 1)
    val forest = ofIds(lastClosed, Panes.firstOf(perWindow, lastClosed).toInt, ids)
    val reader = new SegmentReader(forest, ids, in)
    var from = 1
    while (from <= top) {
      reader.read(from, math.min(SegmentSize, top + 1 - from))
      from += SegmentSize
    }
    requireSeen(forest)
    forest
  }

  /** Reads a part of a forest from `in`, some numbers at a time. */
  private final class SegmentReader(forest: SavedForest, ids: Array[Long], in: BinaryReader) {
    private val column = new Array[Long](math.min(forest.top, SegmentSize))
    private val open = forest.lastClosed.toInt + 1
    private val held = open - forest.first

    /** Reads `count` numbers from `from` on. */
    def read(from: Int, count: Int): Unit = {
      val least = in.signed()
      in.column(column, count)
      var i = 0
      while (i < count) {
        ids(from + i) = least + column(i)
        i += 1
      }
      in.column(column, count)
      i = 0
      while (i < count) {
        forest.seen(from + i) = paneOf(column(i), "the age of a vertex")
        i += 1
      }
      in.column(column, count)
      var parents = 0
      i = 0
      while (i < count) {
        forest.links(from + i) = Link.pack(paneOf(column(i), "the age of a link"), 0)
        if (column(i) > 0) parents += 1
        i += 1
      }
      in.column(column, parents)
      parents = 0
      i = 0
      while (i < count) {
        val pane = Link.paneOf(forest.links(from + i))
        if (pane - forest.first >= 0) {
          forest.links(from + i) = Link.pack(pane, parentOf(from + i, unzigzag(column(parents))))
          parents += 1
        }
        i += 1
      }
    }

    /** The pane of an age, which counts from one; the pane before the first pane held stands for zero, which is none. */
    private def paneOf(age: Long, name: String): Int = {
      val known = below(held + 1L, age, name)
      if (known == 0) forest.first - 1 else open - known
    }

    private def parentOf(number: Int, difference: Long): Int = {
      val parent = number + difference
      if (parent < 1 || parent > forest.top || difference == 0)
        throw new CorruptStateException(s"a link from vertex $number of ${forest.top} to vertex $parent")
      parent.toInt
    }
  }

  private def requireSeen(forest: SavedForest): Unit = {
    var n = 1
    while (n <= forest.top) {
      val link = forest.links(n)
      val pane = Link.paneOf(link)
      if (
        pane - forest.first >= 0 &&
        (forest.seen(n) - pane < 0 || forest.seen(Link.parentOf(link)) - pane < 0)
      )
        throw new CorruptStateException(s"the link of vertex $n is newer than one of its ends")
      n += 1
    }
  }
}
