package io.github.sparkbic.operator.forests

import scala.collection.compat._

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{BoundReference, Literal}
import org.apache.spark.sql.types.{DataType, IntegerType, LongType, StringType, TimestampType}
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.{Stream, Streams, TimedEdge}
import io.github.sparkbic.index.Streams.shrinkStream
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.forests.EdgeSets
import io.github.sparkbic.operator.block.Names.nameOf
import io.github.sparkbic.operator.block.PackedBlock

/** Stage 1 by itself: what leaves an input task. */
class PaneForestsSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  import StageOne._

  private def generator(
      panes: Panes = Panes(10, 10),
      forState: Boolean = true,
      strings: Boolean,
      segments: Option[Segments] = None
  ): PaneForests = {
    val end = if (strings) StringType else LongType
    val edge = Seq(end, end, TimestampType).zipWithIndex.map { case (t, i) => BoundReference(i, t, true) }
    val first = IntegerType +: segments.map(_ => LongType: DataType).toSeq
    PaneForests(Seq(Literal(0)), edge, panes, schema(first: _*), forState, segments)
  }

  private def end(vertex: Long, strings: Boolean): Any = if (strings) utf8(nameOf(vertex)) else vertex

  private def row(src: Any, dst: Any, time: Any): InternalRow = InternalRow(src, dst, time)

  /** Gives edges to the generator, which is to hold them all. */
  private def add(forests: PaneForests, edges: Iterable[TimedEdge], strings: Boolean): Unit =
    edges.foreach { e =>
      assert(forests.eval(row(end(e.src, strings), end(e.dst, strings), e.time)).iterator.isEmpty)
    }

  private def sent(forests: PaneForests): Seq[PackedBlock] = forests.terminate().iterator.map(block(_)).toSeq

  private def isLoose(block: PackedBlock): Boolean = EdgeSets.areLoose(block.edgeSet)

  private def vertexOf(stream: Stream): Map[String, Long] = stream.vertices.map(v => nameOf(v) -> v).toMap

  test("a stream of strings sends its blocks by rising pane, and leaves nothing for the next partition") {
    val forests = generator(strings = true)
    add(forests, Seq(70L, 20L, 50L, 20L).map(TimedEdge(_, 1, 2)), strings = true)
    val blocks = sent(forests)
    assert(blocks.map(_.pane) == Seq(2, 5, 7) && blocks.forall(_.dictionary == 0) && sent(forests).isEmpty)
  }

  test("what waits in a batch is bounded by the bytes of long names as well") {
    val forests = generator(Panes(1000, 10), forState = false, strings = true)
    val long = "x" * 70000
    val early = (0 until 3000).map(i => forests.eval(row(utf8(long + i), utf8("y"), 0L)).iterator.size).sum
    assert(early > 0 && early < 10)
    assert(sent(forests).size == 1)
  }

  test("a segment gets a block of each pane that it needs, and is read without the others; nulls go to one") {
    forAll(Streams.stream, Gen.choose(1, 3), Gen.oneOf(true, false), Gen.oneOf(true, false)) {
      (stream: Stream, windows: Int, strings: Boolean, compares: Boolean) =>
        val panes = stream.panes
        val cut = Segments(panes, math.max(1, windows), compares)
        val forests = generator(panes, forState = false, strings = strings, segments = Some(cut))
        val one = end(1, strings)
        Seq(row(null, one, 0L), row(one, null, 0L), row(one, one, null)).foreach(forests.eval(_))
        add(forests, stream.edges, strings)
        val rows = forests.terminate().iterator.map(r => r.getLong(1) -> block(r, 2)).toSeq
        assert(rows.head == 0L -> PackedBlock(PackedBlock.NoPane, 3, null, null))
        val byPane = wanted(stream.edges, panes)
        val bySegment = byPane.keys.toSeq.flatMap(p => cut.needing(p).map(_ -> p)).groupMap(_._1)(_._2)
        val found = rows.tail.groupMap(_._1)(_._2)
        assert(found.keySet == bySegment.keySet && rows.size == 1 + bySegment.values.map(_.size).sum)
        found.foreach { case (segment, blocks) =>
          assert(read(blocks, strings, vertexOf(stream)) == byPane.filter(b =>
            bySegment(segment).contains(b._1)
          ))
        }
    }
  }

  // Blocks of panes of `edges` edges each, between vertices below the given bounds. As many edges of every pane come in
  // each further part.
  private def blocksOf(edges: Int, bounds: Seq[Int], forState: Boolean, parts: Int, strings: Boolean) = {
    val forests = generator(forState = forState, strings = strings)
    val random = new java.util.SplittableRandom(3)
    for (_ <- 0 until parts; (vertices, pane) <- bounds.zipWithIndex; _ <- 0 until edges)
      add(
        forests,
        Seq(TimedEdge(pane * 10L, random.nextInt(vertices).toLong, random.nextInt(vertices).toLong)),
        strings
      )
    sent(forests).sortBy(_.pane)
  }

  private val many = 1000000
  private def loose(panes: Int) = Seq.fill(panes)(true)
  private def forest(panes: Int) = Seq.fill(panes)(false)

  for {
    forState <- Seq(false, true)
    strings <- Seq(false, true)
    mode = (if (forState) "stream" else "batch") + (if (strings) " of strings" else "")
    (what, (edges, bounds, parts, loose)) <- Seq[(String, (Int, Seq[Int], Int, Seq[Boolean]))](
      "leaves edges as they are of which a forest would leave most" ->
        ((1000, Seq.fill(5)(many), 1, loose(5))),
      "makes forests of dense panes, whatever the pane before was like" ->
        ((1000, Seq.fill(2)(many) ++ Seq.fill(3)(300), 1, loose(2) ++ forest(3))),
      "leaves edges as they are that come in parts" -> ((1000, Seq.fill(5)(many), 16, loose(5))),
      "thins what is dense as a whole, though no part is" -> ((1000, Seq.fill(5)(3000), 16, forest(5))),
      "of a few edges a pane: in a state, they are a forest" ->
        ((20, Seq.fill(3)(4), 1, Seq.fill(3)(!forState)))
    )
  } test(s"a $mode $what") {
    val blocks = blocksOf(edges, bounds, forState, parts, strings)
    assert(blocks.map(isLoose) == loose)
    blocks.zip(bounds).foreach { case (block, vertices) =>
      val count = links(block).size
      assert(if (isLoose(block)) count == edges * parts else count > 0 && count <= vertices)
    }
  }
}
