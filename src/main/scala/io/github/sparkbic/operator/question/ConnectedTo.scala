package io.github.sparkbic.operator.question

import java.util.Arrays
import java.util.stream.IntStream

import org.apache.spark.sql.Row

import io.github.sparkbic.index.contract.{ConnectedVertices, Panes}
import io.github.sparkbic.operator.block.VertexIds
import io.github.sparkbic.operator.state.Kept

/** Which vertices are connected to a marked vertex, and since when?
  *
  * An index knows that for all windows that end at one time, by one pass over the vertices. So a row costs the look-up of
  * its vertex, and a graph without a marked vertex costs the search for the marked vertices alone.
  *
  * The state keeps which vertices have had rows, where rows come early or are updates. It cannot ask the index again, since
  * other vertices may have been marked when the rows came.
  *
  * @param early       whether a row may come before its window closes, in a stream. It can never be taken back, since edges
  *   are only added to a window
  * @param updatesOnly whether only vertices without a row in the window before give a row, and vertices that have a row there
  *   alone, with nulls
  */
private[sparkbic] final case class ConnectedTo(
    strings: Boolean,
    marked: Queries,
    early: Boolean,
    updatesOnly: Boolean
) extends Question(
      "bicConnectedTo",
      Question.vertices(strings, "vertex", "marked") ++ Question.numbers("since"),
      vertices = Seq("vertex", "marked"),
      timesOfEdges = Seq("since"),
      isPacked = true,
      kept = if (early) Kept.EmittedVertices else if (updatesOnly) Kept.Updates else Kept.Nothing,
      suffixParameters = Question.when(early)("early"),
      list = Some(marked)
    )
    with WindowQuestion {

  override def begin(key: Row, windows: ClosedWindows): Unit =
    if (updatesOnly)
      windows.connectedBefore(windows.ids.find(asked.get.of(key).head)).foreach { case (window, found) =>
        val slots = windows.rows.slotsOf(found, window)
        slots.indices.foreach(i => if (found.since(i) >= window) windows.rows.add(slots(i), 0, window))
      }

  override def answers(key: Row, window: ClosedWindows): Iterator[Seq[Any]] =
    if (early && window.haveCome) Iterator.empty
    else {
      lazy val marks = window.ids.find(asked.get.of(key).head)
      val found = window.connectedTo(marks)
      val start = window.start
      def rowsOf(isWanted: Int => Boolean) =
        Question.chunks(found.size)(i => found.since(i) >= start && isWanted(i))
          .map(row(_, found, marks, window.ids, window.panes))
      if (!early && !updatesOnly) rowsOf(_ => true)
      else {
        val rows = window.rows
        val slots = rows.slotsOf(found, start)
        if (early) {
          val place = rows.placeOf((window.end - start).toInt)
          rowsOf(i => !rows.contains(slots(i), place, start, start))
        } else {
          val before = start - window.panes.perSlide
          val entered = rowsOf { i =>
            val isNew = !rows.contains(slots(i), 0, before, before)
            rows.add(slots(i), 0, start)
            isNew
          }
          // The vertices that have left, once all others are noted.
          def left = {
            val vertices = rows.latestIn(before)
            rows.forgetBefore(window.end)
            vertices.grouped(Question.ChunkSize).map(chunk => Seq(window.ids.column(chunk), null, null))
          }
          entered ++ left
        }
      }
    }

  override def earlyAnswers(key: Row, open: OpenWindows): Iterator[(Long, Long, Seq[Any])] = {
    val marks = open.ids.find(asked.get.of(key).head)
    val rows = open.rows
    for {
      spans <- open.spans
      found = open.index.connectedTo(marks)
      slots = rows.slotsOf(found, spans.map(_._2).min)
      (length, first, last) <- spans.iterator
      place = rows.placeOf(length)
      // Most vertices have had all of their rows.
      news = IntStream.range(0, found.size).filter { i =>
        !rows.contains(slots(i), place, first, math.min(last, found.since(i)))
      }.toArray
      window <- Iterator.iterate(first)(_ + open.panes.perSlide).takeWhile(_ <= last && news.nonEmpty)
      chunk <- Question.chunks(news.length) { at =>
        found.since(news(at)) >= window && rows.add(slots(news(at)), place, window)
      }
      places = Arrays.stream(chunk).map(news(_)).toArray
    } yield (window, window + length, row(places, found, marks, open.ids, open.panes))
  }

  private def row(
      chunk: Array[Int],
      found: ConnectedVertices,
      marks: Array[Long],
      ids: VertexIds,
      panes: Panes
  ): Seq[Any] = {
    def column(value: Int => Long) = Question.longs(chunk.length)(i => value(chunk(i)))
    Seq(
      ids.column(column(found.vertex)),
      ids.column(column(i => marks(found.mark(i)))),
      column(i => panes.timeOf(found.since(i)))
    )
  }
}
