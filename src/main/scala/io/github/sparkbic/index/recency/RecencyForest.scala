package io.github.sparkbic.index.recency

import io.github.sparkbic.index.forests.WindowForest
import io.github.sparkbic.index.recency.LinkForest.paneOf
import io.github.sparkbic.index.vertices.VertexNumbers

/** A [[LinkForest]] as a [[WindowForest]] and back, and the check of its invariants. */
private[recency] object RecencyForest {

  /** The saved form of the panes from `first` to `closed`. */
  def of(closed: Long, first: Long, vertices: VertexNumbers, links: LinkForest): WindowForest = {
    val order = vertices.byId(first.toInt)
    val count = order.length
    val places = vertices.placesOf(order)
    val parents = new Array[Int](count)
    val panes = new Array[Int](count)
    var i = 0
    while (i < count) {
      val link = links.link(order(i))
      panes(i) = paneOf(link)
      // The parent of an expired link may be gone, and then has no place.
      parents(i) = if (links.isLive(link)) places(link.toInt) else -1
      i += 1
    }
    new WindowForest(closed, vertices.idsOf(order), vertices.seenOf(order), parents, panes)
  }

  /** Adds all links of `forest`, whose vertices are numbered in their order, from 1 on. */
  def join(forest: WindowForest, join: EdgeJoin): Unit = {
    val ends = new Array[Int](2 * math.min(forest.size, Batch))
    val panes = new Array[Int](ends.length / 2)
    var i = 0
    while (i < forest.size) {
      val until = math.min(forest.size, i + Batch)
      var count = 0
      while (i < until) {
        ends(2 * count) = i + 1
        ends(2 * count + 1) = forest.parents(i) + 1
        panes(count) = forest.panes(i)
        if (forest.parents(i) >= 0) count += 1
        i += 1
      }
      join.joinEach(ends, panes, count)
    }
  }

  /** Checks the invariants; the message names the first violation. */
  def validate(first: Int, vertices: VertexNumbers, links: LinkForest): Option[String] =
    (1 to vertices.top).iterator.filter(vertices.isSeen(_, first)).flatMap { n =>
      val link = links.link(n)
      val pane = paneOf(link)
      val parent = link.toInt
      if (vertices.find(vertices.id(n), first) != n) Some(s"vertex ${vertices.id(n)} is not found")
      else if (!links.isLive(link)) None
      else if (parent < 1 || parent > vertices.top || !vertices.isSeen(parent, pane))
        Some("a link is newer than the vertex that it leads to")
      else if (!vertices.isSeen(n, pane)) Some("a link is newer than the vertex that has it")
      else if (links.rank(parent) <= links.rank(n)) Some("ranks do not rise on the way to a root")
      else None
    }.find(_ => true)

  /** Edges that are joined together. */
  private final val Batch = 128
}
