package io.github.sparkbic.operator.state

import org.apache.spark.sql.test.SharedSparkSession

import io.github.sparkbic.index.{Indexes, TimedEdge}
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.operator.block.Names
import io.github.sparkbic.operator.question.ComponentStats

/** A watermark behind that of an earlier micro-batch, as a restart gives it after a join with a longer interval. */
class WatermarkGoesBackSuite extends SharedSparkSession {

  private def edgeIn(pane: Long) = Names.numbered(pane, Seq(TimedEdge(pane, pane, pane + 1)))

  for {
    index <- Indexes.names
    inPanes <- Seq(false, true)
    compares <- Seq(false, true)
    limit <- Seq(None, Some(0L))
  } test(
    s"$index, ${if (inPanes) "panes" else "value"}, ${if (compares) "windows compared" else "windows apart"}, " +
      s"${if (limit.isEmpty) "alive" else "restored"}: no window is answered twice, and what is fed stays closed"
  ) {
    val kept = if (compares) Kept.WindowBefore() else Kept.Nothing
    val shape = StateShape(index, Panes(5000, 2000), strings = false, kept)
    val graph = new StoredGraph(shape, inPanes, CacheLimit(limit, minBytes = 0))
    var state = Held()
    // The watermark goes back from 8 to 3. Windows end with odd panes, so pane 7 has been fed only where windows are apart.
    val batches = Seq((0L, 0L to 9L), (8L, Seq(8L)), (3L, Seq(4L, 7L, 8L, 9L)), (5L, Nil), (40L, Nil))
    val rows = batches.flatMap { case (watermark, panes) =>
      val (rows, after) = graph.run(new ComponentStats(false), state, watermark, panes.map(edgeIn): _*)
      state = after
      rows
    }
    val (counters, answers) = rows.partition(_.isNullAt(1))
    val ofPane7 = if (compares) 2L else 1L
    assert(counters.map(_.getAs[Array[Long]](counters.head.size - 1)(1)).sum == 3 - ofPane7, "late edges")
    // Start of the window and edges. Where windows are compared, the one after the last edge is answered, too.
    val found = answers.map(row => (row.getLong(1) / 1000, row.getLong(4))).filter(_._2 > 0)
    val last = Seq((4L, 6 + ofPane7), (6L, 6 + ofPane7), (8L, 5L))
    assert(found == Seq((-4L, 1L), (-2L, 3L), (0L, 5L), (2L, 5L)) ++ last)
  }
}
