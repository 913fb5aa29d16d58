package io.github.sparkbic.operator

import scala.collection.mutable

import org.apache.spark.sql.{Encoder, Row}
import org.apache.spark.sql.types.{ArrayType, BinaryType, LongType, StructField, StructType}

import io.github.sparkbic.index.Indexes
import io.github.sparkbic.index.contract.{ConnectivityIndex, WindowCursor}
import io.github.sparkbic.index.forests.EdgeSets
import io.github.sparkbic.index.format.CorruptStateException
import io.github.sparkbic.index.recency.RecencyIndex
import io.github.sparkbic.operator.block.{PackedBlock, VertexIds}
import io.github.sparkbic.operator.forests.{Segment, Segments}
import io.github.sparkbic.operator.keys.{GraphKey, KeyRows}
import io.github.sparkbic.operator.question._
import io.github.sparkbic.operator.state._

/** Stage 2: takes the blocks of one graph and answers the graph's windows: here the graph's state, index and
  * question come together.
  *
  * A streaming query closes panes by the watermark: a pane is closed when it ends at or before the watermark. A block of a
  * closed pane is late, and its edges are dropped and counted. So lateness depends on the pane and the watermark of the
  * micro-batch, not on the graph or on how edges were split into blocks. But a pane that an index has taken in stays
  * closed, if ever the watermark goes back. The watermark of the first micro-batch is 1970, so earlier edges are late.
  *
  * In a batch query all panes are closed. Blocks come sorted by pane and are fed to the index one by one, so memory is
  * that of one window. A call may be given one segment of a graph ([[io.github.sparkbic.operator.forests.Segments]]). The
  * index then takes in the panes before the segment. It answers the windows that the segment owns as if it held the
  * whole graph. A pane or a window is counted by its owner alone.
  *
  * Rows have the columns of [[WindowOperator.outputEncoder]]: answers, and one row of counters for each call. Operators of
  * two equal calls are equal, so that Spark finds a cached answer, and runs one shuffle for both.
  *
  * @param segments into which a batch query cuts its graphs
  */
private[operator] final case class WindowOperator(
    shape: StateShape,
    question: Question,
    segments: Option[Segments] = None
) extends ((Row, Iterator[PackedBlock]) => Iterator[Row]) {
  // Spark gives each task an operator of its own.
  @transient private var report: TaskReport = _

  /** Answers a graph of a batch, or a segment of it.
    *
    * @param group  the key of the graph, and the number of the segment if graphs are cut
    * @param blocks of the panes that the segment needs, by rising pane
    */
  override def apply(group: Row, blocks: Iterator[PackedBlock]): Iterator[Row] = {
    val segment = segments.fold(Segment.Whole)(_.segment(group.getLong(group.size - 1)))
    new OneGraph(Row.fromSeq(group.toSeq.dropRight(segments.size))).batch(segment, blocks)
  }

  def stream(key: Row, blocks: Iterator[PackedBlock], store: GraphStore): Iterator[Row] = {
    val rows = readable(key)(new OneGraph(key).stream(blocks, store))
    Iterator.continually(readable(key)(if (rows.hasNext) rows.next() else null)).takeWhile(_ != null)
  }

  /** Has an error of the state name the graph. */
  private def readable[A](key: Row)(read: => A): A =
    try read
    catch {
      case e: CorruptStateException =>
        val graph = if (shape.by.isEmpty) "" else s" of graph ${GraphKey.show(key)}"
        throw new UnreadableStateException(s"the state$graph cannot be read: ${e.getMessage}. ${e.remedy}")
    }

  private def windowQuestion: WindowQuestion = question.asInstanceOf[WindowQuestion]

  /** One graph, during one call of the operator. */
  private[operator] final class OneGraph(key: Row) {
    val counters = new Counters

    def shape: StateShape = WindowOperator.this.shape

    // Of a batch.
    lazy val ids: VertexIds = VertexIds.create(shape.strings, shape.panes.perWindow)
    lazy val index: ConnectivityIndex = Indexes.create(shape.indexName, shape.panes, shape.indexConfig)

    def batch(segment: Segment, blocks: Iterator[PackedBlock]): Iterator[Row] = {
      val known = blocks.filter { block =>
        if (block.countsNulls) counters.nullRows += block.edges
        else {
          if (block.pane >= segment.start) counters.edges += block.edges
          if (block.events == null || block.pane != PackedBlock.NoPane) requireNumbered(block.pane)
        }
        !block.countsNulls
      }
      val rows = question match {
        case asOf: AsOf => new EventAnswers(this, asOf, key).batch(known)
        case _          => answersOfSegment(segment, known)
      }
      rows ++ Iterator.single(()).map(_ => counted)
    }

    private def answersOfSegment(segment: Segment, blocks: Iterator[PackedBlock]): Iterator[Row] = {
      val counts = new PaneCounts
      val input = blocks.map { block =>
        counts.add(block.pane, block.edges)
        block.pane -> ids.edgeSet(block)
      }.buffered
      val cursor = new WindowCursor(shape.panes, index, shape.kept.comparesWindows)
      if (segment.start > Long.MinValue) cursor.feedUntil(segment.start, input)
      val kept = shape.kept.empty(shape.panes)
      val windows = new ClosedWindows(shape, cursor, ids, counts, kept, haveCome = false)
      windowQuestion.begin(key, windows)
      answersWhile(windows) {
        ids.retainIfGrown(Long.MaxValue) { visit =>
          index.vertices(visit)
          windows.verticesKept(visit)
          // The names of the next block are known already.
          input.headOption.foreach { case (_, edges) => EdgeSets.foreachVertex(edges)(visit) }
        }
        counts.forgetBefore(cursor.nextWindow)
        windows.advance(input, segment.end)
      }
    }

    def stream(blocks: Iterator[PackedBlock], store: GraphStore): Iterator[Row] = {
      val watermarkMicros = Math.multiplyExact(store.watermarkMillis, 1000L)
      val graph = counters.inState(store.graph)
      // After a restart the watermark may be an earlier one, as behind a join whose interval is longer now.
      val firstOpen = math.max(shape.panes.paneOf(watermarkMicros), graph.fed)
      if (store.restoredBytes.isDefined) counters.restoredGraphs = 1
      var newestPane = Long.MinValue
      var oldestPane = Long.MaxValue
      val events = mutable.ArrayBuffer.empty[PackedBlock]
      blocks.foreach { block =>
        if (block.countsNulls) counters.nullRows += block.edges
        else if (block.events != null) events += block
        else {
          newestPane = math.max(newestPane, block.pane)
          // No other place drops an edge as late.
          val isLate = block.pane < firstOpen
          if (isLate) counters.lateEdges += block.edges
          else {
            requireNumbered(block.pane)
            counters.edges += block.edges
            oldestPane = math.min(oldestPane, block.pane)
            graph.add(block)
          }
        }
      }

      // An index takes panes in time order, and answers only windows that end with the pane closed last. A question that
      // compares windows needs the components of the last complete window again, so later panes must wait.
      val horizon = if (shape.kept.comparesWindows) shape.panes.lastEndBy(firstOpen) else firstOpen
      val isDue = graph.isDue(horizon)
      val readAt = question.asked.map(_.readAt)
      val isListKnown = graph.readAt == readAt
      def early =
        if (!shape.kept.isEarly || oldestPane == Long.MaxValue) Iterator.empty
        else {
          // A list that was read since may hold new pairs, which the windows without new edges connect, too. So may the list
          // of a query that was started again, which reads its graphs from the state.
          val changed = if (isListKnown) oldestPane else Long.MinValue
          graph.readAt = readAt
          earlyAnswers(graph, firstOpen, changed)
        }
      val answers = question match {
        case asOf: AsOf  => new EventAnswers(this, asOf, key).stream(graph, events.toSeq, firstOpen)
        case _ if !isDue => Iterator.empty
        case _           =>
          // The edges of the windows that close came in earlier micro-batches.
          closedAnswers(graph, horizon, haveCome = shape.kept.isEarly && isListKnown)
      }
      // Spark writes the state after the last row.
      answers ++ early ++ Iterator.single(()).map { _ =>
        val changed = isDue || counters.edges > 0 || counters.events > 0
        if (changed && shape.kept.isEarly) graph.kept.forgetBefore(firstOpen)
        counters.inState(store.save(changed, counters))
        if (report == null) report = TaskReport.ofTask(shape.panes, question.method)
        report.add(counters, newestPane, watermarkMicros)
        counted
      }
    }

    private def closedAnswers(graph: StreamedGraph, horizon: Long, haveCome: Boolean): Iterator[Row] = {
      val cursor = counters.inState(graph.cursorToFeed())
      val windows =
        counters.inIndex(new ClosedWindows(shape, cursor, graph.ids, graph.counts, graph.kept, haveCome))
      val input = graph.take(horizon).buffered
      answersWhile(windows)(counters.inIndex(windows.advance(input, horizon))) ++ {
        if (shape.kept.hasNames) graph.keep(windows.namesToKeep)
        Iterator.empty
      }
    }

    /** The rows of the windows that `advance` goes to, until it is false. It is called when the rows before have been taken,
      * so the rows of many windows need no memory.
      */
    private def answersWhile(window: ClosedWindows)(advance: => Boolean): Iterator[Row] =
      Iterator.continually(advance).takeWhile(identity).flatMap { _ =>
        if (window.hasEdges) counters.windows += 1
        counters.inIndex(windowQuestion.answers(key, window)).map(rowOf(window.start, window.end, _))
      }

    /** @param changed the first pane that brings news */
    private def earlyAnswers(graph: StreamedGraph, firstOpen: Long, changed: Long): Iterator[Row] = {
      val ahead = copyOfIndex(graph)
      val open =
        new OpenWindows(
          shape.panes,
          graph.ids,
          firstOpen,
          ahead,
          graph.pendingInputs,
          changed,
          graph.kept.emitted
        )
      val rows = windowQuestion.earlyAnswers(key, open)
      Iterator.continually(counters.inIndex(if (rows.hasNext) rows.next() else null)).takeWhile(_ != null)
        .map { case (start, end, values) => rowOf(start, end, values) }
    }

    /** A copy of the index, to take in edges that wait. */
    def copyOfIndex(graph: StreamedGraph): RecencyIndex =
      counters.inIndex(counters.inState(graph.index).asInstanceOf[RecencyIndex].copy)

    def rowOf(start: Long, end: Long, values: Seq[Any]): Row =
      Row.fromSeq(key.toSeq ++ Seq(shape.panes.timeOf(start), shape.panes.timeOf(end)) ++ values :+ null)

    private def counted: Row = {
      val (asked, readAt) = question.asked.fold((0L, 0L))(queries => (queries.rows.toLong, queries.readAt))
      Row.fromSeq(key.toSeq ++ Seq.fill(2 + question.fields.size)(null) :+ counters.values(asked, readAt))
    }

    def requireNumbered(pane: Long): Unit =
      if (!shape.panes.isNumbered(pane)) {
        val micros = shape.panes.timeOf(pane)
        throw new IllegalArgumentException(
          s"an edge or an event at ${TaskReport.instant(micros)} ($micros µs) is too close to the end of time for windows cut " +
            "into panes of 1 µs; drop such rows with where(...) before the call, or choose a window and a slide that are " +
            "whole numbers of 2 µs"
        )
      }
  }
}

private[operator] object WindowOperator {

  /** The encoder of the operator's output. Answers have no counters; the row of counters has only its key. */
  def outputEncoder(keyFields: Seq[StructField], question: Question): Encoder[Row] = {
    val bounds = Seq("start", "end").map(StructField(_, LongType))
    val fields = question.fields.map { field =>
      // A column of names is one value.
      if (!question.isPacked || field.dataType == BinaryType) field
      else field.copy(dataType = ArrayType(field.dataType, containsNull = false))
    }
    KeyRows.encoder(
      StructType(keyFields ++ bounds ++ fields :+ StructField(Counters.Column, Counters.Type)),
      arrays = if (question.isPacked) fields.map(_.name).toSet else Set.empty
    )
  }
}
