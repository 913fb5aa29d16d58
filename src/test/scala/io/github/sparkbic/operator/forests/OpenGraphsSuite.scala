package io.github.sparkbic.operator.forests

import java.util.SplittableRandom

import scala.collection.compat._
import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection
import org.apache.spark.sql.types.{DataType, LongType, StringType, StructField, StructType, TimestampType}
import org.apache.spark.unsafe.types.UTF8String
import org.apache.spark.util.SizeEstimator
import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.index.{Oracle, TestEdges, TimedEdge}
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.forests.EdgeSets
import io.github.sparkbic.operator.block.PackedBlock

/** What open forests count as, beside what they take: a task sends them on by their count alone. */
class OpenGraphsSuite extends AnyFunSuite {
  private val schema =
    StructType(StructField("key", LongType) +: PackedBlock.fields :+ StructField("eventTime", TimestampType))
  private val key = UnsafeProjection.create(Array[DataType](LongType))

  // Few enough for the estimator to look at each.
  private val graphs = 100

  private def open(strings: Boolean, forState: Boolean) =
    new OpenGraphs(Panes(10, 10), strings, forState, None, schema)

  private def checkWeight(forests: OpenGraphs): Unit = {
    val bytes =
      SizeEstimator.estimate(forests) - SizeEstimator.estimate(open(strings = false, forState = false))
    assert(bytes <= 70 * forests.weight, s"$bytes bytes count as ${forests.weight} vertices")
  }

  for {
    forState <- Seq(false, true)
    strings <- Seq(false, true)
    (graphs, edges) <- Seq((graphs, 1), (graphs, 10), (graphs, 100), (1, 100000))
    panes <- Seq(1, 4)
  } {
    val kind = (if (forState) "stream" else "batch") + (if (strings) " of names" else "")
    test(s"a $kind: $graphs graphs, each of $edges edges in $panes panes") {
      val forests = open(strings, forState)
      var n = 0L
      for (i <- 0 until edges; g <- 0 until graphs) {
        val graph = forests.graph(key(InternalRow(g.toLong)))
        val time = i % panes * 10L
        def name(v: Long) = UTF8String.fromString(f"vertex-$v%010x")
        if (strings) graph.add(name(2 * n), name(2 * n + 1), time) else graph.add(2 * n, 2 * n + 1, time)
        n += 1
      }
      checkWeight(forests)
      forests.close()
      while (forests.next() != null) {}
      assert(forests.weight == 0, "what was closed counts no more")
    }
  }

  for (forState <- Seq(false, true); strings <- Seq(false, true); edges <- Seq(1, 5, 400))
    test(
      s"a ${if (forState) "stream" else "batch"}${if (strings) " of names" else ""}: a pane of many vertices, and edges " +
        s"that go to and fro between it and panes of $edges"
    ) {
      val random = new SplittableRandom(7)
      val ids = Array.fill(20000)(random.nextLong())
      val forests = open(strings, forState)
      val graph = forests.graph(key(InternalRow(0L)))
      def add(pane: Int): Unit = {
        val (src, dst) = (ids(random.nextInt(ids.length)), ids(random.nextInt(ids.length)))
        if (strings)
          graph.add(UTF8String.fromString(src.toString), UTF8String.fromString(dst.toString), pane * 10L)
        else graph.add(src, dst, pane * 10L)
      }
      (0 until 60000).foreach(_ => add(5000))
      for (few <- 0 until (if (edges < 100) 4000 else 300)) {
        (0 until edges).foreach(_ => add(few))
        add(5000)
      }
      checkWeight(forests)
    }

  test(
    "panes of dense ids, each followed by an edge of an older pane, which is given the memory of the dense one"
  ) {
    val random = new SplittableRandom(7)
    val forests = open(strings = false, forState = false)
    val graph = forests.graph(key(InternalRow(0L)))
    def add(pane: Int): Unit =
      graph.add(random.nextInt(20000).toLong, random.nextInt(20000).toLong, pane * 10L)
    for (dense <- 1000 until 1010) {
      (0 until 40000).foreach(_ => add(dense))
      add(dense - 1000)
    }
    checkWeight(forests)
  }

  test("dense panes in turn with panes of so few vertices that these do not hand on the memory of those") {
    val random = new SplittableRandom(7)
    val forests = open(strings = false, forState = false)
    val graph = forests.graph(key(InternalRow(0L)))
    for (pane <- 0 until 20) {
      val vertices = if (pane % 2 == 0) 20000 else 150
      (0 until 2 * vertices).foreach { _ =>
        graph.add(random.nextInt(vertices).toLong, random.nextInt(vertices).toLong, pane * 10L)
      }
    }
    checkWeight(forests)
  }

  test("a few graphs of long keys") {
    val ofText = UnsafeProjection.create(Array[DataType](StringType))
    val schema = StructType(
      StructField("key", StringType) +: PackedBlock.fields :+ StructField("eventTime", TimestampType)
    )
    val forests = new OpenGraphs(Panes(10, 10), strings = false, forState = false, None, schema)
    (0 until graphs).foreach { g =>
      forests.graph(ofText(InternalRow(UTF8String.fromString(s"$g" * 5000)))).add(1L, 2L, 0L)
    }
    checkWeight(forests)
  }

  test("graphs that have rows with a null alone") {
    Seq(false, true).foreach { strings =>
      val forests = open(strings, forState = false)
      (0 until graphs).foreach(g => forests.graph(key(InternalRow(g.toLong))).addNull())
      checkWeight(forests)
    }
  }

  private def blocks(forests: OpenGraphs): Seq[InternalRow] =
    Iterator.continually(forests.next()).takeWhile(_ != null).map(_.copy()).toSeq

  /** Edges of many dense vertices in each of some panes, and what is left of them. */
  private class DensePanes(forState: Boolean) {
    private val random = new SplittableRandom(1)
    private val edges = ArrayBuffer.empty[TimedEdge]
    val forests: OpenGraphs = open(strings = false, forState)

    def add(pane: Long, count: Int = 30000): Unit = (0 until count).foreach { _ =>
      val edge = TimedEdge(pane, random.nextLong(20000), random.nextLong(20000))
      edges += edge
      forests.graph(key(InternalRow(0L))).add(edge.src, edge.dst, pane * 10)
    }

    /** The blocks of each pane, which hold all edges of it. */
    def close(): Map[Long, Seq[InternalRow]] = {
      forests.close()
      val byPane = blocks(forests).groupBy(_.getLong(1))
      assert(byPane.keySet == edges.map(_.time).toSet)
      byPane.foreach { case (pane, rows) =>
        val own = edges.filter(_.time == pane)
        assert(rows.map(_.getLong(2)).sum == own.size)
        val links = rows.flatMap(row => TestEdges.links(EdgeSets.fromBytes(row.getBinary(3))))
        assert(Oracle.components(links) == Oracle.components(own.toSeq))
      }
      byPane
    }
  }

  Seq(false, true).foreach { forState =>
    val kind = if (forState) "stream" else "batch"

    test(
      s"a $kind: the forest of a dense pane is packed when the next pane begins, in whose memory that is made"
    ) {
      val dense = new DensePanes(forState)
      dense.add(0)
      val one = dense.forests.weight
      (1L until 6L).foreach(dense.add(_))
      assert(dense.forests.weight < 2 * one)
      checkWeight(dense.forests)
      assert(dense.close().values.forall(_.size == 1))
    }

    test(s"a $kind: edges that come back to a dense pane, once and to and fro, are in blocks of their own") {
      val dense = new DensePanes(forState)
      dense.add(0)
      dense.add(1)
      dense.add(0, count = 100)
      dense.add(2)
      (0 until 3000).foreach(i => dense.add(i % 3L, count = 1))
      checkWeight(dense.forests)
      val blocks = dense.close()
      assert(blocks.view.mapValues(_.size).toMap == Map(0L -> 2, 1L -> 2, 2L -> 1))
    }
  }
}
