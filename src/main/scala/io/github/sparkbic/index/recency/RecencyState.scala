package io.github.sparkbic.index.recency

import io.github.sparkbic.index.{
  BinaryReader,
  BinaryWriter,
  CorruptStateException,
  IndexSize,
  Panes,
  VertexTable
}
import io.github.sparkbic.index.vertices.{IdSample, VertexDirectory, VertexKeys}

/** What a restart of a [[RecencyIndex]] needs: its vertices and their live links.
  *
  * {{{
  * newest pane: signed, newest − closed pane, newest − newest pane with an edge
  * seed of the keys: signed
  * vertices in rising order (VertexTable), n of them
  * n × newest − pane last seen, 0 without a link, else newest − pane of the link + 1, parent − vertex: signed
  * }}}
  *
  * A vertex here is its rank among the ids, which has nothing to do with its rank in a [[LinkStore]]. Which of two linked
  * vertices is the parent depends on how they were numbered, so links are restored as edges are inserted. About six bytes
  * a vertex for dense ids.
  */
private[recency] object RecencyState {
  import VertexDirectory.{nodeOf, seenOf}

  final class Saved(val forest: RecencyForest, val closedPane: Long, val newest: Long, val newestEdge: Long)

  def save(
      out: BinaryWriter,
      closedPane: Long,
      newest: Long,
      newestEdge: Long,
      forest: RecencyForest
  ): IndexSize = {
    out.signed(newest)
    out.unsigned(newest - closedPane)
    out.unsigned(newest - newestEdge)
    out.signed(forest.keys.seed)

    val live = new LiveVertices(forest)
    val table = new VertexTable(live.ids)
    table.save(out)

    // First collected, then written: a loop without branches waits for many cache lines at once, where the lengths of the
    // numbers written would have it wait for one after the other.
    val entries = table.byRank(live.entries)
    val links = writeEntries(out, entries, linksByRank(entries, forest), newest.toInt, forest.floor)
    IndexSize(live.size, links)
  }

  /** The link of each vertex, which leads to the rank of its parent. */
  private def linksByRank(entries: Array[Long], forest: RecencyForest): Array[Long] = {
    val links = forest.links
    val floor = forest.floor
    val ranks = new Array[Int](links.top)
    val ranked = new Array[Long](entries.length)
    var rank = 0
    while (rank < entries.length) {
      ranks(nodeOf(entries(rank))) = rank
      rank += 1
    }
    rank = 0
    while (rank < entries.length) {
      ranked(rank) = links(nodeOf(entries(rank)))
      rank += 1
    }
    rank = 0
    while (rank < entries.length) {
      // Where an expired link leads to does not matter, and may be gone.
      val pane = (ranked(rank) >> 32).toInt
      val parent = if (pane - floor < 0) 0 else ranked(rank).toInt
      ranked(rank) = LinkStore.pack(pane, ranks(parent))
      rank += 1
    }
    ranked
  }

  /** Returns the number of links that are live. */
  private def writeEntries(
      out: BinaryWriter,
      entries: Array[Long],
      links: Array[Long],
      newest: Int,
      floor: Int
  ): Int = {
    var live = 0
    var rank = 0
    while (rank < entries.length) {
      val pane = (links(rank) >> 32).toInt
      out.unsigned((newest - seenOf(entries(rank))).toLong)
      if (pane - floor < 0) out.unsigned(0)
      else {
        out.unsigned((newest - pane).toLong + 1)
        out.signed(links(rank).toInt.toLong - rank)
        live += 1
      }
      rank += 1
    }
    live
  }

  def restore(perWindow: Int, in: BinaryReader, smallestRanged: Int): Saved = {
    val newest = in.signed()
    val closedPane = newest - in.unsigned()
    val newestEdge = newest - in.unsigned()
    val vertexKeys = new VertexKeys(in.signed())
    val floor = Panes.firstOf(perWindow, newest).toInt
    val ids = VertexTable.restore(in)
    val count = ids.length
    val last = newest.toInt
    val seen = new Array[Int](count)
    val links = new Array[Long](count)
    var n = 0
    while (n < count) {
      seen(n) = last - in.below(perWindow.toLong, "the age of a vertex")
      val age = in.below(perWindow.toLong + 1, "the age of a link")
      links(n) =
        if (age == 0) LinkStore.unlinked(n, floor)
        else {
          val parent = n + in.signed()
          if (parent < 0 || parent >= count || parent == n)
            throw new CorruptStateException(s"a link from vertex $n of $count to vertex $parent")
          LinkStore.pack(last - (age - 1), parent.toInt)
        }
      n += 1
    }
    n = 0
    while (n < count) {
      val pane = (links(n) >> 32).toInt
      if (pane - floor >= 0)
        newerThanItsEnds(pane, seen(n), seen(links(n).toInt)).foreach { violation =>
          throw new CorruptStateException(violation)
        }
      n += 1
    }
    val range = IdSample.rangeOf(ids, seen, floor, smallestRanged)
    new Saved(
      RecencyForest.of(vertexKeys, range, floor, ids, seen, links),
      closedPane,
      newest,
      newestEdge
    )
  }

  /** Checks what every operation relies on; the message names the first violation. */
  def validate(forest: RecencyForest): Option[String] = {
    val entryAt = new Array[Long](forest.links.top)
    val live = new LiveVertices(forest)
    live.entries.foreach(entry => entryAt(nodeOf(entry)) = entry)
    live.ids.indices.iterator.flatMap { i =>
      val entry = live.entries(i)
      val n = nodeOf(entry)
      val pane = (forest.links(n) >> 32).toInt
      val parent = forest.links(n).toInt
      if (forest.vertices.find(live.ids(i)) != entry) Some(s"vertex ${live.ids(i)} is not found")
      else if (entryAt(n) != entry) Some(s"two vertices have the number $n")
      else if (pane - forest.floor < 0) None
      else if (entryAt(parent) == 0) Some("a link to a vertex that is not there")
      else if (forest.links.rank(parent) <= forest.links.rank(n))
        Some("ranks do not rise on the way to a root")
      else newerThanItsEnds(pane, seenOf(entry), seenOf(entryAt(parent)))
    }.nextOption()
  }

  /** What is wrong with a live link of `pane` between vertices last seen in these. */
  private def newerThanItsEnds(pane: Int, seen: Int, parentSeen: Int): Option[String] =
    if (seen - pane < 0) Some("a link is newer than the vertex that has it")
    else if (parentSeen - pane < 0) Some("a link is newer than the vertex that it leads to")
    else None

  /** The vertices of the panes held, in the order in which they lie, which is by rising id where all are of a range: their
    * ids, and their entries in the directory.
    */
  private final class LiveVertices(forest: RecencyForest) {
    val size: Int = {
      var count = 0
      forest.vertices.foreach(forest.floor)((_, _, _) => count += 1)
      count
    }

    // Counted first: there may be millions, and arrays that grow would be copied, and left behind.
    val ids: Array[Long] = new Array(size)
    val entries: Array[Long] = new Array(size)

    locally {
      var i = 0
      forest.vertices.foreach(forest.floor) { (id, number, seen) =>
        ids(i) = id
        entries(i) = VertexDirectory.entryOf(number, seen)
        i += 1
      }
    }
  }
}
