package io.github.sparkbic.operator

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.Row
import org.apache.spark.sql.streaming.GroupState
import org.apache.spark.sql.types.{BooleanType, DataType, LongType, StructField, StructType}

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
  * Rows have the columns of [[WindowOperator.outputFields]] after the key: answers, and for each call one row of
  * counters.
  */
private[operator] final class WindowOperator(shape: StateShape, queries: Broadcast[QuerySet])
    extends Serializable {
  import WindowOperator.{answer, counters}

  def batch(key: Row, blocks: Iterator[PackedBlock]): Iterator[Row] = {
    val ids = VertexIds.create(shape.strings)
    val cursor = new WindowCursor(shape.panes, ConnectivityIndex.create(shape.indexName, shape.panes))
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
        answersOf(key, ids, cursor)
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
          answersOf(key, state.ids, cursor)
        }
      }
    answers ++ Iterator.single(()).map { _ =>
      save(state, saved, changed = due || edges > 0)
      counters(key, edges, late, nulls, windows)
    }
  }

  private def answersOf(key: Row, ids: VertexIds, cursor: WindowCursor): Iterator[Row] = {
    val pairs = queries.value.of(key)
    val start = shape.panes.timeOf(cursor.window)
    val end = shape.panes.timeOf(cursor.window + shape.panes.perWindow)
    val found = new Array[Boolean](pairs.size)
    var i = 0
    while (i < found.length) {
      val (source, target) = pairs.asked(i)
      found(i) = ids.find(source).exists { s =>
        ids.find(target).exists(t => cursor.index.connected(cursor.window, s, t))
      }
      i += 1
    }
    found.indices.iterator.map { i =>
      val (source, target) = pairs.shown(i)
      answer(key, start, end, source, target, found(i))
    }
  }

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

  /** The columns of the operator's output after those of the key: an answer fills the first five, counters the rest. */
  def outputFields(vertexType: DataType): Seq[StructField] = Seq(
    StructField("start", LongType),
    StructField("end", LongType),
    StructField("source", vertexType),
    StructField("target", vertexType),
    StructField("connected", BooleanType)
  ) ++ Counters.map(StructField(_, LongType))

  private val NamesBeforePruning = 1 << 16

  /** What is counted, under the names that the user sees. */
  val Counters: Seq[String] = Seq("edges", "late_edges", "null_rows", "windows")

  def outputSchema(keyFields: Seq[StructField], vertexType: DataType): StructType =
    StructType(keyFields ++ outputFields(vertexType))

  private def answer(key: Row, start: Long, end: Long, source: Any, target: Any, connected: Boolean): Row =
    Row.fromSeq(key.toSeq ++ Seq(start, end, source, target, connected, null, null, null, null))

  private def counters(key: Row, edges: Long, late: Long, nulls: Long, windows: Long): Row =
    Row.fromSeq(key.toSeq ++ Seq(null, null, null, null, null, edges, late, nulls, windows))

  private def unreadable(key: Row, cause: CorruptStateException) = new IllegalStateException(
    s"the state of graph ${key.mkString("[", ", ", "]")} cannot be read: ${cause.getMessage}. Restart the query as it " +
      "was when the checkpoint was written, or give it a new checkpointLocation and replay the input.",
    cause
  )
}
