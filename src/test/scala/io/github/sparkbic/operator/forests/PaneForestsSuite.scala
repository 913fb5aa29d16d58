package io.github.sparkbic.operator.forests

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{BoundReference, Literal}
import org.apache.spark.sql.types.{
  DataType,
  IntegerType,
  LongType,
  StringType,
  StructField,
  StructType,
  TimestampType
}
import org.apache.spark.unsafe.types.UTF8String
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.{
  BinaryReader,
  BinaryWriter,
  ConnectivityIndex,
  IndexSize,
  LooseEdges,
  Oracle,
  PaneForest,
  Panes,
  Segments,
  Stream,
  Streams,
  TimedEdge
}
import io.github.sparkbic.index.Streams.shrinkStream
import io.github.sparkbic.operator.block.{PackedBlock, VertexIds}
import io.github.sparkbic.operator.block.Names.nameOf

/** Stage 1 by itself: what leaves an input task. */
class PaneForestsSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  private def generator(
      panes: Panes,
      keyed: Boolean,
      thinsAll: Boolean = true,
      ends: DataType = LongType,
      segments: Option[Segments] = None
  ): PaneForests = {
    val edge = Seq(ends, ends, TimestampType).zipWithIndex.map { case (t, i) =>
      BoundReference(i, t, true)
    }
    val key = if (keyed) BoundReference(3, IntegerType, true) else Literal(0)
    val schema = StructType(
      (StructField("key0", IntegerType) +: segments.map(_ => StructField("segment", LongType)).toSeq) ++
        PackedBlock.fields :+ StructField("eventTime", TimestampType)
    )
    PaneForests(key +: edge, panes, schema, thinsAll, segments)
  }

  private def row(src: Any, dst: Any, time: Any, key: Int = 0): InternalRow = InternalRow(src, dst, time, key)

  private def block(row: InternalRow): (Int, PackedBlock) = (row.getInt(0), block(row, 1))

  private def block(row: InternalRow, from: Int): PackedBlock = PackedBlock(
    row.getLong(from),
    row.getLong(from + 1),
    row.getBinary(from + 2),
    row.getBinary(from + 3),
    row.getBinary(from + 4),
    row.getBinary(from + 5)
  )

  private def links(block: PackedBlock, ids: VertexIds = VertexIds.create(strings = false)): Seq[TimedEdge] =
    if (block.loose != null) {
      val index = new EdgeCollector
      new LooseEdges(block.pane, block.loose, ids.looseIds(block)).insertInto(index)
      index.edges.toSeq
    } else {
      val forest = ids.forest(block)
      forest.ids.indices.map(i => TimedEdge(block.pane, forest.ids(i), forest.ids(forest.parents(i))))
    }

  test("one block a graph and pane, with the components of its edges and their number") {
    forAll(Streams.stream, Gen.choose(0L, 1000L), Gen.oneOf(true, false)) {
      (stream: Stream, salt: Long, thinsAll: Boolean) =>
        val forests = generator(stream.panes, keyed = true, thinsAll)
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
          assert(!thinsAll || block.loose == null)
          assert(Oracle.components(links(block)) == Oracle.components(edges))
        }
        // Nothing is left for the next partition of the task.
        assert(forests.terminate().iterator.isEmpty)
    }
  }

  test("string ids: one block a graph and pane, by rising pane, with the components of its edges") {
    forAll(Streams.stream, Gen.choose(0L, 1000L), Gen.oneOf(true, false)) {
      (stream: Stream, salt: Long, thinsAll: Boolean) =>
        val forests = generator(stream.panes, keyed = true, thinsAll, StringType)
        val shuffled = new scala.util.Random(salt).shuffle(stream.edges)
        val graphOf = shuffled.map(e => e -> ((e.time + salt) % 3).toInt)
        val numberOf = stream.vertices.map(v => nameOf(v) -> v).toMap
        graphOf.foreach { case (e, graph) =>
          def end(vertex: Long) = UTF8String.fromString(nameOf(vertex))
          assert(forests.eval(row(end(e.src), end(e.dst), e.time, graph)).iterator.isEmpty)
        }
        val blocks = forests.terminate().iterator.map(block).toSeq
        val wanted = graphOf.groupBy { case (e, graph) => (graph, stream.panes.paneOf(e.time)) }
        assert(blocks.map(b => (b._1, b._2.pane)).sorted == wanted.keys.toSeq.sorted)
        blocks.groupBy(_._1).foreach { case (graph, ofGraph) =>
          assert(ofGraph.map(_._2.pane) == ofGraph.map(_._2.pane).sorted)
          val ids = VertexIds.create(strings = true)
          ofGraph.foreach { case (_, block) =>
            val edges = wanted((graph, block.pane)).map(_._1)
            assert(block.edges == edges.size && (block.delta == null) == thinsAll)
            val got = links(block, ids).map { e =>
              e.copy(src = numberOf(ids.show(e.src).toString), dst = numberOf(ids.show(e.dst).toString))
            }
            assert(Oracle.components(got) == Oracle.components(edges))
          }
        }
        assert(forests.terminate().iterator.isEmpty)
    }
  }

  test(
    "string ids: a batch sends each name once, and what waits is bounded by the bytes of long names as well"
  ) {
    val forests = generator(Panes(1000, 10), keyed = false, thinsAll = false, StringType)
    (0 until 5000).foreach { i =>
      val (src, dst) = (UTF8String.fromString(nameOf(i % 97L)), UTF8String.fromString(nameOf(i % 89L)))
      assert(forests.eval(row(src, dst, i % 50 * 10L)).iterator.isEmpty)
    }
    val blocks = forests.terminate().iterator.map(block(_)._2).toSeq
    assert(blocks.size == 50)
    assert(blocks.map(block => new BinaryReader(block.names).count("the number of names")).sum == 97)

    val long = "x" * 70000
    val early = (0 until 3000).iterator.flatMap { i =>
      forests.eval(row(UTF8String.fromString(long + i), UTF8String.fromString("y"), 0L)).iterator
    }.size
    assert(early > 0 && early < 10)
    assert(forests.terminate().iterator.size == 1)
  }

  test("a segment gets a block of each pane that it needs, and is read without the others; nulls go to one") {
    forAll(Streams.stream, Gen.choose(1, 3), Gen.oneOf(true, false), Gen.oneOf(true, false)) {
      (stream: Stream, windows: Int, strings: Boolean, compares: Boolean) =>
        val panes = stream.panes
        val cut = Segments(panes, math.max(1, windows), compares)
        val ends = if (strings) StringType else LongType
        val forests = generator(panes, keyed = false, thinsAll = false, ends, Some(cut))
        def end(vertex: Long) = if (strings) UTF8String.fromString(nameOf(vertex)) else vertex
        val nameless = stream.vertices.map(v => nameOf(v) -> v).toMap
        val nulls = (1 to 3).flatMap(_ => forests.eval(row(null, end(1), 0L)).iterator)
        val early = stream.edges.flatMap(e => forests.eval(row(end(e.src), end(e.dst), e.time)).iterator)
        assert(nulls.isEmpty && early.isEmpty)
        val rows = forests.terminate().iterator.map(r => r.getLong(1) -> block(r, 2)).toSeq
        assert(rows.head == 0L -> PackedBlock(PackedBlock.NoPane, 3, null, null))

        val byPane = stream.edges.groupBy(e => panes.paneOf(e.time))
        val wanted =
          byPane.keys.flatMap(p => (cut.of(p) to cut.of(p) + 1).filter(cut.needs(_, p)).map(_ -> p))
        assert(rows.tail.map { case (segment, block) => segment -> block.pane }.sorted == wanted.toSeq.sorted)
        rows.tail.groupMap(_._1)(_._2).values.foreach { blocks =>
          val ids = VertexIds.create(strings)
          blocks.foreach { block =>
            val got = links(block, ids).map { e =>
              def known(id: Long) = if (strings) nameless(ids.show(id).toString) else id
              e.copy(src = known(e.src), dst = known(e.dst))
            }
            assert(block.edges == byPane(block.pane).size)
            assert(Oracle.components(got) == Oracle.components(byPane(block.pane)))
          }
        }
    }
  }

  // Blocks of panes of `edges` edges each, between vertices below the given bounds.
  private def blocksOf(edges: Int, bounds: Seq[Int], thinsAll: Boolean): Seq[PackedBlock] = {
    val forests = generator(Panes(10, 10), keyed = false, thinsAll)
    val random = new java.util.SplittableRandom(3)
    bounds.zipWithIndex.foreach { case (vertices, pane) =>
      (0 until edges).foreach { _ =>
        val (src, dst) = (random.nextInt(vertices).toLong, random.nextInt(vertices).toLong)
        assert(forests.eval(row(src, dst, pane * 10L)).iterator.isEmpty)
      }
    }
    forests.terminate().iterator.map(block(_)._2).toSeq.sortBy(_.pane)
  }

  test("a batch leaves edges as they are after a pane of which a forest left most, and looks again later") {
    val sparse = blocksOf(1000, Seq.fill(19)(1000000), thinsAll = false)
    // The first one tells; sixteen later, another one does.
    assert(sparse.map(_.loose == null) == (true +: Seq.fill(16)(false)) ++ Seq(true, false))
    assert(sparse.forall(links(_).nonEmpty) && sparse.filter(_.loose != null).forall(links(_).size == 1000))
    assert(blocksOf(1000, Seq.fill(5)(300), thinsAll = false).forall(_.loose == null))
    assert(blocksOf(1000, Seq.fill(5)(1000000), thinsAll = true).forall(_.loose == null))
    // A stream that turns dense is thinned from the next look on.
    val turning = blocksOf(1000, Seq.fill(2)(1000000) ++ Seq.fill(20)(300), thinsAll = false)
    assert(turning.map(_.loose == null) == (true +: Seq.fill(16)(false)) ++ Seq.fill(5)(true))
  }

  test("a pane that grows far beyond the one that told is thinned after all") {
    val forests = generator(Panes(10, 10), keyed = false, thinsAll = false)
    (0L until 1000L).foreach(i => forests.eval(row(2 * i, 2 * i + 1, 0L)).iterator)
    (0L until 5000L).foreach(i => forests.eval(row(i % 100, i % 99, 10L)).iterator)
    val blocks = forests.terminate().iterator.map(block(_)._2).toSeq.sortBy(_.pane)
    assert(blocks.map(_.loose == null) == Seq(true, true) && blocks.map(_.edges) == Seq(1000L, 5000L))
    assert(PaneForest.fromBytes(blocks.last.forest).size == 100)
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

/** Notes the edges that are inserted. */
private class EdgeCollector extends ConnectivityIndex {
  val edges: ArrayBuffer[TimedEdge] = ArrayBuffer.empty
  override def insert(pane: Long, src: Long, dst: Long): Unit = edges += TimedEdge(pane, src, dst)
  override def insert(pane: Long, forest: PaneForest): Unit = fail
  override def closePane(pane: Long): Unit = fail
  override def connected(windowStart: Long, source: Long, target: Long): Boolean = fail
  override def components(windowStart: Long)(visit: (Long, Long) => Unit): Unit = fail
  override def vertices(visit: Long => Unit): Unit = fail
  override def save(out: BinaryWriter): IndexSize = fail
  private def fail: Nothing = throw new UnsupportedOperationException("only edges are inserted here")
}
