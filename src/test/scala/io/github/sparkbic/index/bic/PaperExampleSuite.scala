package io.github.sparkbic.index.bic

import scala.collection.compat._

import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.index.Answers
import io.github.sparkbic.index.TestEdges.SingleEdges

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
    Seq(b -> d, f -> g), // τ3, of which the buffer takes the last edge first
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
    val index = BicIndex(perWindow = 5)
    stream.take(panes).zipWithIndex.foreach { case (edges, pane) =>
      edges.foreach { case (u, v) => index.insert(pane.toLong, u, v) }
      index.closePane(pane.toLong)
    }
    index
  }

  private def componentsOf(index: BicIndex, window: Long): Set[Set[Long]] =
    Answers.components(index, window).toSeq.groupMap(_._2)(_._1).values.map(_.toSet).toSet

  /** A number for each vertex, and back; what has a number does not depend on the pane here. */
  private def numbering(index: BicIndex): (Long => Int, Int => Long) = {
    val ids = collection.mutable.Map.empty[Int, Long]
    val vertices = index.parts._1
    vertices.foreach(0)(id => ids(vertices.find(id, 0)) = id)
    (vertices.find(_, 0), ids)
  }

  private def backward(index: BicIndex): (BackwardBuffer, Long => Int, Int => Long) = {
    val (number, id) = numbering(index)
    (index.parts._3, number, id)
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
      BicProbe.links(buffer).toSeq.collect { case (v, (parent, label)) if label >= j => (id(parent), id(v)) }
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
    // The first snapshot computed that contains it: each of these comes with a link.
    def vertexLabel(v: Long) = (4 to 1 by -1).find(buffer.find(number(v), _) > 0)
    assert(Seq(a, d, f).flatMap(vertexLabel) == Seq(4, 4, 4))
    assert(vertexLabel(c) == Some(3))
    def rootIn(v: Long) = (1 to 4).filter(buffer.find(number(v), _) == number(v))
    assert(rootIn(a) == (1 to 4))
    assert(rootIn(b) == Seq(3))
  }

  test("Algorithm 4: C has root B in b[3] and A in b[2]") {
    val (buffer, number, id) = backward(after(6))
    assert(buffer.find(number(c), 4) == 0)
    assert(Seq(3, 2).map(j => id(buffer.find(number(c), j))) == Seq(b, a))
  }

  test("Fig. 5: the snapshots of the bipartite graph") {
    // As (backward root, forward root, interval), for vertices that entered the forward buffer after so many panes.
    def edges(panes: Int) = {
      val index = after(panes)
      val (_, forward, buffer, _) = index.parts
      val (number, id) = numbering(index)
      val each = for {
        (edges, offset) <- stream.slice(5, panes).zipWithIndex
        vertex <- edges.flatMap(e => Seq(e._1, e._2))
        j <- offset + 1 to 4
        root = buffer.find(number(vertex), j)
        if root > 0
      } yield (root, forward.find(number(vertex))) -> j
      each.groupMap(_._1)(_._2).map { case ((root, forwardRoot), snapshots) =>
        (id(root), id(forwardRoot), (BicProbe.links(buffer).get(root).fold(0)(_._2) + 1) -> snapshots.max)
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
    val (_, forward, buffer, _) = index.parts
    val (number, _) = numbering(index)
    val (vi, vc) = (number(i), number(c))
    assert(forward.find(vi) != forward.find(vc))
    assert(buffer.find(vi, 2) == 0)
    assert(index.connected(2, i, c))
    assert(!after(8).connected(3, i, c))
    assert(after(9).connected(4, i, c))
  }
}
