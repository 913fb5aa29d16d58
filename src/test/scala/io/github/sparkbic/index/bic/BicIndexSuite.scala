package io.github.sparkbic.index.bic

import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.index.{Answers, TestEdges, TimedEdge}
import io.github.sparkbic.index.TestEdges.SingleEdges
import io.github.sparkbic.index.contract.IndexConfig

/** What `bic` promises beyond the law of every index. */
class BicIndexSuite extends AnyFunSuite {

  test("thinning does not cost O(high-water mark) per few edges when most numbers have expired") {
    val many = 20000
    // Nothing is given back, so that the numbers stay as many as they were.
    val index = new BicIndex(2, IndexConfig(seed = 1, smallestThinned = 64, smallestSparse = Int.MaxValue))
    (0L until many.toLong).foreach(v => index.insert(0, v, v + 1))
    (0L to 5L).foreach { pane =>
      // Without an edge held, the index would be cleared.
      index.insert(pane, -1, -2)
      index.closePane(pane)
    }
    // A repeated edge is not left after thinning, so each thinning shows.
    var visited, before = 0L
    val edges = 100000
    (0 until edges / 4).foreach { i =>
      index.insert(6, TestEdges.loose(Seq.tabulate(4)(j => TimedEdge(6, -1L - (i + j) % 30, -1L - i % 7))))
      if (BicProbe.logSize(index) < before) visited += index.vertices.top + before
      before = BicProbe.logSize(index).toLong
    }
    assert(visited > 0 && index.vertices.top > many, "the edges are thinned")
    assert(visited <= 4L * (edges + many), s"for $edges edges and $many numbers")
  }

  test("an edge of a closed pane or before others is refused, and so is a window that does not end now") {
    def refusal(body: => Any) = intercept[IllegalArgumentException](body).getMessage
    val index = new BicIndex(4)
    index.insert(5, 1, 2)
    assert(refusal(index.insert(4, 1, 2)).contains("pane 4 is closed; the last one is 5"))
    assert(refusal(index.insert(4, TestEdges.loose(Nil))).contains("pane 4 is closed"))
    assert(refusal(Answers.saved(index)).contains("pane 5 must be closed before the index is saved"))
    index.closePane(6)
    assert(refusal(index.insert(6, 1, 2)).contains("pane 6 is closed; the last one is 6"))
    assert(refusal(index.closePane(5)).contains("pane 5 is before pane 6, which is closed"))
    def asked(from: Long) = refusal(index.connected(from, 1, 2))
    assert(asked(2).contains("[2, 6) does not end with the pane closed last, which is 6"))
    index.insert(7, 3, 4)
    assert(asked(3).contains("does not end with the pane closed last"))
  }
}
