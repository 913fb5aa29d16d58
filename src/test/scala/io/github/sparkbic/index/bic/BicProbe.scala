package io.github.sparkbic.index.bic

/** Makes visible to tests of all packages what tests of this package see. */
object BicProbe {

  /** Edges of the chunk that are kept. */
  def logSize(index: BicIndex): Int = index.parts._4.size

  /** The first violation of an invariant, if there is one; O(vertices × log vertices). */
  def violation(index: BicIndex): Option[String] = {
    val (vertices, forward, backward, log) = index.parts
    ofForward(forward, vertices.top).orElse(ofBackward(backward)).orElse(ofLog(log, vertices.top))
  }

  /** Among the vertices up to `top`. */
  private[bic] def ofForward(forward: ForwardBuffer, top: Int): Option[String] = {
    val inRing = new Array[Int](top + 1)
    (1 to top).iterator.filter(forward.find(_) > 0).flatMap { v =>
      val root = forward.find(v)
      if (root > top || !forward.contains(root)) Some(s"root $root of vertex $v is no vertex of the buffer")
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
    import backward.{label, parent, size}
    val depthBound = 33 - Integer.numberOfLeadingZeros(size)
    (0 until size).iterator.filter(label(_) > 0).flatMap { v =>
      val p = parent(v)
      if (p < 1 || p >= size) Some(s"a link to vertex $p of $size")
      else if (label(p) > label(v)) Some("labels rise on the way to a root")
      else {
        val depth = Iterator.iterate(v)(parent).takeWhile(label(_) > 0).take(depthBound + 1).size
        if (depth > depthBound) Some(s"a path of more than $depthBound links over $size vertices") else None
      }
    }.find(_ => true)
  }

  /** Vertices are `1 to top`. */
  private[bic] def ofLog(log: PaneLog, top: Int): Option[String] = {
    var found = Option.empty[String]
    var before = Int.MaxValue
    log.all.foreach { case (u, v, offset) =>
      if (offset > before) found = Some("the panes of the chunk are not in rising order")
      before = offset
      if (u < 1 || u > top || v < 1 || v > top)
        found = Some(s"an edge between the vertices $u and $v of $top")
    }
    found
  }
}
