package io.github.sparkbic.operator

import org.apache.spark.sql.Row
import org.apache.spark.sql.streaming.GroupState
import org.apache.spark.sql.types.{LongType, StructField, StructType}

import io.github.sparkbic.index.{ConnectivityIndex, CorruptStateException, PaneBlock, WindowCursor}

/** Stage 2: the blocks of one graph, in; the answers of its windows, out. The only place that knows both Spark's state
  * and the index.
  *
  * A streaming query closes panes by the watermark: a pane is closed when it ends at or before it. A block of a closed
  * pane is late, and its edges are dropped and counted; so what is late depends on the pane and the watermark of the
  * micro-batch alone, not on the graph or on how edges were split into blocks. The first micro-batch has a watermark of
  * 1970, which makes all edges before it late.
  *
  * In a batch query all panes are closed; the blocks come sorted by pane and are fed to the index one by one, so the
  * memory is that of a window.
  *
  * Rows have the columns of [[WindowOperator.outputSchema]]: answers, and for each call one row of
  * counters.
  */
private[operator] final class WindowOperator(shape: StateShape, question: Question) extends Serializable {
  def batch(key: Row, blocks: Iterator[PackedBlock]): Iterator[Row] = {
    val ids = VertexIds.create(shape.strings)
    val cursor = new WindowCursor(shape.panes, ConnectivityIndex.create(shape.indexName, shape.panes))
    val counts = new PaneCounts
    var edges = 0L
    var nulls = 0L
    var windows = 0L
    var pruneAt = WindowOperator.NamesBeforePruning
    val input = blocks.flatMap { block =>
      if (block.countsNulls) {
        nulls += block.edges
        None
      } else {
        edges += block.edges
        counts.add(block.pane, block.edges)
        Some(new PaneBlock(block.pane, ids.forest(block)))
      }
    }.buffered

    val answers =
      Iterator.continually(cursor.advance(input, Long.MaxValue)).takeWhile(identity).flatMap { _ =>
        windows += 1
        if (ids.size > pruneAt) {
          // Names follow the window, at a cost that is amortised over those that came since.
          ids.retain(cursor.index.vertices)
          pruneAt = math.max(WindowOperator.NamesBeforePruning, 2 * ids.size)
        }
        counts.forgetBefore(cursor.window)
        answersOf(key, ids, cursor, counts)
      }
    answers ++ Iterator.single(()).map(_ => counters(key, edges, 0L, nulls, windows))
  }

  def stream(key: Row, blocks: Iterator[PackedBlock], saved: GroupState[Array[Byte]]): Iterator[Row] = {
    val watermarkMicros = Math.multiplyExact(saved.getCurrentWatermarkMs(), 1000L)
    val horizon = shape.panes.paneOf(watermarkMicros)
    val state = readable(key)(saved.getOption.fold(GraphState.create(shape))(GraphState.restore(shape, _)))
    var edges = 0L
    var late = 0L
    var nulls = 0L
    var windows = 0L
    blocks.foreach { block =>
      if (block.countsNulls) nulls += block.edges
      else if (block.pane < horizon) late += block.edges
      else {
        edges += block.edges
        state.counts.add(block.pane, block.edges)
        state.pending.add(block.pane, state.ids.forest(block))
      }
    }

    val due = state.isDue(horizon)
    val answers =
      if (!due) Iterator.empty
      else {
        val cursor = readable(key)(state.cursor)
        val input = state.pending.take(horizon).buffered
        // Lazily, so that the answers of many windows need no memory; Spark writes the state after the last row.
        Iterator.continually(cursor.advance(input, horizon)).takeWhile(identity).flatMap { _ =>
          windows += 1
          answersOf(key, state.ids, cursor, state.counts)
        }
      }
    answers ++ Iterator.single(()).map { _ =>
      save(state, saved, changed = due || edges > 0)
      counters(key, edges, late, nulls, windows)
    }
  }

  private def answersOf(key: Row, ids: VertexIds, cursor: WindowCursor, counts: PaneCounts): Iterator[Row] = {
    val start = cursor.window
    val end = start + shape.panes.perWindow
    val window = new AnsweredWindow(start, cursor.index, ids, counts.between(start, end))
    val bounds = key.toSeq ++ Seq(shape.panes.timeOf(start), shape.panes.timeOf(end))
    question.answers(key, window).map(values => Row.fromSeq(bounds ++ values ++ WindowOperator.NoCounters))
  }

  private def counters(key: Row, edges: Long, late: Long, nulls: Long, windows: Long): Row =
    Row.fromSeq(key.toSeq ++ Seq.fill(2 + question.fields.size)(null) ++ Seq(edges, late, nulls, windows))

  private def readable[A](key: Row)(read: => A): A =
    try read
    catch {
      case e: CorruptStateException => throw WindowOperator.unreadable(key, e)
    }

  private def save(state: GraphState, saved: GroupState[Array[Byte]], changed: Boolean): Unit =
    state.nextEnd match {
      case None => if (saved.exists) saved.remove()
      case Some(end) =>
        if (changed) saved.update(state.toBytes)
        // Spark calls again once the watermark is beyond the timeout, in whole milliseconds: due at the end itself.
        val endMillis = -Math.floorDiv(-shape.panes.timeOf(end), 1000L)
        saved.setTimeoutTimestamp(math.max(1L, endMillis - 1))
    }
}

private[operator] object WindowOperator {

  /** What is counted, under the names that the user sees. */
  val Counters: Seq[String] = Seq("edges", "late_edges", "null_rows", "windows")

  /** The columns of the operator's output: answers have no counters, and the counters' row has only its key. */
  def outputSchema(keyFields: Seq[StructField], question: Question): StructType = StructType(
    keyFields ++ Seq(StructField("start", LongType), StructField("end", LongType)) ++ question.fields ++
      Counters.map(name => StructField(counterColumn(name), LongType))
  )

  /** A column of its own name, since a question may have one of the same. */
  def counterColumn(counter: String): String = s"counter_$counter"

  private val NoCounters: Seq[Any] = Counters.map(_ => null)

  private val NamesBeforePruning = 1 << 16

  private def unreadable(key: Row, cause: CorruptStateException) = new IllegalStateException(
    s"the state of graph ${key.mkString("[", ", ", "]")} cannot be read: ${cause.getMessage}. Restart the query as it " +
      "was when the checkpoint was written, or give it a new checkpointLocation and replay the input.",
    cause
  )
}
