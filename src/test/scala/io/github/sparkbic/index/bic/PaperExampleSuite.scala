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

  test("Fig. 1: W2 and W3 are one component, W4 is two, and C–G is connected in W2 and W3 only") {
    Seq(1L -> true, 2L -> true, 3L -> false).foreach { case (window, connected) =>
      val index = after(window.toInt + 5)
      assert(index.connected(window, c, g) == connected)
      assert(componentsOf(index, window).size == (if (connected) 1 else 2))
    }
    assert(componentsOf(after(8), 3) == Set(Set(a, d, f, i), Set(b, c, e, k, l)))
  }

  test("Fig. 3 and 4: the backward buffer's snapshots have 6, 6, 4 and 2 links, labelled as in the paper") {
    val index = after(6)
    import index.{backward, vertices}
    def number(vertex: Long) = vertices.find(vertex, 0)
    def links(j: Int) = BicProbe.links(backward).toSeq.collect {
      case (v, (parent, label)) if label >= j => (vertices.id(parent), vertices.id(v))
    }
    assert((1 to 4).map(links(_).size) == Seq(6, 6, 4, 2))
    assert(links(4).toSet == Set(a -> d, a -> f))
    assert(links(3).toSet == Set(a -> d, a -> f, b -> c, b -> e))
    assert(links(2).contains(a -> b))
    // Algorithm 4: the roots of C.
    assert((4 to 2 by -1).map(backward.find(number(c), _)) == Seq(0, number(b), number(a)))
    assert(backward.find(number(c), 2) == backward.find(number(g), 2))
  }

  test("Fig. 7: I–C in W3 needs both buffers, and the edge of snapshot 3 does not count for snapshot 2") {
    val index = after(7)
    val (vi, vc) = (index.vertices.find(i, 0), index.vertices.find(c, 0))
    assert(index.forward.find(vi) != index.forward.find(vc))
    assert(index.backward.find(vi, 2) == 0)
    assert(index.connected(2, i, c))
    assert(!after(8).connected(3, i, c))
    assert(after(9).connected(4, i, c))
  }
}
