package io.github.sparkbic.operator.forests

import java.util.SplittableRandom

import scala.collection.compat._
import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection
import org.apache.spark.sql.types.{DataType, StringType}
import org.apache.spark.util.SizeEstimator
import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.index.TimedEdge

/** What open forests count as, beside what they take: a task sends them on by their count alone. */
class OpenGraphsSuite extends AnyFunSuite {
  import StageOne._

  // Few enough for the estimator to look at each.
  private val graphs = 100

  private def checkWeight(forests: OpenGraphs): Unit = {
    val bytes = SizeEstimator.estimate(forests) - SizeEstimator.estimate(open())
    assert(bytes <= 70 * forests.memory.held, s"$bytes bytes count as ${forests.memory.held} vertices")
  }

  private def add(graph: OpenGraph, src: Long, dst: Long, time: Long, strings: Boolean): Unit =
    if (strings) graph.add(utf8(f"vertex-$src%010x"), utf8(f"vertex-$dst%010x"), time)
    else graph.add(src, dst, time)

  for {
    (forState, strings) <- Seq((false, false), (false, true), (true, true))
    kind = (if (forState) "stream" else "batch") + (if (strings) " of names" else "")
  } {
    test(s"a $kind: graphs of few or many edges in one or several panes") {
      val sizes = Seq((graphs, 1), (graphs, 10), (graphs, 100), (1, 100000))
      for ((graphs, edges) <- sizes; panes <- Seq(1, 4)) {
        val forests = open(strings = strings, forState = forState)
        var n = 0L
        for (i <- 0 until edges; g <- 0 until graphs) {
          add(forests.graph(key(g.toLong)), 2 * n, 2 * n + 1, i % panes * 10L, strings)
          n += 1
        }
        checkWeight(forests)
        blocks(forests)
        assert(forests.memory.held == 0, "what was closed counts no more")
      }
    }

    test(s"a $kind: a pane of many vertices, and edges that go to and fro between it and panes of few") {
      for (edges <- Seq(1, 5, 400)) {
        val random = new SplittableRandom(7)
        val ids = Array.fill(20000)(random.nextLong())
        val forests = open(strings = strings, forState = forState)
        def any = ids(random.nextInt(ids.length))
        def addTo(pane: Int): Unit = add(forests.graph(key(0)), any, any, pane * 10L, strings)
        (0 until 60000).foreach(_ => addTo(5000))
        for (few <- 0 until (if (edges < 100) 4000 else 300)) {
          (0 until edges).foreach(_ => addTo(few))
          addTo(5000)
        }
        checkWeight(forests)
      }
    }
  }

  test("a few graphs of long keys, and graphs that have rows with a null alone") {
    val ofText = UnsafeProjection.create(Array[DataType](StringType))
    val long = open(keys = Seq(StringType))
    (0 until graphs).foreach(g => long.graph(ofText(InternalRow(utf8(s"$g" * 5000)))).add(1L, 2L, 0L))
    checkWeight(long)
    Seq(false, true).foreach { strings =>
      val forests = open(strings = strings)
      (0 until graphs).foreach(g => forests.graph(key(g.toLong)).addNull())
      checkWeight(forests)
    }
  }

  /** Edges of so many dense vertices in each of some panes that a forest is an array over their range; or, in a stream, the
    * same between names.
    */
  private class DensePanes(strings: Boolean) {
    private val random = new SplittableRandom(1)
    private val edges = ArrayBuffer.empty[TimedEdge]
    val forests: OpenGraphs = open(strings = strings, forState = strings)

    def add(pane: Long, count: Int = 30000, vertices: Int = 20000): Unit = (0 until count).foreach { _ =>
      val edge = TimedEdge(10 * pane, random.nextInt(vertices).toLong, random.nextInt(vertices).toLong)
      edges += edge
      val graph = forests.onlyGraph(key(0))
      if (strings) graph.add(utf8(s"${edge.src}"), utf8(s"${edge.dst}"), edge.time)
      else graph.add(edge.src, edge.dst, edge.time)
    }

    /** The number of blocks of each pane, which hold all edges of it. */
    def close(): Seq[Int] = {
      checkWeight(forests)
      val found = blocks(forests)
      // Not shown: the components are thousands of vertices.
      assert(read(found, strings).equals(wanted(edges.toSeq)), "the edges of some pane")
      found.groupBy(_.pane).toSeq.sortBy(_._1).map(_._2.size)
    }
  }

  // The number of blocks of each pane, in the order of the panes.
  private val twiceButLast = Seq(2, 2, 2, 2, 2, 1)

  private def testBlocks(what: String, counts: Seq[Int])(fill: DensePanes => Unit): Unit =
    for (strings <- Seq(false, true)) test(what + (if (strings) ", of names" else "")) {
      val dense = new DensePanes(strings)
      fill(dense)
      assert(dense.close() == counts)
    }

  testBlocks("panes of many and of few vertices take turns", Seq.fill(20)(1)) { dense =>
    (0L until 20L).foreach { pane =>
      val vertices = if (pane % 2 == 0) 20000 else 150
      dense.add(pane, 2 * vertices, vertices)
    }
  }

  testBlocks(
    "edges that come back to a dense pane, once and to and fro, are in a second block",
    Seq(2, 1, 1)
  ) { dense =>
    for ((pane, count) <- Seq(0L -> 30000, 1L -> 30000, 0L -> 100, 2L -> 30000)) dense.add(pane, count)
    (0 until 3000).foreach(i => dense.add(i % 3L, count = 1))
  }

  testBlocks(
    "partitions that a task reads one by one share the forest of a pane, from the second on",
    twiceButLast
  ) { dense =>
    for (_ <- 0 until 5; pane <- 0L until 6L) dense.add(pane, count = 15000)
  }

  testBlocks("a few edges out of order do not keep forests open", twiceButLast) { dense =>
    (0L until 6L).foreach { pane =>
      dense.add(pane)
      if (pane > 0) dense.add(pane - 1, count = 1)
      dense.add(pane, count = 1)
    }
  }

  testBlocks("an older pane has each dense one packed", Seq.fill(20)(1)) { dense =>
    (1000L until 1010L).foreach { pane =>
      dense.add(pane)
      dense.add(pane - 1000, count = 1)
    }
  }

  testBlocks(
    "a dense pane is packed when the next pane begins, and its edges leave the memory",
    Seq.fill(6)(1)
  ) { dense =>
    dense.add(0)
    val one = dense.forests.memory.held
    (1L until 6L).foreach(dense.add(_))
    assert(dense.forests.memory.held < 2 * one)
  }
}
