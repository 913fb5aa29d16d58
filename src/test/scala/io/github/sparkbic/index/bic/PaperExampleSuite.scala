package io.github.sparkbic.index.bic

import org.scalatest.funsuite.AnyFunSuite

/** The running example of the paper (its figures 1 to 7), window 5 and slide 1.
  *
  * The figures show a stream of which the text names only some edges; the others are chosen such that every value the
  * text gives comes out. Chunk 1 is panes 0 to 4 (τ1 … τ5 in the paper), chunk 2 panes 5 to 9 (τ6 … τ10), and window
  * W2 starts with pane 1.
  */
class PaperExampleSuite extends AnyFunSuite {
  private val (a, b, c, d, e) = ('A'.toLong, 'B'.toLong, 'C'.toLong, 'D'.toLong, 'E'.toLong)
  private val (f, g, i, k, l) = ('F'.toLong, 'G'.toLong, 'I'.toLong, 'K'.toLong, 'L'.toLong)

  private val stream: Seq[Seq[(Long, Long)]] = Seq(
    Seq(d -> f), // τ1
    Seq(a -> g), // τ2
    Seq(f -> g, b -> d), // τ3
    Seq(b -> c, b -> e), // τ4
    Seq(a -> d, a -> f), // τ5
    Seq(a -> i), // τ6
    Seq(a -> i, a -> d, k -> c, k -> b), // τ7
    Seq(k -> l), // τ8
    Seq(i -> l), // τ9
    Seq(c -> e) // τ10
  )

  /** The index when `panes` panes have been inserted and closed. */
  private def after(panes: Int): BicIndex = {
    val index = new BicIndex(perWindow = 5)
    stream.take(panes).zipWithIndex.foreach { case (edges, pane) =>
      edges.foreach { case (u, v) => index.insert(pane.toLong, u, v) }
      index.closePane(pane.toLong)
    }
    index
  }

  private def componentsOf(index: BicIndex, window: Long): Set[Set[Long]] = {
    val found = collection.mutable.Map.empty[Long, Set[Long]].withDefaultValue(Set.empty)
    index.components(window)((vertex, component) => found(component) += vertex)
    found.values.toSet
  }

  private def backward(index: BicIndex): (BackwardBuffer, Long => Int, Int => Long) = {
    val (interner, _, buffer, _) = index.parts
    (buffer, interner.find(_), interner.id(_))
  }

  test("Fig. 1: W2 and W3 are one component, W4 is two, and C–G is connected in W2 and W3 only") {
    Seq(1L -> true, 2L -> true, 3L -> false).foreach { case (window, connected) =>
      val index = after(window.toInt + 5)
      assert(index.connected(window, c, g) == connected)
      assert(componentsOf(index, window).size == (if (connected) 1 else 2))
    }
    assert(componentsOf(after(8), 3) == Set(Set(a, d, f, i), Set(b, c, e, k, l)))
  }

  test("Fig. 3 and 4: the backward buffer's snapshots have 6, 6, 4 and 2 links, labelled as in the paper") {
    val (buffer, number, id) = backward(after(6))
    def links(j: Int) =
      (0 until buffer.size).filter(v => buffer.linkLabels(v) >= j).map(v => (id(buffer.parents(v)), id(v)))
    assert((1 to 4).map(links(_).size) == Seq(6, 6, 4, 2))
    assert(links(4).toSet == Set(a -> d, a -> f))
    assert(links(3).toSet == Set(a -> d, a -> f, b -> c, b -> e))
    assert(links(2).contains(a -> b))
    assert(id(buffer.find(number(c), 3)) == b)
    assert(id(buffer.find(number(c), 2)) == a)
    assert(buffer.find(number(c), 2) == buffer.find(number(g), 2))
  }

  test("Fig. 6: vertex labels and root intervals of the augmented trees") {
    val (buffer, number, _) = backward(after(6))
    assert(Seq(a, d, f).map(v => buffer.vertexLabels(number(v))) == Seq(4, 4, 4))
    assert(buffer.vertexLabels(number(c)) == 3)
    def interval(v: Long) = (buffer.linkLabels(number(v)) + 1, buffer.vertexLabels(number(v)))
    assert(interval(a) == (1 -> 4))
    assert(interval(b) == (3 -> 3))
  }

  test("Algorithm 4: C has root B in b[3] and A in b[2]") {
    val (buffer, number, id) = backward(after(6))
    val found = collection.mutable.ArrayBuffer.empty[(Long, Int)]
    buffer.roots(number(c), 2)((root, last) => found += id(root) -> last)
    assert(found == Seq(b -> 3, a -> 2))
  }

  test("Fig. 5: the snapshots of the bipartite graph") {
    // As (backward root, forward root, interval); every interval begins where its root's does.
    def edges(panes: Int) = {
      val index = after(panes)
      val (interner, forward, buffer, bipartite) = index.parts
      val forwardRootOf = stream.slice(5, panes).flatten.flatMap(x => Seq(x._1, x._2)).distinct
        .filter(v => forward.find(interner.find(v)) == interner.find(v))
        .map(v => index.bagOf(v) -> v).toMap
      bipartite.edgeList.map { case (root, bag, last) =>
        (interner.id(root), forwardRootOf(bag), (buffer.linkLabels(root) + 1) -> last)
      }.toSet
    }
    assert(edges(6) == Set((a, a, 1 -> 4)))
    assert(edges(7) == Set((a, a, 1 -> 4), (a, k, 1 -> 2), (b, k, 3 -> 3)))
    assert(edges(8) == edges(7))
    // A's tree is the smaller one and goes under K; [2, 2] is subsumed by [1, 4].
    assert(edges(9) == Set((a, k, 1 -> 4), (b, k, 3 -> 3)))
  }

  test("Fig. 7: I–C in W3 needs both buffers, and the edge of snapshot 3 does not count for snapshot 2") {
    val index = after(7)
    val (interner, forward, buffer, _) = index.parts
    val (vi, vc) = (interner.find(i), interner.find(c))
    assert(forward.find(vi) != forward.find(vc))
    assert(buffer.find(vi, 2) == -1)
    assert(index.connected(2, i, c))
    assert(!after(8).connected(3, i, c))
    assert(after(9).connected(4, i, c))
  }
}
