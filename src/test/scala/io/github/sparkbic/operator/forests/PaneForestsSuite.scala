package io.github.sparkbic.operator.forests

import scala.collection.compat._

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

import io.github.sparkbic.index.{Oracle, Stream, Streams, TestEdges, TimedEdge}
import io.github.sparkbic.index.Streams.shrinkStream
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.forests.{EdgeSets, LooseEdges}
import io.github.sparkbic.index.format.BinaryReader
import io.github.sparkbic.operator.block.{Names, PackedBlock, VertexIds}
import io.github.sparkbic.operator.block.Names.nameOf

/** Stage 1 by itself: what leaves an input task. */
class PaneForestsSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  private def generator(
      panes: Panes,
      keyed: Boolean,
      forState: Boolean = true,
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
    PaneForests(Seq(key), edge, panes, schema, forState, segments)
  }

  private def row(src: Any, dst: Any, time: Any, key: Int = 0): InternalRow = InternalRow(src, dst, time, key)

  private def block(row: InternalRow): (Int, PackedBlock) = (row.getInt(0), block(row, 1))

  private def block(row: InternalRow, from: Int): PackedBlock = PackedBlock(
    row.getLong(from),
    row.getLong(from + 1),
    row.getBinary(from + 2),
    row.getBinary(from + 3),
    row.getLong(from + 4)
  )

  private def links(block: PackedBlock, ids: VertexIds = VertexIds.create(strings = false)): Seq[TimedEdge] =
    TestEdges.links(ids.edgeSet(block))

  private def isLoose(block: PackedBlock): Boolean =
    EdgeSets.fromBytes(block.edgeSet).isInstanceOf[LooseEdges]

  test("one block a graph and pane, with the components of its edges and their number") {
    forAll(Streams.stream, Gen.choose(0L, 1000L), Gen.oneOf(true, false)) {
      (stream: Stream, salt: Long, forState: Boolean) =>
        val forests = generator(stream.panes, keyed = true, forState)
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

  // So many vertices that an array over their range is worth it.
  private val dense = 0L until 10000L

  /** The blocks of each pane, of edges between dense ids that come as `(src, dst, pane)`; no component may be torn. */
  private def blocksOfPanes(edges: Iterable[(Long, Long, Long)]): Map[Long, Int] = {
    val forests = generator(Panes(10, 10), keyed = false)
    edges.foreach { case (src, dst, pane) => assert(forests.eval(row(src, dst, 10 * pane)).iterator.isEmpty) }
    val blocks = forests.terminate().iterator.map(block(_)._2).toSeq.groupBy(_.pane)
    edges.groupBy(_._3).foreach { case (pane, wanted) =>
      assert(blocks(pane).map(_.edges).sum == wanted.size)
      val ofPane = wanted.map { case (src, dst, _) => TimedEdge(pane, src, dst) }.toSeq
      // Not shown: the components are thousands of vertices.
      val same = Oracle.components(blocks(pane).flatMap(links(_))) == Oracle.components(ofPane)
      assert(same, s"the components of pane $pane")
    }
    blocks.map { case (pane, found) => pane -> found.size }
  }

  test(
    "dense ids: partitions that a task reads one after the other share the forest of a pane, from the second on"
  ) {
    val edges = for {
      partition <- 0L until 5L
      pane <- 0L until 6L
      id <- dense
    } yield (id, (7 * id + partition) % dense.size, pane)
    assert(blocksOfPanes(edges) == (0L until 6L).map(pane => pane -> (if (pane < 5) 2 else 1)).toMap)
  }

  test("dense ids: a few late edges do not keep forests open") {
    val edges = (0L until 6L).flatMap { pane =>
      dense.map(id => (id, 7 * id % dense.size, pane)) ++ Seq(
        (1L, 2L, pane - 1),
        (3L, 4L, pane)
      ).filter(_._3 >= 0)
    }
    assert(blocksOfPanes(edges) == (0L until 6L).map(pane => pane -> (if (pane < 5) 2 else 1)).toMap)
  }

  test("string ids: one block a graph and pane, by rising pane, with the components of its edges") {
    forAll(Streams.stream, Gen.choose(0L, 1000L), Gen.oneOf(true, false)) {
      (stream: Stream, salt: Long, forState: Boolean) =>
        val forests = generator(stream.panes, keyed = true, forState, StringType)
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
            assert(block.edges == edges.size && (!forState || block.dictionary == 0))
            val got = links(block, ids).map { e =>
              e.copy(
                src = numberOf(Names.shown(ids, e.src).toString),
                dst = numberOf(Names.shown(ids, e.dst).toString)
              )
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
    val forests = generator(Panes(1000, 10), keyed = false, forState = false, StringType)
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
        val forests = generator(panes, keyed = false, forState = false, ends, Some(cut))
        def end(vertex: Long) = if (strings) UTF8String.fromString(nameOf(vertex)) else vertex
        val nameless = stream.vertices.map(v => nameOf(v) -> v).toMap
        val nulls = (1 to 3).flatMap(_ => forests.eval(row(null, end(1), 0L)).iterator)
        val early = stream.edges.flatMap(e => forests.eval(row(end(e.src), end(e.dst), e.time)).iterator)
        assert(nulls.isEmpty && early.isEmpty)
        val rows = forests.terminate().iterator.map(r => r.getLong(1) -> block(r, 2)).toSeq
        assert(rows.head == 0L -> PackedBlock(PackedBlock.NoPane, 3, null, null))

        val byPane = stream.edges.groupBy(e => panes.paneOf(e.time))
        val wanted =
          byPane.keys.flatMap(p => cut.needing(p).map(_ -> p))
        assert(rows.tail.map { case (segment, block) => segment -> block.pane }.sorted == wanted.toSeq.sorted)
        rows.tail.groupMap(_._1)(_._2).values.foreach { blocks =>
          val ids = VertexIds.create(strings)
          blocks.foreach { block =>
            val got = links(block, ids).map { e =>
              def known(id: Long) = if (strings) nameless(Names.shown(ids, id).toString) else id
              e.copy(src = known(e.src), dst = known(e.dst))
            }
            assert(block.edges == byPane(block.pane).size)
            assert(Oracle.components(got) == Oracle.components(byPane(block.pane)))
          }
        }
    }
  }

  // Blocks of panes of `edges` edges each, between vertices below the given bounds. As many edges of every pane come in
  // each further part.
  private def blocksOf(edges: Int, bounds: Seq[Int], forState: Boolean, parts: Int = 1): Seq[PackedBlock] = {
    val forests = generator(Panes(10, 10), keyed = false, forState)
    val random = new java.util.SplittableRandom(3)
    for {
      _ <- 0 until parts
      (vertices, pane) <- bounds.zipWithIndex
      _ <- 0 until edges
    } {
      val (src, dst) = (random.nextInt(vertices).toLong, random.nextInt(vertices).toLong)
      assert(forests.eval(row(src, dst, pane * 10L)).iterator.isEmpty)
    }
    forests.terminate().iterator.map(block(_)._2).toSeq.sortBy(_.pane)
  }

  Seq(false, true).foreach { forState =>
    val mode = if (forState) "stream" else "batch"

    test(
      s"a $mode leaves edges as they are after a pane of which a forest left most, and looks again later"
    ) {
      val sparse = blocksOf(1000, Seq.fill(19)(1000000), forState)
      // The first one tells; sixteen later, another one does.
      assert(sparse.map(isLoose) == (false +: Seq.fill(16)(true)) ++ Seq(false, true))
      assert(sparse.forall(links(_).nonEmpty) && sparse.filter(isLoose).forall(links(_).size == 1000))
      assert(!blocksOf(1000, Seq.fill(5)(300), forState).exists(isLoose))
      // A stream that turns dense is thinned from the next look on.
      val turning = blocksOf(1000, Seq.fill(2)(1000000) ++ Seq.fill(20)(300), forState)
      assert(turning.map(isLoose) == (false +: Seq.fill(16)(true)) ++ Seq.fill(5)(false))
    }

    test(s"a $mode leaves edges as they are that come in parts, as from many partitions") {
      val sparse = blocksOf(1000, Seq.fill(5)(1000000), forState, parts = 16)
      assert(sparse.map(isLoose) == Seq(false, true, true, true, true))
      assert(sparse.filter(isLoose).forall(links(_).size == 16000))
      // Each part is sparse, and the whole is not.
      val dense = blocksOf(1000, Seq.fill(5)(3000), forState, parts = 16)
      assert(!dense.exists(isLoose) && dense.forall(links(_).size <= 3000))
    }

    test(s"a $mode makes a forest of edges that come from few vertices, whatever the pane before was like") {
      val turning = blocksOf(1000, Seq.fill(2)(1000000) ++ Seq.fill(3)(200), forState)
      assert(turning.map(isLoose) == Seq(false, true, false, false, false))
      assert(turning.map(links(_).size).takeRight(3) == Seq(200, 200, 200))
    }

    test(s"a $mode of a few edges a pane: in a state, they are a forest") {
      val few = blocksOf(20, Seq.fill(3)(4), forState)
      assert(few.map(isLoose) == Seq.fill(3)(!forState))
    }

    test(s"a $mode thins a pane that grows far beyond the one that told") {
      val forests = generator(Panes(10, 10), keyed = false, forState)
      (0L until 1000L).foreach(i => forests.eval(row(2 * i, 2 * i + 1, 0L)).iterator)
      (0L until 5000L).foreach(i => forests.eval(row(i, i % 99, 10L)).iterator)
      val blocks = forests.terminate().iterator.map(block(_)._2).toSeq.sortBy(_.pane)
      assert(blocks.map(isLoose) == Seq(false, false) && blocks.map(_.edges) == Seq(1000L, 5000L))
      assert(EdgeSets.fromBytes(blocks.last.edgeSet).size == 5000)
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
    val vertices = OpenMemory.Most * 5 / 4
    val early = (1L until vertices).iterator.flatMap(v => forests.eval(row(v - 1, v, 0L)).iterator).map(block(
      _
    )._2).toSeq
    val late = forests.terminate().iterator.map(block(_)._2).toSeq
    assert(early.size == 1 && late.size == 1)
    assert((early ++ late).map(_.edges).sum == vertices - 1)
    val sizes = (early ++ late).map(b => EdgeSets.fromBytes(b.edgeSet).size.toLong)
    assert(sizes.sum == vertices + 1, "the parts share one vertex")
    // Edges are looked up, and counted, a batch at a time.
    assert(sizes.max <= OpenMemory.Most + OpenMemory.Least + 256)
  }

  test("a pane of which a forest has left most edges goes on as its edges, once the forest is sent") {
    val forests = generator(Panes(10, 10), keyed = false)
    def edge(i: Long) = row(i * 0x9e3779b97f4a7c15L, (i + 1) * 0x9e3779b97f4a7c15L ^ 1, 0L)
    val edges = OpenMemory.Most * 5 / 8
    val early = (0L until edges).iterator.flatMap(i => forests.eval(edge(i)).iterator).map(block(_)._2).toSeq
    val late = forests.terminate().iterator.map(block(_)._2).toSeq
    assert(early.map(isLoose) == Seq(false) && late.map(isLoose) == Seq(true))
    assert((early ++ late).map(_.edges).sum == edges)
  }

  test("many small graphs are bounded by what their forests take, not only by their vertices") {
    val forests = generator(Panes(10, 10), keyed = true)
    val graphs = (OpenMemory.Most / 8).toInt
    val early = (0 until graphs).iterator.flatMap(g => forests.eval(row(1L, 2L, 0L, g)).iterator).size
    assert(early > 0 && early + forests.terminate().iterator.size == graphs)
  }
}
