package io.github.sparkbic.operator.state

import scala.util.Random

import org.apache.spark.sql.Row
import org.apache.spark.sql.test.SharedSparkSession

import io.github.sparkbic.index.{Oracle, TestEdges, TimedEdge}
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.operator.WindowOperator
import io.github.sparkbic.operator.block.PackedBlock
import io.github.sparkbic.operator.question.ComponentStats
import io.github.sparkbic.operator.state.AttemptsSuite.{Held, KeptByPane}

/** Panes kept one by one, of which every input task sends loose edges. */
class LoosePartsSuite extends SharedSparkSession {
  private val random = new Random(3)

  // Windows of 5 panes of a second, restored in every micro-batch.
  private val kept = new KeptByPane(
    StateShape("recency", Panes(5000L, 1000L), strings = false, by = Seq("site")),
    CacheLimit(Some(0))
  )

  /** The edges of each task in a pane. */
  private def tasks(count: Int, pane: Long, vertices: Int): Seq[Seq[TimedEdge]] = {
    def vertex() = random.nextInt(vertices).toLong
    Seq.fill(count, 200)(TimedEdge(pane, vertex(), vertex()))
  }

  private def blocksOf(tasks: Seq[Seq[TimedEdge]]): Seq[PackedBlock] =
    tasks.map(edges => PackedBlock(edges.head.time, edges.size.toLong, TestEdges.loose(edges).toBytes, null))

  private def run(state: Held, watermark: Long, blocks: Seq[PackedBlock]): (Seq[Row], Held) = {
    val (store, result) = kept.attempt(state, watermark)
    val rows = new WindowOperator(
      kept.shape,
      new ComponentStats(false)
    ).stream(Row("a"), blocks.iterator, store).toList
    (rows, result())
  }

  /** Vertices and components of the windows that were answered. */
  private def counts(rows: Seq[Row]): Seq[(Long, Long)] =
    rows.filterNot(_.isNullAt(1)).map(row => (row.getLong(3), row.getLong(5)))

  private def wanted(edges: Seq[TimedEdge]): (Long, Long) = {
    val components = Oracle.components(edges)
    (components.size.toLong, components.values.toSet.size.toLong)
  }

  test(
    "where edges have vertices of their own, the parts of a pane stay as they are until no window holds it"
  ) {
    val (third, fourth) = (tasks(8, 3, 100000), tasks(8, 4, 100000))
    val (_, open) = run(kept.empty, 0, blocksOf(third))
    assert(open.parts.keySet == (0 until 8).map(part => (3L, part)).toSet)
    val (_, both) = run(open, 3, blocksOf(fourth))
    val (rows, closed) = run(both, 5, Nil)
    assert(counts(rows) == Seq(wanted(third.flatten), wanted((third ++ fourth).flatten)))
    assert(both.parts.keySet == (for (pane <- 3L to 4L; part <- 0 until 8) yield (pane, part)).toSet)
    assert(closed.parts == both.parts)
    val (later, last) = run(closed, 8, Nil)
    assert(counts(later).last == wanted((third ++ fourth).flatten))
    assert(last.parts.keySet == (0 until 8).map(part => (4L, part)).toSet)
    assert(run(last, 9, Nil)._2 == kept.empty)
  }

  test("parts whose edges share their vertices are one when their pane has closed") {
    val edges = tasks(8, 3, 300)
    val (_, open) = run(kept.empty, 0, blocksOf(edges.take(4)))
    val (_, both) = run(open, 0, blocksOf(edges.drop(4)))
    assert(both.parts.keySet == Set((3L, 0), (3L, 1)))
    val (rows, closed) = run(both, 4, Nil)
    assert(closed.parts.keySet == Set((3L, 0)))
    assert(counts(rows) == Seq(wanted(edges.flatten)))
  }

  test("parts are one where there would be very many") {
    val edges = tasks(40, 3, 1000000)
    val (_, open) = run(kept.empty, 0, blocksOf(edges.take(30)))
    assert(open.parts.size == 30)
    val (_, united) = run(open, 0, blocksOf(edges.drop(30)))
    assert(united.parts.keySet == Set((3L, 0)))
    assert(counts(run(united, 4, Nil)._1) == Seq(wanted(edges.flatten)))
  }
}
