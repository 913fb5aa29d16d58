package io.github.sparkbic.index.recency

import java.util.Arrays

import io.github.sparkbic.index.{BinaryReader, BinaryWriter, CorruptStateException, IndexSize, VertexTable}
import io.github.sparkbic.index.vertices.{VertexDirectory, VertexKeys}

/** What a restart of a [[RecencyIndex]] needs: its vertices and their live links.
  *
  * {{{
  * newest pane: signed, newest − closed pane, newest − newest pane with an edge
  * seed of the keys: signed
  * vertices in rising order (VertexTable), n of them
  * n × newest − pane last seen, 0 without a link, else newest − pane of the link + 1, parent − vertex: signed
  * }}}
  *
  * A vertex here is its rank among the ids. The seed is kept because links rise with the keys that it makes. About six
  * bytes a vertex for dense ids.
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

    val nodes = forest.nodes
    val live = new LiveVertices(forest)
    val table = new VertexTable(live.ids)
    val ranks = new Array[Int](nodes.top)
    var i = 0
    while (i < live.size) {
      ranks(nodeOf(live.entries(i))) = table.rankAt(i)
      i += 1
    }
    table.save(out)

    // First collected, then written: a loop without branches waits for many cache lines at once, where the lengths of the
    // numbers written would have it wait for one after the other.
    val entries = new Array[Long](live.size)
    val parents = new Array[Long](live.size)
    var rank = 0
    while (rank < live.size) {
      entries(rank) = live.entries(table.position(rank))
      rank += 1
    }
    rank = 0
    while (rank < live.size) {
      parents(rank) = nodes.link(nodeOf(entries(rank)))
      rank += 1
    }
    rank = 0
    while (rank < live.size) {
      // Where an expired link leads to does not matter, and may be gone.
      val pane = (parents(rank) >> 32).toInt
      val parent = if (pane - forest.floor < 0) 0 else nodes.resolve(parents(rank).toInt)
      parents(rank) = NodeStore.pack(pane, ranks(parent))
      rank += 1
    }

    val last = newest.toInt
    var links = 0
    rank = 0
    while (rank < live.size) {
      val pane = (parents(rank) >> 32).toInt
      out.unsigned((last - seenOf(entries(rank))).toLong)
      if (pane - forest.floor < 0) out.unsigned(0)
      else {
        out.unsigned((last - pane).toLong + 1)
        out.signed(parents(rank).toInt.toLong - rank)
        links += 1
      }
      rank += 1
    }
    IndexSize(live.size, links)
  }

  def restore(perWindow: Int, in: BinaryReader): Saved = {
    val newest = in.signed()
    val closedPane = newest - in.unsigned()
    val newestEdge = newest - in.unsigned()
    val vertexKeys = new VertexKeys(in.signed())
    val floor = RecencyIndex.firstHeldAt(perWindow, newest).toInt
    val ids = VertexTable.restore(in)
    val count = ids.length
    val last = newest.toInt
    // Numbers are given out in rising order, so the rank of a vertex is its number.
    val keys = new Array[Long](count)
    val seen = new Array[Int](count)
    val links = new Array[Long](count)
    var n = 0
    while (n < count) {
      keys(n) = vertexKeys.keyOf(ids(n))
      seen(n) = last - in.below(perWindow.toLong, "the age of a vertex")
      val age = in.below(perWindow.toLong + 1, "the age of a link")
      links(n) =
        if (age == 0) NodeStore.pack(floor - 1, n)
        else {
          val parent = n + in.signed()
          if (parent < 0 || parent >= count)
            throw new CorruptStateException(s"a link to vertex $parent of $count")
          NodeStore.pack(last - (age - 1), parent.toInt)
        }
      n += 1
    }
    // Of what `validate` checks, all that does not hold by the way in which the forest is filled.
    n = 0
    while (n < count) {
      val pane = (links(n) >> 32).toInt
      val parent = links(n).toInt
      if (pane - floor >= 0)
        violation(pane, keys(n), seen(n), keys(parent), seen(parent)).foreach { violation =>
          throw new CorruptStateException(violation)
        }
      n += 1
    }
    new Saved(RecencyForest.of(vertexKeys, floor, keys, seen, links), closedPane, newest, newestEdge)
  }

  /** Checks what every operation relies on; the message names the first violation. */
  def validate(forest: RecencyForest): Option[String] = {
    val nodes = forest.nodes
    new LiveVertices(forest).entries.iterator.flatMap { entry =>
      val n = nodeOf(entry)
      val pane = (nodes.link(n) >> 32).toInt
      val parent = nodes.resolve(nodes.link(n).toInt)
      if (forest.directory.find(nodes.key(n)) != entry) Some(s"vertex $n is not found by its key")
      else if (pane - forest.floor < 0) None
      else {
        val found = forest.directory.find(nodes.key(parent))
        if (found == 0 || nodeOf(found) != parent) Some("a link to a vertex that is not there")
        else violation(pane, nodes.key(n), seenOf(entry), nodes.key(parent), seenOf(found))
      }
    }.nextOption()
  }

  /** What is wrong with a live link of `pane`. */
  private def violation(pane: Int, key: Long, seen: Int, parentKey: Long, parentSeen: Int): Option[String] =
    if (parentKey <= key) Some("ranks do not rise on the way to a root")
    else if (seen - pane < 0) Some("a link is newer than the vertex that has it")
    else if (parentSeen - pane < 0) Some("a link is newer than the vertex that it leads to")
    else None

  /** The vertices of the panes held, in the order in which they lie: their ids, and their entries in the directory. */
  private final class LiveVertices(forest: RecencyForest) {
    private val allIds = new Array[Long](forest.directory.size)
    private val allEntries = new Array[Long](allIds.length)
    private var count = 0
    forest.directory.foreach { (key, node, seen) =>
      if (seen - forest.floor >= 0) {
        allIds(count) = forest.keys.idOf(key)
        allEntries(count) = VertexDirectory.entryOf(node, seen)
        count += 1
      }
    }

    def size: Int = count

    val ids: Array[Long] = Arrays.copyOf(allIds, count)

    val entries: Array[Long] = Arrays.copyOf(allEntries, count)
  }
}
