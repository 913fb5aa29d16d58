package io.github.sparkbic.operator

import scala.collection.BufferedIterator

import org.apache.spark.sql.Row

import io.github.sparkbic.index.contract.{ConnectivityIndex, EdgeSet, WindowCursor}
import io.github.sparkbic.index.recency.RecencyIndex
import io.github.sparkbic.operator.block.{NameColumn, PackedBlock, VertexIds}
import io.github.sparkbic.operator.question.AsOf
import io.github.sparkbic.operator.state.StreamedGraph

/** Answers the events of one graph, during one call of the operator.
  *
  * The events of a pane are answered when all earlier panes are in the index, and before the edges of the pane enter. In a
  * stream an event is late if its pane is closed when it arrives, just as an edge is: no window answers it any more.
  */
private[operator] final class EventAnswers(graph: WindowOperator#OneGraph, asOf: AsOf, key: Row) {
  import graph.{counters, ids, index, shape}

  // Blocks of events that share a pass over the vertices, at most: some 64 MB where rows are long.
  private final val MostTogether = 64

  // The pane of the events answered last.
  private var lastPane = Option.empty[Long]

  /** @param blocks by rising pane, the events of a pane before its edges */
  def batch(blocks: Iterator[PackedBlock]): Iterator[Row] = {
    val input = blocks.buffered
    Iterator.continually(input).takeWhile(_.hasNext).flatMap { _ =>
      val pane = input.head.pane
      if (input.head.events == null) {
        ids.retainIfGrown(Long.MaxValue)(index.vertices(_))
        index.insert(pane, ids.edgeSet(input.next()))
        Iterator.empty
      } else {
        val together = take(input)(block => block.events != null && block.pane == pane)
        counters.events += count(together)
        if (pane == PackedBlock.NoPane) together.iterator.map(unanswered)
        else answered(pane, together.map(_.events), ids, isFinal = true) {
          index.closePane(pane - 1)
          index
        }
      }
    }
  }

  /** Feeds the graph until `firstOpen`, and answers the events whose panes it reaches. Without waiting, later events are
    * answered too, by a copy of the index that also takes in the edges that wait.
    * @param come blocks of events, in any order
    */
  def stream(streamed: StreamedGraph, come: Seq[PackedBlock], firstOpen: Long): Iterator[Row] = {
    // Events without a time are in no pane.
    val (unanswerable, inTime) = come.sortBy(_.pane).partition(_.pane < firstOpen)
    counters.events += count(come)
    counters.lateEvents += count(unanswerable.filter(_.pane != PackedBlock.NoPane))
    inTime.foreach(block => graph.requireNumbered(block.pane))
    val (waiting, atOnce) = if (asOf.waits) (inTime, Nil) else (Nil, inTime)
    lazy val kept = {
      streamed.kept.waiting.requireColumns(asOf.columns.catalogString)
      streamed.kept.waiting
    }
    waiting.foreach(block => kept.add(block.pane, block.events))
    val (closed, ahead) = atOnce.map(block => block.pane -> block.events).partition(_._1 == firstOpen)
    def closedAnswers =
      if (closed.isEmpty && !streamed.isDue(firstOpen)) Iterator.empty
      else {
        val cursor = counters.inState(streamed.cursorToFeed())
        val input = streamed.take(firstOpen).buffered
        answers(kept.take(firstOpen) ++ closed, cursor, input, streamed.ids, isFinal = true) ++ {
          counters.inIndex(cursor.feedUntil(firstOpen, input))
          Iterator.empty
        }
      }
    def aheadAnswers =
      if (ahead.isEmpty) Iterator.empty
      else {
        val cursor = new WindowCursor(shape.panes, graph.copyOfIndex(streamed))
        answers(ahead.iterator, cursor, streamed.pendingInputs.buffered, streamed.ids, isFinal = false)
      }
    unanswerable.iterator.map(unanswered) ++ closedAnswers ++ aheadAnswers
  }

  private def count(blocks: Seq[PackedBlock]): Long =
    blocks.map(block => NameColumn.count(block.events).toLong).sum

  /** @param events blocks by rising pane
    * @param input  edges that the index has not taken in yet, by rising pane
    */
  private def answers(
      events: Iterator[(Long, Array[Byte])],
      cursor: WindowCursor,
      input: BufferedIterator[(Long, EdgeSet)],
      ids: VertexIds,
      isFinal: Boolean
  ): Iterator[Row] = {
    val blocks = events.buffered
    Iterator.continually(blocks).takeWhile(_.hasNext).flatMap { _ =>
      val pane = blocks.head._1
      answered(pane, take(blocks)(_._1 == pane).map(_._2), ids, isFinal) {
        cursor.feedUntil(pane, input)
        cursor.index
      }
    }
  }

  /** The next blocks that one pass over the vertices answers. */
  private def take[A](blocks: BufferedIterator[A])(isOfPane: A => Boolean): Seq[A] =
    Iterator.continually(blocks).takeWhile(left => left.hasNext && isOfPane(left.head))
      .take(MostTogether).map(_.next()).toVector

  /** A row for each block, made when its turn comes, so that the rows of a pane need no memory.
    * @param fed the index, once it holds the edges of all panes before
    */
  private def answered(pane: Long, blocks: Seq[Array[Byte]], ids: VertexIds, isFinal: Boolean)(
      fed: => ConnectivityIndex
  ): Iterator[Row] = {
    if (!lastPane.contains(pane)) counters.windows += shape.panes.perWindows.size
    lastPane = Some(pane)
    val answers = counters.inIndex {
      asOf.answers(key, shape.panes, fed.asInstanceOf[RecencyIndex], ids, pane, isFinal)(blocks)
    }
    blocks.iterator.map { _ =>
      graph.rowOf(pane - shape.panes.perWindow, pane, counters.inIndex(answers.next()))
    }
  }

  private def unanswered(block: PackedBlock): Row =
    Row.fromSeq(key.toSeq ++ Seq(null, null) ++ asOf.unanswered(block.events) :+ null)
}
