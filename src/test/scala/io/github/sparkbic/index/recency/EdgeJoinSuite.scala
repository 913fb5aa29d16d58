package io.github.sparkbic.index.recency

import scala.util.Random

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.{Oracle, TestEdges, TimedEdge}
import io.github.sparkbic.index.Answers.components
import io.github.sparkbic.index.contract.{EdgeSet, IndexConfig}
import io.github.sparkbic.index.forests.EdgeSets

/** Forests as they come from input tasks, tree by tree, among them trees of more vertices than are joined together. */
class EdgeJoinSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 150)

  private def fed(edges: Seq[TimedEdge]): EdgeSet = EdgeSets.fromBytes(TestEdges.forest(edges).toBytes)

  /** Forests of `width` vertices and fewer, in panes from anywhere in the window and from beyond its end, of ids that
    * drift: so some vertices are in every pane, and others come and go.
    */
  private def check(perWindow: Int, width: Int, density: Double, steps: Int, seed: Long): Unit = {
    val random = new Random(seed)
    val index = RecencyIndex(
      perWindow,
      IndexConfig(
        seed = seed,
        smallestDense = if (random.nextBoolean()) 4 else 1 << 20,
        smallestSparse = if (random.nextBoolean()) 8 else 1 << 20,
        largestPrefetched = if (random.nextBoolean()) 0 else 1 << 20,
        reach = if (random.nextBoolean()) 5 else 1 << 30
      )
    )
    var edges = Vector.empty[TimedEdge]
    var newest = 0L
    (0 until steps).foreach { step =>
      val pane = random.nextInt(3) match {
        case 0 => math.max(0L, newest - random.nextInt(perWindow))
        case 1 => newest
        case _ => newest + 1 + random.nextInt(perWindow) / 4
      }
      newest = math.max(newest, pane)
      def vertex() =
        if (random.nextInt(3) == 0) random.nextInt(width).toLong
        else step * width / 4 + random.nextInt(width).toLong
      val added = Seq.fill(1 + (density * random.nextInt(width)).toInt)(TimedEdge(pane, vertex(), vertex()))
      index.insert(pane, fed(added))
      edges = (edges ++ added).filter(_.time > newest - perWindow)
      assert(RecencyProbe.violation(index).isEmpty)
      Seq(newest - perWindow + 1, pane, newest - random.nextInt(perWindow)).foreach { start =>
        assert(components(index, start) == Oracle.components(edges.filter(_.time >= start)))
      }
    }
  }

  test("forests in any pane that is held, and windows from any of them, with few panes and with very many") {
    forAll(
      Gen.frequency(4 -> Gen.choose(1, 8), 1 -> Gen.choose(65, 300)),
      Gen.oneOf(Gen.choose(1, 12), Gen.choose(100, 400)),
      Gen.oneOf(0.3, 0.6, 2.0),
      Gen.choose(0L, 1L << 40)
    )((perWindow, width, density, seed) => check(perWindow, width, density, 20, seed))
  }

  test("a link displaced 2^32 panes after one of the same vertices is not taken for that one") {
    // Links are remembered by the last bits of their pane, which repeat every eighth time.
    def pane(i: Long) = (i << 29) + 3 * Math.floorMod(i, 8L)
    // Which vertex has a link is up to random ranks.
    (1 to 30).foreach { _ =>
      val index = RecencyIndex(1 << 30)
      def insert(i: Long, edges: (Long, Long)*): Unit = {
        // The same vertices all the time, and so many that links of several panes are remembered.
        val loops = (0L until 40L).map(v => TimedEdge(0, v, v))
        index.insert(pane(i), fed(edges.map { case (u, v) => TimedEdge(0, u, v) } ++ loops))
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
