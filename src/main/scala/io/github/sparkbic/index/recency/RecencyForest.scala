package io.github.sparkbic.index.recency

import io.github.sparkbic.index.forests.Link.{paneOf, parentOf}
import io.github.sparkbic.index.forests.WindowForest
import io.github.sparkbic.index.vertices.VertexNumbers

/** Builds a [[LinkForest]] from the saved form, and checks its invariants. */
private[recency] object RecencyForest {

  /** Adds all links of `forest`. */
  def join(forest: WindowForest, join: EdgeJoin): Unit = {
    val ends = new Array[Int](2 * math.min(forest.top, Batch))
    val panes = new Array[Int](ends.length / 2)
    var n = 1
    while (n <= forest.top) {
      val until = math.min(forest.top, n + Batch - 1)
      var count = 0
      while (n <= until) {
        if (forest.isLinked(n)) {
          ends(2 * count) = n
          ends(2 * count + 1) = parentOf(forest.links(n))
          panes(count) = paneOf(forest.links(n))
          count += 1
        }
        n += 1
      }
      join.joinEach(ends, panes, count)
    }
  }

  /** Checks the invariants; the message names the first violation. */
  def validate(first: Int, vertices: VertexNumbers, links: LinkForest): Option[String] =
    (1 to vertices.top).iterator.filter(vertices.isSeen(_, first)).flatMap { n =>
      val link = links.link(n)
      val pane = paneOf(link)
      val parent = parentOf(link)
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
