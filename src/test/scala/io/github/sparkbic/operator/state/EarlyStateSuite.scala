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
import io.github.sparkbic.operator.block.{Names, PackedBlock}
import io.github.sparkbic.operator.question.{Pairs, PairsConnected, Queries, QuerySet, Question}

/** Early rows, micro-batch by micro-batch on a model of the state store: new pairs, pairs that are there several times, ids
  * that someone has chosen, and state that is damaged.
  */
class EarlyStateSuite extends SharedSparkSession with ScalaCheckPropertyChecks {
  import EarlyStateSuite._

  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 60, sizeRange = 30)

  // Panes of a millisecond, in windows of four.
  private def graphOf(strings: Boolean, inPanes: Boolean, cache: CacheLimit) = new StoredGraph(
    StateShape("recency", Panes(4000L, 1000L), strings, Kept.Emitted, Seq("site")),
    inPanes,
    cache
  )

  private def question(strings: Boolean, pairs: Seq[(Long, Long)]): Question = {
    def asked(vertex: Long): Any = if (strings) Names.inOrder(vertex).getBytes(UTF_8) else vertex
    val set = QuerySet(pairs.map { case (source, target) => Row(asked(source), asked(target)) }, 2)(Pairs(_))
    val queries = new Queries[Pairs] {
      override def send(): Unit = ()
      override def value: QuerySet[Pairs] = set
    }
    new PairsConnected(queries, if (strings) StringType else LongType, since = false, early = true)
  }

  private def block(strings: Boolean, pane: Long, edges: Seq[TimedEdge]): PackedBlock =
    if (strings) Names.block(pane, edges, Names.inOrder)
    else PackedBlock(pane, edges.size.toLong, TestEdges.any(pane, edges).toBytes, null)

  /** Start of the window in panes, source, target and answer of each row. */
  private type Answer = (Long, Long, Long, Boolean)

  private def vertex(value: Any): Long = value match {
    case bytes: Array[Byte] =>
      java.lang.Long.parseUnsignedLong(new String(bytes, UTF_8), 16) ^ Long.MinValue
    case number => number.asInstanceOf[Long]
  }

  private def run(graph: StoredGraph, question: Question, state: Held, watermark: Long)(
      blocks: PackedBlock*
  ): (Seq[Answer], Held) = {
    val (rows, after) = graph.run(question, state, watermark, blocks: _*)
    val answers = rows.filterNot(_.isNullAt(1)).map { row =>
      (row.getLong(1) / 1000, vertex(row.get(3)), vertex(row.get(4)), row.getBoolean(5))
    }
    (answers.sorted, after)
  }

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

  private def checkAgainstOracle(steps: Seq[Step], graph: StoredGraph, changes: Boolean): Unit = {
    val strings = graph.shape.strings
    var state = Held()
    var edges = Seq.empty[TimedEdge]
    var (closed, watermark) = (0L, 0L)
    val told = mutable.Set.empty[(Long, (Long, Long), Int)]
    (steps :+ Step(20, Nil, Seq((3L, Colliding)))).foreach { step =>
      watermark += step.forward
      val pairs = if (changes) step.pairs else vertices.zip(vertices.tail) :+ ((1L, 2L))
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
        block(strings, pane, same)
      }
      val (rows, after) = run(graph, question(strings, pairs), state, watermark)(blocks: _*)
      assert(rows == wanted.sorted)
      state = after
    }
    assert(state == Held())
  }

  for {
    inPanes <- Seq(false, true)
    (way, limit, changes) <- Seq(("alive", None, false), ("restarted with other pairs", Some(0L), true))
  } test(s"${if (inPanes) "panes" else "value"}, $way: whoever chooses the ids, each row comes once") {
    forAll(Gen.zip(step, Gen.listOf(step)), Gen.oneOf(true, false)) { case ((first, others), strings) =>
      checkAgainstOracle(first +: others, graphOf(strings, inPanes, CacheLimit(limit, minBytes = 0)), changes)
    }
  }

  test("panes: a part that is missing where only early rows read it is refused with the graph's key") {
    val graph = graphOf(strings = false, inPanes = true, CacheLimit(Some(0)))
    val asked = question(strings = false, Seq((1L, 2L), (1L, 3L)))
    def edge(pane: Long, src: Long) = block(strings = false, pane, Seq(TimedEdge(pane, src, src + 1)))
    val (_, first) = run(graph, asked, Held(), 0)(edge(2, 1))
    val (part, beside) = (StatePlace.Part(2, 0), StatePlace.Beside)
    def refusal(damaged: Held) = graph.refusal(asked, damaged, 0, edge(3, 2))
    assert(refusal(first.updated(part, None)).startsWith("part 0 of pane 2 is missing. "))
    assert(refusal(first.updated(beside, None)).startsWith("its emitted windows are missing. "))
    graph.assertDamageIsRefused(asked, first, 0, edge(3, 2))(beside)
    // Without new edges, and before a window is due, only the header is read.
    assert(run(graph, asked, first.updated(part, None).updated(beside, None), 0)()._1.isEmpty)
  }
}

private object EarlyStateSuite {

  /** A micro-batch: panes that the watermark moves on, edges with their distance to it, and the pairs after a restart. */
  final case class Step(forward: Int, edges: Seq[(Int, Long, Long)], pairs: Seq[(Long, Long)])
}
