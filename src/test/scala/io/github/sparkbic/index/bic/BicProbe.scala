package io.github.sparkbic.index.bic

import io.github.sparkbic.index.kernels.UnionBySize

/** Makes visible to tests of all packages what tests of this package see. */
object BicProbe {

  def logSize(index: BicIndex): Int = index.log.size

  /** The edges of a log with the offsets of their panes, the newest first. */
  private def all(log: PaneLog): Iterator[(Int, Int, Int)] = {
    import log.{edges, ends, offsets, panes}
    val pane = (0 until panes).flatMap(pane =>
      Iterator.fill(ends(pane) - (if (pane == 0) 0 else ends(pane - 1)))(pane)
    )
    (log.size - 1 to 0 by -1).iterator
      .map(i => ((edges(i) >>> 32).toInt, edges(i).toInt, offsets(pane(i))))
  }

  /** The first violation of an invariant, if there is one; O(vertices × log vertices). */
  def violation(index: BicIndex): Option[String] = {
    val top = index.vertices.top
    ofForward(index.forward, top).orElse(ofBackward(index.backward)).orElse(ofLog(index.log, top))
  }

  private def ofForward(forward: UnionBySize, top: Int): Option[String] = {
    val inRing = new Array[Int](top + 1)
    (1 to top).iterator.filter(forward.find(_) > 0).flatMap { v =>
      val root = forward.find(v)
      if (root > top || forward.find(root) != root)
        Some(s"root $root of vertex $v is no vertex of the buffer")
      else if (inRing(v) == 0) {
        var u = v
        while (u > 0 && u <= top && inRing(u) == 0) {
          inRing(u) = root
          u = if (forward.find(u) == root) forward.next(u) else 0
        }
        if (u != v) Some(s"the ring of vertex $v leaves its component") else None
      } else if (inRing(v) != root) Some(s"vertex $v is in the ring of another component")
      else None
    }.find(_ => true)
  }

  private def ofBackward(backward: BackwardBuffer): Option[String] = {
    // Each vertex with a link, to its parent and the snapshot that made the link.
    val above =
      all(backward.toLog(1)).map { case (vertex, parent, label) => vertex -> (parent -> label) }.toMap
    // At most twice as many vertices as links.
    val depthBound = 33 - Integer.numberOfLeadingZeros(2 * above.size)
    above.iterator.flatMap { case (v, (parent, label)) =>
      val depth = Iterator.iterate(v)(above(_)._1).takeWhile(above.contains).take(depthBound + 1).size
      if (above.get(parent).exists(_._2 > label)) Some("labels rise on the way to a root")
      else if (depth > depthBound) Some(s"a path of more than $depthBound links over ${above.size} links")
      else None
    }.find(_ => true)
  }

  private def ofLog(log: PaneLog, top: Int): Option[String] = {
    val edges = all(log).toSeq
    val offsets = edges.map(_._3)
    if (offsets != offsets.sorted.reverse) Some("the panes of the chunk are not in rising order")
    else edges.collectFirst {
      case (u, v, _) if math.min(u, v) < 1 || math.max(u, v) > top =>
        s"an edge between the vertices $u and $v of $top"
    }
  }
}
