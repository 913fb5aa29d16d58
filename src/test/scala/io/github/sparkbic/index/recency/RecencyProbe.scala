package io.github.sparkbic.index.recency

import io.github.sparkbic.index.forests.Link.{paneOf, parentOf}

/** Makes visible to tests of all packages what tests of this package see. */
object RecencyProbe {

  /** The first violation of an invariant, if there is one; O(vertices). */
  def violation(index: RecencyIndex): Option[String] = {
    import index.{links, vertices}
    val first = vertices.firstPane
    (1 to vertices.top).iterator.filter(vertices.isSeen(_, first)).flatMap { n =>
      val link = links.all(n)
      val pane = paneOf(link)
      val parent = parentOf(link)
      if (vertices.find(vertices.id(n), first) != n) Some(s"vertex ${vertices.id(n)} is not found")
      else if (pane - first < 0) None
      else if (parent < 1 || parent > vertices.top || !vertices.isSeen(parent, pane))
        Some("a link is newer than the vertex that it leads to")
      else if (!vertices.isSeen(n, pane)) Some("a link is newer than the vertex that has it")
      else if (links.rank(parent) <= links.rank(n)) Some("ranks do not rise on the way to a root")
      else None
    }.find(_ => true)
  }
}
