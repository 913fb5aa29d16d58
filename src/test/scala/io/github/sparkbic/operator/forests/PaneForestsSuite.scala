package io.github.sparkbic.operator.forests

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{BoundReference, Literal}
import org.apache.spark.sql.types.{IntegerType, LongType, StructField, StructType, TimestampType}
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.{Oracle, PaneForest, Panes, Stream, Streams, TimedEdge}
import io.github.sparkbic.index.Streams.shrinkStream
import io.github.sparkbic.operator.block.PackedBlock

/** Stage 1 by itself: what leaves an input task. */
class PaneForestsSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  private def generator(panes: Panes, keyed: Boolean): PaneForests = {
    val edge = Seq(LongType, LongType, TimestampType).zipWithIndex.map { case (t, i) =>
      BoundReference(i, t, true)
    }
    val key = if (keyed) BoundReference(3, IntegerType, true) else Literal(0)
    val schema = StructType(
      StructField("key0", IntegerType) +: PackedBlock.fields :+ StructField("eventTime", TimestampType)
    )
    PaneForests(key +: edge, panes, schema)
  }

  private def row(src: Any, dst: Any, time: Any, key: Int = 0): InternalRow = InternalRow(src, dst, time, key)

  private def block(row: InternalRow): (Int, PackedBlock) =
    (row.getInt(0), PackedBlock(row.getLong(1), row.getLong(2), row.getBinary(3), row.getBinary(4)))

  private def links(block: PackedBlock): Seq[TimedEdge] = {
    val forest = PaneForest.fromBytes(block.forest)
    forest.ids.indices.map(i => TimedEdge(block.pane, forest.ids(i), forest.ids(forest.parents(i))))
  }

  test("one block a graph and pane, with the components of its edges and their number") {
    forAll(Streams.stream, Gen.choose(0L, 1000L)) { (stream: Stream, salt: Long) =>
      val forests = generator(stream.panes, keyed = true)
      val graphOf = stream.edges.map(e => e -> ((e.time + salt) % 3).toInt)
      val early = graphOf.flatMap { case (e, graph) =>
        forests.eval(row(e.src, e.dst, e.time, graph)).iterator
      }
      assert(early.isEmpty)
      val blocks = forests.terminate().iterator.map(block).toSeq
      val wanted = graphOf.groupBy { case (e, graph) => (graph, stream.panes.paneOf(e.time)) }
      assert(blocks.map(b => (b._1, b._2.pane)).sorted == wanted.keys.toSeq.sorted)
      blocks.foreach { case (graph, block) =>
        val edges = wanted((graph, block.pane)).map(_._1)
        assert(block.edges == edges.size)
        assert(Oracle.components(links(block)) == Oracle.components(edges))
      }
      // Nothing is left for the next partition of the task.
      assert(forests.terminate().iterator.isEmpty)
    }
  }

  test("rows with a null are counted in a block of their own") {
    val forests = generator(Panes(10, 10), keyed = false)
    Seq(row(1L, null, 0L), row(null, 1L, 0L), row(1L, 2L, null), row(1L, 2L, 3L)).foreach(forests.eval(_))
    val blocks = forests.terminate().iterator.map(block(_)._2).toSeq.sortBy(_.pane)
    assert(blocks.map(b => (b.countsNulls, b.pane, b.edges)) == Seq(
      (true, PackedBlock.NoPane, 3L),
      (false, 0L, 1L)
    ))
  }

  test("a task's open forests are bounded: one huge path is sent on in parts that still join all of it") {
    val forests = generator(Panes(10, 10), keyed = false)
    val vertices = OpenForests.MaxOpenVertices * 5 / 4
    val early = (1L until vertices).iterator.flatMap(v => forests.eval(row(v - 1, v, 0L)).iterator).map(block(
      _
    )._2).toSeq
    val late = forests.terminate().iterator.map(block(_)._2).toSeq
    assert(early.size == 1 && late.size == 1)
    assert((early ++ late).map(_.edges).sum == vertices - 1)
    val sizes = (early ++ late).map(b => PaneForest.fromBytes(b.forest).size.toLong)
    assert(sizes.sum == vertices + 1, "the parts share one vertex")
    // Edges are looked up, and counted, a batch at a time.
    assert(sizes.max <= OpenForests.MaxOpenVertices + 256)
  }

  test("many small graphs are bounded by what their forests take, not only by their vertices") {
    val forests = generator(Panes(10, 10), keyed = true)
    val graphs = (OpenForests.MaxOpenVertices / 8).toInt
    val early = (0 until graphs).iterator.flatMap(g => forests.eval(row(1L, 2L, 0L, g)).iterator).size
    assert(early > 0 && early + forests.terminate().iterator.size == graphs)
  }
}
