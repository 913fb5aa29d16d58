package io.github.sparkbic.operator.state

import org.apache.spark.sql.Row
import org.apache.spark.sql.test.SharedSparkSession

import io.github.sparkbic.index.{Indexes, TestEdges, TimedEdge}
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.operator.WindowOperator
import io.github.sparkbic.operator.block.PackedBlock
import io.github.sparkbic.operator.question.ComponentStats
import io.github.sparkbic.operator.state.AttemptsSuite.{KeptAsValue, KeptByPane, StoredGraph}

/** A watermark behind that of an earlier micro-batch, as a restart gives it after a join with a longer interval. */
class WatermarkGoesBackSuite extends SharedSparkSession {

  private def edgeIn(pane: Long): PackedBlock =
    PackedBlock(pane, 1, TestEdges.forest(Seq(TimedEdge(pane, pane, pane + 1))).toBytes, null)

  /** Each micro-batch has its watermark and its edges. Gives start of window and edges of each answer, and late edges. */
  private def run[S](kept: StoredGraph[S], batches: Seq[(Long, Seq[Long])]): (Seq[(Long, Long)], Long) = {
    val operator = new WindowOperator(kept.shape, new ComponentStats(false))
    var state = kept.empty
    val rows = batches.flatMap { case (watermark, panes) =>
      val (store, result) = kept.attempt(state, watermark)
      val rows = operator.stream(Row(0), panes.iterator.map(edgeIn), store).toList
      state = result()
      rows
    }
    val (counters, answers) = rows.partition(_.isNullAt(1))
    (
      // Where windows are compared, the one after the last edge is answered, too.
      answers.map(row => (row.getLong(1) / 1000, row.getLong(4))).filter(_._2 > 0),
      counters.map(_.getAs[Array[Long]](counters.head.size - 1)(1)).sum
    )
  }

  for {
    index <- Indexes.names
    inPanes <- Seq(false, true)
    compares <- Seq(false, true)
    limit <- Seq(None, Some(0L))
  } test(
    s"$index, ${if (inPanes) "panes" else "value"}, ${if (compares) "windows compared" else "windows apart"}, " +
      s"${if (limit.isEmpty) "alive" else "restored"}: no window is answered twice, and what is fed stays closed"
  ) {
    val shape = StateShape(
      index,
      Panes(5000, 2000),
      strings = false,
      if (compares) Kept.WindowBefore() else Kept.Nothing
    )
    val cache = CacheLimit(limit, minBytes = 0)
    val kept = if (inPanes) new KeptByPane(shape, cache) else new KeptAsValue(shape, cache)
    // The watermark goes back from 8 to 3. Windows end with odd panes, so pane 7 has been fed only where windows are apart.
    val batches = Seq((0L, 0L to 9L), (8L, Seq(8L)), (3L, Seq(4L, 7L, 8L, 9L)), (5L, Nil), (40L, Nil))
    val (answers, late) = run(kept, batches.map { case (watermark, panes) => (watermark, panes.toSeq) })
    val ofPane7 = if (compares) 2L else 1L
    assert(late == 3 - ofPane7)
    val last = Seq((4L, 6 + ofPane7), (6L, 6 + ofPane7), (8L, 5L))
    assert(answers == Seq((-4L, 1L), (-2L, 3L), (0L, 5L), (2L, 5L)) ++ last)
  }
}
