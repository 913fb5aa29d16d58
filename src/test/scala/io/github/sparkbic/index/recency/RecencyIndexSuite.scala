package io.github.sparkbic.index.recency

import scala.util.Random

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.{Answers, Oracle, Reached, Streams, TestEdges, TimedEdge, Watched}
import io.github.sparkbic.index.Answers.components
import io.github.sparkbic.index.Streams.{configAsDrawn, shrinkStream}
import io.github.sparkbic.index.TestEdges.SingleEdges
import io.github.sparkbic.index.contract.IndexConfig
import io.github.sparkbic.index.forests.EdgeSets

/** What `recency` promises beyond the law of every index. */
class RecencyIndexSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 80)

  test("edges in any order inside the window, closed panes too, and a window from any pane that is held") {
    val reached = new Reached
    forAll(Streams.phases, Streams.config, Gen.long) { (drawn, config, seed) =>
      val stream = drawn.numbered(config)
      val perWindow = stream.panes.perWindow
      val random = new Random(seed)
      var index = new RecencyIndex(perWindow, config)
      var watched = new Watched(index, perWindow, reached)
      var inserted = Vector.empty[TimedEdge]
      // Each edge is put off by up to half a window.
      val late = stream.sorted.map { e =>
        val pane = stream.panes.paneOf(e.time)
        e.copy(time = pane) -> (pane + random.nextInt(perWindow) / 2)
      }.sortBy(_._2).map(_._1)
      val groups = late.grouped(1 + random.nextInt(9)).flatMap(_.groupBy(_.time).toSeq.sortBy(-_._1))
      groups.foreach { case (pane, edges) =>
        // A pane may have expired meanwhile.
        val isHeld = inserted.isEmpty || pane > inserted.map(_.time).max - perWindow
        if (isHeld) {
          if (random.nextBoolean()) watched.insert(pane, TestEdges.any(pane, edges))
          else edges.foreach(e => watched.insert(e.time, e.src, e.dst))
          inserted ++= edges
          val newest = inserted.map(_.time).max
          if (random.nextInt(4) == 0) watched.closePane(newest)
          assert(RecencyProbe.violation(index).isEmpty)
          val start = newest - perWindow + 1 + random.nextInt(perWindow + 1)
          val wanted = Oracle.components(inserted.filter(_.time >= start))
          assert(components(index, start) == wanted)
          val marks = stream.marks(start)
          val paned = inserted.filter(_.time >= start).map(e => e.time -> e)
          assert(Answers.connectedTo(index, start, marks) == Oracle.connectedTo(paned, marks))
          val some = wanted.keys.take(6).toSeq :+ -77L
          for (s <- some; t <- some)
            assert(index.connected(start, s, t) == Oracle.connected(wanted, s, t))
          if (random.nextInt(5) == 0) {
            watched.closePane(newest)
            index = Answers.restored("recency", stream.panes, Answers.saved(index), config)
              .asInstanceOf[RecencyIndex]
            watched = new Watched(index, perWindow, reached)
            assert(RecencyProbe.violation(index).isEmpty && components(index, start) == wanted)
          }
        }
      }
    }
    assert(reached.missing(Reached.Often).isEmpty, s"of $reached")
    info(reached.toString)
  }

  test("a pane no longer held is refused, for edges and for windows") {
    val index = new RecencyIndex(3)
    index.insert(10, 1, 2)
    index.insert(8, 2, 3)
    assert(index.connected(8, 1, 3) && !index.connected(9, 1, 3))
    def refusal(body: => Any) = intercept[IllegalArgumentException](body).getMessage
    val edge = refusal(index.insert(7, 1, 2))
    assert(edge.contains("pane 7 is no longer held") && edge.contains("3 panes up to pane 10, is 8"))
    val window = refusal(index.connected(7, 1, 2))
    assert(window.contains("from pane 7 is no longer held; the first pane held is 8"))
    index.closePane(100)
    assert(refusal(index.insert(10, 1, 2)).contains("pane 10 is no longer held"))
    assert(refusal(index.closePane(99)).contains("pane 99 is before"))
  }

  test("half of all time later, nothing of dense ids is left") {
    val index = new RecencyIndex(2, IndexConfig(seed = 2, smallestDense = 4))
    val early = -(1L << 62) - (1L << 61)
    for (pane <- 0 to 4; u <- 0 until 400) index.insert(early + pane, u.toLong, u.toLong / 2)
    index.closePane(early + 4)
    assert(index.vertices.map.range.length > 0)
    // The low 32 bits are the same.
    val late = early + 4 + Long.MinValue
    index.insert(late, 7, 300)
    assert(components(index, late - 1) == Map(7L -> 7L, 300L -> 7L))
    assert(RecencyProbe.violation(index).isEmpty)
  }

  test("a link displaced 2^32 panes after one of the same vertices is not taken for that one") {
    // Links are remembered by the last bits of their pane, which repeat every eighth time.
    def pane(i: Long) = (i << 29) + 3 * Math.floorMod(i, 8L)
    // Which vertex has a link is up to random ranks.
    (1 to 30).foreach { _ =>
      val index = new RecencyIndex(1 << 30)
      def insert(i: Long, edges: (Long, Long)*): Unit = {
        // The same vertices all the time, and so many that links of several panes are remembered.
        val all = edges ++ (0L until 40L).map(v => (v, v))
        val forest = TestEdges.forest(all.map { case (u, v) => TimedEdge(0, u, v) })
        index.insert(pane(i), EdgeSets.fromBytes(EdgeSets.toBytes(forest)))
      }
      insert(-1)
      (0L until 24L).foreach { i =>
        if (i % 8 == 0) insert(i, 1L -> 2L) else if (i % 8 == 1) insert(i, 1L -> 3L) else insert(i)
        if (i % 8 == 1)
          assert(components(index, pane(i - 1)).filter(_._2 == 1) == Map(1L -> 1L, 2L -> 1L, 3L -> 1L))
      }
    }
  }
}
