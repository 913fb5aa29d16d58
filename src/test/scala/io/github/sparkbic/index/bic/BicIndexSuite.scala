package io.github.sparkbic.index.bic

import java.util.SplittableRandom

import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.index.{Answers, Oracle, TestEdges, TimedEdge}
import io.github.sparkbic.index.TestEdges.SingleEdges
import io.github.sparkbic.index.contract.{IndexConfig, Panes}

/** Streams long enough for what small ones never reach: growth, recycled numbers, thinned panes, contractions. */
class BicIndexSuite extends AnyFunSuite {
  private val config = IndexConfig(seed = 13, smallestDense = 512, smallestSparse = 512)

  /** Inserts pane after pane, asks after each, and compares with the oracle.
    *
    * @param restoreEvery saves and restores after so many panes
    * @param edgesOf      the edges of a pane
    * @param visit        called with the index after each pane
    */
  private def check(
      perWindow: Int,
      panes: Int,
      restoreEvery: Int = Int.MaxValue,
      config: IndexConfig = config
  )(
      edgesOf: (Int, SplittableRandom) => Seq[(Long, Long)]
  )(visit: BicIndex => Unit = _ => ()): Unit = {
    val random = new SplittableRandom(7)
    var index = BicIndex(perWindow, config)
    val all = Array.tabulate(panes) { pane =>
      edgesOf(pane, random).map { case (u, v) => TimedEdge(pane.toLong, u, v) }
    }
    all.indices.foreach { pane =>
      if (pane % 5 == 3) index.insert(pane.toLong, TestEdges.forest(all(pane)))
      else all(pane).foreach(e => index.insert(e.time, e.src, e.dst))
      index.closePane(pane.toLong)
      assert(Answers.violation(index).isEmpty)
      val window = pane - perWindow + 1
      val edges = all.slice(math.max(0, window), pane + 1).toSeq.flatten
      val expected = Oracle.components(edges)
      // Of this window, and of an older one whose vertices may be gone.
      val others = all(math.max(0, window - 3))
      (0 until 50).foreach { _ =>
        val TimedEdge(_, s, a) = edges(random.nextInt(edges.size))
        val TimedEdge(_, t, b) =
          if (random.nextInt(4) == 0) others(random.nextInt(others.size))
          else edges(random.nextInt(edges.size))
        Seq(s -> t, a -> b).foreach { case (x, y) =>
          val connected = Oracle.connected(expected, x, y)
          assert(index.connected(window.toLong, x, y) == connected, s"$x, $y in the window from pane $window")
        }
      }
      if (pane % 4 == 0) assert(Answers.components(index, window.toLong) == expected)
      visit(index)
      if (pane % restoreEvery == restoreEvery - 1)
        Answers.restored(BicIndex.Name, Panes(perWindow.toLong, 1), Answers.saved(index), config) match {
          case restored: BicIndex => index = restored
          case other              => fail(s"$other")
        }
    }
  }

  private def uniform(vertices: Int, edges: Int)(pane: Int, random: SplittableRandom): Seq[(Long, Long)] =
    Seq.fill(edges)((random.nextInt(vertices).toLong, random.nextInt(vertices).toLong))

  for (restoreEvery <- Seq(5, Int.MaxValue))
    test(s"many small components, vertices that come and go; restored after panes: $restoreEvery") {
      check(perWindow = 6, panes = 30, restoreEvery)(uniform(2000, 300))()
    }

  for (perWindow <- Seq(200, 257))
    test(s"chunks of $perWindow panes, which a byte can or cannot tell apart") {
      check(perWindow, panes = 2 * perWindow + 60, restoreEvery = 90)(uniform(200, 2))()
    }

  test(
    "two large components whose halves only both buffers together join: searches give way to a contraction"
  ) {
    check(perWindow = 8, panes = 24) { (pane, random) =>
      // Odd and even vertices never meet; each pane is a set of short paths.
      Seq.fill(250) {
        val u = random.nextInt(750)
        (u.toLong, ((u + 2 * random.nextInt(20)) % 750).toLong)
      }
    }()
  }

  test("a pane of many edges over few vertices is thinned to fewer edges than vertices, and what came since") {
    check(perWindow = 4, panes = 12, restoreEvery = 3, config.copy(smallestThinned = 256)) { (pane, random) =>
      Seq.fill(2000) {
        val u = pane * 20 + random.nextInt(40)
        (u.toLong, if (random.nextInt(10) == 0) u.toLong else (u + 1).toLong)
      }
    }(index => assert(BicProbe.logSize(index) < 256 + 128))
  }

  test("what a chunk of many vertices left behind is gone, however few edges follow") {
    val index = BicIndex(4)
    (0L until 1000L).foreach(v => index.insert(1, v, v + 1))
    Seq(4L, 7L).foreach(index.insert(_, 2000, 2000))
    (0L to 1000L by 100L).foreach(v => index.insert(8, v, v))
    index.closePane(8)
    assert(Answers.components(index, 5) == (2000L +: (0L to 1000L by 100L)).map(v => v -> v).toMap)
  }

  test("thinning does not cost O(high-water mark) per few edges when most numbers have expired") {
    val many = 20000
    // Nothing is given back, so that the numbers stay as many as they were.
    val index = BicIndex(2, IndexConfig(seed = 1, smallestThinned = 64, smallestSparse = Int.MaxValue))
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
      if (BicProbe.logSize(index) < before) visited += BicProbe.numbers(index).top + before
      before = BicProbe.logSize(index).toLong
    }
    assert(visited > 0 && BicProbe.numbers(index).top > many, "the edges are thinned")
    assert(visited <= 4L * (edges + many), s"for $edges edges and $many numbers")
  }

  test("a search goes on after the first vertex that there was, in the middle of its component") {
    val index = BicIndex(4)
    Seq((1L, 1L), (2L, 1L), (2L, 3L)).foreach { case (u, v) => index.insert(1, u, v) }
    // Enough others for it to be cheaper than a contraction.
    (100L until 300L).foreach(v => index.insert(1, v, v))
    index.insert(4, 4, 3)
    index.closePane(4)
    assert(index.connected(1, 2, 4) && index.connected(1, 4, 1) && !index.connected(1, 2, 100))
  }

  test(
    "an edge of a closed pane, or before one with edges, is refused, and so is a window that does not end now"
  ) {
    def refusal(body: => Any) = intercept[IllegalArgumentException](body).getMessage
    val index = BicIndex(4)
    index.insert(5, 1, 2)
    assert(refusal(index.insert(4, 1, 2)).contains("pane 4 is closed; the last one is 5"))
    assert(refusal(index.insert(4, TestEdges.loose(Nil))).contains("pane 4 is closed"))
    assert(refusal(Answers.saved(index)).contains("pane 5 must be closed before the index is saved"))
    index.closePane(6)
    assert(refusal(index.insert(6, 1, 2)).contains("pane 6 is closed; the last one is 6"))
    assert(refusal(index.closePane(5)).contains("pane 5 is before pane 6, which is closed"))
    assert(refusal(index.connected(
      2,
      1,
      2
    )).contains("[2, 6) does not end with the pane closed last, which is 6"))
    index.insert(7, 3, 4)
    assert(refusal(index.connected(3, 1, 2)).contains("does not end with the pane closed last"))
  }

  test("thinning keeps the newest edges that join what all edges join, pane by pane") {
    val random = new SplittableRandom(5)
    for (round <- 1 to 60) {
      val log = new PaneLog
      var all = Vector.empty[TimedEdge]
      def kept = log.all.map { case (u, v, offset) =>
        TimedEdge(offset.toLong, u.toLong, v.toLong)
      }.toVector
      (0 until 5).map(_ * 3).foreach { offset =>
        log.open(offset)
        val edges = Array.fill(2 * random.nextInt(40))(1 + random.nextInt(40))
        log.addAll(edges, edges.length)
        all ++= edges.grouped(2).filter(e => e(0) != e(1)).map(e =>
          TimedEdge(offset.toLong, e(0).toLong, e(1).toLong)
        )
        if (round % 2 == 0) log.thin(41)
        assert(BicProbe.ofLog(log, 40).isEmpty)
        // Each edge shows which edges of later panes there are.
        assert(kept.map(-_.time).sorted == kept.map(-_.time))
        for (from <- 0 to offset)
          assert(
            Oracle.components(kept.filter(_.time >= from)) == Oracle.components(all.filter(_.time >= from))
          )
      }
      if (round % 2 == 0) assert(log.size == Oracle.components(all).count { case (v, root) => v != root })
    }
  }
}
