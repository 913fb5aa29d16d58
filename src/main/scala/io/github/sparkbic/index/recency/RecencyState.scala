package io.github.sparkbic.index.recency

import io.github.sparkbic.index.{BinaryReader, BinaryWriter, CorruptStateException, IndexSize, VertexTable}

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
    val live = liveVertices(forest)
    val table = new VertexTable(live.map(n => forest.keys.idOf(nodes.key(n))))
    val byRank = new Array[Int](live.length)
    live.foreach(n => byRank(rank(table, forest, n)) = n)
    table.save(out)

    val last = newest.toInt
    var links = 0
    var r = 0
    while (r < byRank.length) {
      val n = byRank(r)
      val link = nodes.link(n)
      val pane = (link >> 32).toInt
      out.unsigned((last - seenOf(forest.directory.find(nodes.key(n)))).toLong)
      if (pane - forest.floor < 0) out.unsigned(0)
      else {
        out.unsigned((last - pane).toLong + 1)
        out.signed(rank(table, forest, nodes.resolve(link.toInt)).toLong - r)
        links += 1
      }
      r += 1
    }
    IndexSize(byRank.length, links)
  }

  def restore(perWindow: Int, in: BinaryReader): Saved = {
    val newest = in.signed()
    val closedPane = newest - in.unsigned()
    val newestEdge = newest - in.unsigned()
    val forest = new RecencyForest(new VertexKeys(in.signed()))
    forest.floor = RecencyIndex.firstHeldAt(perWindow, newest).toInt
    val ids = VertexTable.restore(in)
    val last = newest.toInt
    // Numbers are given out in rising order, so the rank of a vertex is its number.
    var n = 0
    while (n < ids.length) {
      forest.enter(forest.keys.keyOf(ids(n)), last - in.below(perWindow.toLong, "the age of a vertex"))
      val key = forest.nodes.key(n)
      val age = in.below(perWindow.toLong + 1, "the age of a link")
      val link =
        if (age == 0) NodeStore.pack(forest.floor - 1, n)
        else {
          val parent = n + in.signed()
          if (parent < 0 || parent >= ids.length)
            throw new CorruptStateException(s"a link to vertex $parent of ${ids.length}")
          NodeStore.pack(last - (age - 1), parent.toInt)
        }
      forest.nodes.set(n, key, link)
      n += 1
    }
    validate(forest).foreach(violation => throw new CorruptStateException(violation))
    new Saved(forest, closedPane, newest, newestEdge)
  }

  /** Checks what every operation relies on; the message names the first violation. */
  def validate(forest: RecencyForest): Option[String] = {
    val nodes = forest.nodes
    def seen(n: Int): Int = seenOf(forest.directory.find(nodes.key(n)))
    liveVertices(forest).iterator.flatMap { n =>
      val pane = (nodes.link(n) >> 32).toInt
      val parent = nodes.resolve(nodes.link(n).toInt)
      if (nodeOf(forest.directory.find(nodes.key(n))) != n) Some(s"vertex $n is not found by its key")
      else if (pane - forest.floor < 0) None
      else if (nodeOf(forest.directory.find(nodes.key(parent))) != parent)
        Some("a link to a vertex that is not there")
      else if (nodes.key(parent) <= nodes.key(n)) Some("ranks do not rise on the way to a root")
      else if (seen(n) - pane < 0) Some("a link is newer than the vertex that has it")
      else if (seen(parent) - pane < 0) Some("a link is newer than the vertex that it leads to")
      else None
    }.nextOption()
  }

  /** The vertices of the panes held. */
  private def liveVertices(forest: RecencyForest): Array[Int] = {
    val live = new Array[Int](forest.directory.size)
    var count = 0
    forest.directory.foreach { (_, node, seen) =>
      if (seen - forest.floor >= 0) {
        live(count) = node
        count += 1
      }
    }
    live.take(count)
  }

  private def rank(table: VertexTable, forest: RecencyForest, n: Int): Int =
    table.rank(forest.keys.idOf(forest.nodes.key(n)))
}
