package io.github.sparkbic.operator.state

import java.nio.charset.StandardCharsets.UTF_8

import scala.collection.mutable

import org.apache.spark.sql.Row
import org.apache.spark.sql.test.SharedSparkSession
import org.apache.spark.sql.types.{LongType, StringType}
import org.scalacheck.Gen
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.{Oracle, TestEdges, TimedEdge}
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.operator.WindowOperator
import io.github.sparkbic.operator.block.{Names, PackedBlock}
import io.github.sparkbic.operator.question.{PairsConnected, Queries, QuerySet}
import io.github.sparkbic.operator.state.AttemptsSuite.{Held, KeptAsValue, KeptByPane, StoredGraph}

/** Early rows, micro-batch by micro-batch on a model of the state store: attempts, new pairs, ids that someone has chosen,
  * and state that is damaged.
  */
class EarlyStateSuite extends SharedSparkSession with ScalaCheckPropertyChecks {
  import EarlyStateSuite._

  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 60, sizeRange = 30)

  private val key = Row("a")

  // Panes of a millisecond, in windows of four.
  private def shapeOf(strings: Boolean) =
    StateShape("recency", Panes(4000L, 1000L), strings, Kept.Emitted, Seq("site"))

  private def operator(shape: StateShape, pairs: Seq[(Long, Long)]): WindowOperator = {
    def asked(vertex: Long): Any = if (shape.strings) Names.inOrder(vertex).getBytes(UTF_8) else vertex
    val set = QuerySet(pairs.map { case (source, target) => Row(asked(source), asked(target)) })
    val queries = new Queries {
      override def send(): Unit = ()
      override def value: QuerySet = set
    }
    val vertexType = if (shape.strings) StringType else LongType
    new WindowOperator(shape, new PairsConnected(queries, vertexType, since = false, early = true))
  }

  private def block(strings: Boolean, pane: Long, edges: (Long, Long)*): PackedBlock = {
    val timed = edges.map { case (src, dst) => TimedEdge(pane, src, dst) }
    if (strings) Names.block(pane, timed, Names.inOrder)
    else PackedBlock(pane, edges.size.toLong, TestEdges.any(pane, timed).toBytes, null)
  }

  private def edge(pane: Long, src: Long, dst: Long): PackedBlock = block(strings = false, pane, (src, dst))

  /** Start of the window in panes, source, target and answer of each row. */
  private type Answer = (Long, Long, Long, Boolean)

  private def vertex(value: Any): Long = value match {
    case bytes: Array[Byte] =>
      java.lang.Long.parseUnsignedLong(new String(bytes, UTF_8), 16) ^ Long.MinValue
    case number => number.asInstanceOf[Long]
  }

  private def run[S](kept: StoredGraph[S], operator: WindowOperator, state: S, watermark: Long)(
      blocks: PackedBlock*
  ): (Seq[Answer], S) = {
    val (store, result) = kept.attempt(state, watermark)
    val answers = operator.stream(key, blocks.iterator, store).toList.filterNot(_.isNullAt(1)).map { row =>
      (row.getLong(1) / 1000, vertex(row.get(3)), vertex(row.get(4)), row.getBoolean(5))
    }
    (answers.sorted, result())
  }

  private val shape = shapeOf(strings = false)

  private def law[S](layout: String, kept: CacheLimit => StoredGraph[S]): Unit = {
    for (cached <- Seq(true, false))
      test(s"$layout, ${if (cached) "alive" else "restored"}: an attempt again gives the same rows") {
        val store = kept(if (cached) CacheLimit(None, minBytes = 0) else CacheLimit(Some(0)))
        val asked = operator(shape, Seq((1L, 3L), (1L, 1L)))
        def twice(state: S, watermark: Long)(blocks: PackedBlock*): (Seq[Answer], S) = {
          val (first, _) = run(store, asked, state, watermark)(blocks: _*)
          val (again, after) = run(store, asked, state, watermark)(blocks: _*)
          assert(first == again)
          (again, after)
        }
        val (one, first) = twice(store.empty, 0)(edge(2, 1, 2))
        assert(one == (-1L to 2L).map(start => (start, 1L, 1L, true)))
        val (two, second) = twice(first, 0)(edge(3, 2, 3))
        assert(two.toSet == (0L to 2L).map(start => (start, 1L, 3L, true)).toSet)
        // The window [-1, 3) closes: its second pair is the only row that has not come.
        val (three, _) = twice(second, 3)()
        assert(three == Seq((-1L, 1L, 3L, false)))
      }

    test(s"$layout: a new pair after a restart is answered at once, in windows without new edges as well") {
      val store = kept(CacheLimit(Some(0)))
      val (_, first) =
        run(store, operator(shape, Seq((1L, 1L))), store.empty, 0)(edge(2, 1, 2), edge(3, 2, 3))
      val restarted = operator(shape, Seq((1L, 1L), (1L, 3L)))
      val (rows, second) = run(store, restarted, first, 0)(edge(20, 7, 8))
      assert(rows == (0L to 2L).map(start => (start, 1L, 3L, true)))
      // The window [-1, 3) has its second pair still to come, and [3, 7) has both.
      val (closed, _) = run(store, restarted, second, 7)()
      assert(closed == Seq((-1L, 1L, 3L, false), (3L, 1L, 1L, false), (3L, 1L, 3L, false)))
    }
  }

  law("value", new KeptAsValue(shape, _))
  law("panes", new KeptByPane(shape, _))

  // Chosen so that the pairs (1, 2) and (3, Colliding) have one hash under XXH64 without a seed.
  private val Colliding = -5686046541809725321L
  private val vertices = Seq(1L, 2L, 3L, Colliding, 0L, -1L, Long.MinValue, Long.MaxValue)

  private val pair = Gen.zip(Gen.oneOf(vertices), Gen.oneOf(vertices))

  private val step: Gen[Step] = for {
    forward <- Gen.choose(0, 3)
    count <- Gen.choose(0, 4)
    edges <- Gen.listOfN(count, Gen.zip(Gen.choose(0, 6), Gen.oneOf(vertices), Gen.oneOf(vertices)))
    // Often the pair that collides, and pairs that are there several times.
    some <- Gen.choose(0, 6).flatMap(Gen.listOfN(_, pair))
    pairs <- Gen.someOf(some ++ some.take(2) ++ Seq((1L, 2L), (3L, Colliding)))
  } yield Step(forward, edges, pairs.toSeq :+ ((1L, 2L)))

  private def checkAgainstOracle[S](steps: Seq[Step], kept: StoredGraph[S], changes: Boolean): Unit = {
    val strings = kept.shape.strings
    var state = kept.empty
    var edges = Seq.empty[TimedEdge]
    var (closed, watermark) = (0L, 0L)
    val told = mutable.Set.empty[(Long, (Long, Long), Int)]
    def asked(step: Step) = if (changes) step.pairs else vertices.zip(vertices.tail) :+ ((1L, 2L))
    lazy val fixed = operator(kept.shape, asked(steps.head))
    (steps :+ Step(20, Nil, Seq((3L, Colliding)))).foreach { step =>
      watermark += step.forward
      val pairs = asked(step)
      val now = if (changes) operator(kept.shape, pairs) else fixed
      val more = step.edges.map { case (ahead, src, dst) => TimedEdge(watermark + ahead, src, dst) }
      edges ++= more
      val wanted = mutable.ArrayBuffer.empty[Answer]
      for (start <- closed - 4 to watermark + 10) {
        val window = edges.filter(e => e.time >= start && e.time < start + 4)
        val found = Oracle.components(window)
        val isClosed = start + 4 <= watermark
        if (window.nonEmpty && start + 4 > closed && (isClosed || more.nonEmpty))
          pairs.indices.foreach { i =>
            val (source, target) = pairs(i)
            val isConnected = Oracle.connected(found, source, target)
            val repeat = pairs.take(i).count(_ == pairs(i))
            if ((isConnected || isClosed) && told.add((start, pairs(i), repeat)))
              wanted += ((start, source, target, isConnected))
          }
      }
      closed = watermark
      val blocks = more.groupBy(_.time).toSeq.sortBy(_._1).map { case (pane, same) =>
        block(strings, pane, same.map(e => (e.src, e.dst)): _*)
      }
      val (rows, after) = run(kept, now, state, watermark)(blocks: _*)
      assert(rows == wanted.sorted)
      state = after
    }
    assert(kept.size(state) == 0)
  }

  for {
    strings <- Seq(false, true)
    (layout, kept) <- Seq[(String, CacheLimit => StoredGraph[_])](
      ("value", new KeptAsValue(shapeOf(strings), _)),
      ("panes", new KeptByPane(shapeOf(strings), _))
    )
    (way, limit, changes) <- Seq(
      ("alive", CacheLimit(None, minBytes = 0), false),
      ("restored", CacheLimit(Some(0)), false),
      ("restarted with other pairs", CacheLimit(Some(0)), true)
    )
  } test(s"$layout, $way, strings $strings: whoever chooses the ids, each row comes once") {
    forAll(Gen.zip(step, Gen.listOf(step))) { case (first, others) =>
      checkAgainstOracle(first +: others, kept(limit), changes)
    }
  }

  test("panes: a part that is missing where only early rows read it is refused with the graph's key") {
    val kept = new KeptByPane(shape, CacheLimit(Some(0)))
    val asked = operator(shape, Seq((1L, 2L), (1L, 3L)))
    val (_, first) = run(kept, asked, kept.empty, 0)(edge(2, 1, 2))
    def refusal(damaged: Held): String =
      intercept[IllegalStateException](run(kept, asked, damaged, 0)(edge(3, 2, 3))).getMessage
    val graph = "the state of graph [a] cannot be read: "
    assert(refusal(first.copy(parts = Map.empty)).startsWith(s"${graph}part 0 of pane 2 is missing. "))
    assert(refusal(first.copy(kept = None)).startsWith(s"${graph}its emitted windows are missing. "))
    first.kept.get.indices.foreach { i =>
      val damaged = first.kept.map(bytes => bytes.updated(i, (bytes(i) ^ 1).toByte))
      assert(refusal(first.copy(kept = damaged)).startsWith(graph))
    }
    // Without new edges, and before a window is due, only the header is read.
    assert(run(kept, asked, first.copy(parts = Map.empty, kept = None), 0)()._1.isEmpty)
  }
}

private object EarlyStateSuite {

  /** A micro-batch: panes that the watermark moves on, edges with their distance to it, and the pairs after a restart. */
  final case class Step(forward: Int, edges: Seq[(Int, Long, Long)], pairs: Seq[(Long, Long)])
}
