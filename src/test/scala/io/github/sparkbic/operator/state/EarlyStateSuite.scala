package io.github.sparkbic.operator.state

import org.apache.spark.sql.Row
import org.apache.spark.sql.test.SharedSparkSession
import org.apache.spark.sql.types.LongType

import io.github.sparkbic.index.{TestEdges, TimedEdge}
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.operator.WindowOperator
import io.github.sparkbic.operator.block.PackedBlock
import io.github.sparkbic.operator.question.{PairsConnected, QuerySet, SentQueries}
import io.github.sparkbic.operator.state.AttemptsSuite.{Held, Kept, KeptAsValue, KeptByPane}

/** Early rows, micro-batch by micro-batch on a model of the state store: attempts, new pairs, and state that is damaged. */
class EarlyStateSuite extends SharedSparkSession {
  private val key = Row("a")

  // Panes of a millisecond, in windows of four.
  private val shape =
    StateShape("recency", Panes(4000L, 1000L), strings = false, by = Seq("site"), early = true)

  private def operator(pairs: (Long, Long)*): WindowOperator = {
    val queries = new SentQueries(
      spark.sparkContext,
      () => QuerySet(pairs.map { case (source, target) => Row(source, target) })
    )
    val question = new PairsConnected(queries, LongType, since = false, early = true)
    question.beforeTasks()
    new WindowOperator(shape, question)
  }

  private def edge(pane: Long, src: Long, dst: Long): PackedBlock =
    PackedBlock(pane, 1L, TestEdges.any(pane, Seq(TimedEdge(pane, src, dst))).toBytes, null)

  /** Start of the window in panes, source, target and answer of each row. */
  private type Answer = (Long, Long, Long, Boolean)

  private def run[S](kept: Kept[S], operator: WindowOperator, state: S, watermark: Long)(
      blocks: PackedBlock*
  ): (Seq[Answer], S) = {
    val (store, result) = kept.attempt(state, watermark)
    val answers = operator.stream(key, blocks.iterator, store).toList.filterNot(_.isNullAt(1)).map { row =>
      (row.getLong(1) / 1000, row.getLong(3), row.getLong(4), row.getBoolean(5))
    }
    (answers.sorted, result())
  }

  private def law[S](layout: String, kept: CacheLimit => Kept[S]): Unit = {
    for (cached <- Seq(true, false))
      test(s"$layout, ${if (cached) "alive" else "restored"}: an attempt again gives the same rows") {
        val store = kept(if (cached) CacheLimit(None, minBytes = 0) else CacheLimit(Some(0)))
        val asked = operator((1L, 3L), (1L, 1L))
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
      val (_, first) = run(store, operator((1L, 1L)), store.empty, 0)(edge(2, 1, 2), edge(3, 2, 3))
      val restarted = operator((1L, 1L), (1L, 3L))
      val (rows, second) = run(store, restarted, first, 0)(edge(20, 7, 8))
      assert(rows == (0L to 2L).map(start => (start, 1L, 3L, true)))
      // The window [-1, 3) has its second pair still to come, and [3, 7) has both.
      val (closed, _) = run(store, restarted, second, 7)()
      assert(closed == Seq((-1L, 1L, 3L, false), (3L, 1L, 1L, false), (3L, 1L, 3L, false)))
    }
  }

  law("value", new KeptAsValue(shape, _))
  law("panes", new KeptByPane(shape, _))

  test("panes: a part that is missing where only early rows read it is refused with the graph's key") {
    val kept = new KeptByPane(shape, CacheLimit(Some(0)))
    val asked = operator((1L, 3L))
    val (_, first) = run(kept, asked, kept.empty, 0)(edge(2, 1, 2))
    val damaged: Held = first.copy(parts = Map.empty)
    val refusal = intercept[IllegalStateException](run(kept, asked, damaged, 0)(edge(3, 2, 3))).getMessage
    assert(refusal.startsWith("the state of graph [a] cannot be read: part 0 of pane 2 is missing. "))
  }
}
