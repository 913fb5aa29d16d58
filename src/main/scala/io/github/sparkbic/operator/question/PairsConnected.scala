package io.github.sparkbic.operator.question

import org.apache.spark.sql.Row
import org.apache.spark.sql.types._

import io.github.sparkbic.index.bic.BicIndex
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.recency.RecencyIndex
import io.github.sparkbic.operator.question.Question.when
import io.github.sparkbic.operator.state.Kept

/** Are the vertices of these pairs connected?
  *
  * @param since whether to add the column `since`
  * @param early whether a row with `true` may come before its window closes, in a stream. It can never be taken back,
  *   since edges are only added to a window
  */
private[sparkbic] final case class PairsConnected(
    queries: Queries,
    queryType: DataType,
    since: Boolean,
    early: Boolean
) extends Question(
      "bicConnectivity",
      Question.vertices(queryType.isInstanceOf[StringType], "source", "target") ++
        Seq(StructField("connected", BooleanType)) ++ when(since)(StructField("since", LongType)),
      vertices = Seq("source", "target"),
      vertexType = Some(queryType),
      timesOfEdges = when(since)("since"),
      kept = if (early) Kept.Emitted else Kept.Nothing,
      autoIndex = BicIndex.Name,
      suffixParameters = when(early)("early") ++ when(since)("since"),
      list = Some(queries)
    )
    with WindowQuestion {

  override def answers(key: Row, window: ClosedWindows): Iterator[Seq[Any]] = {
    val pairs = asked.get.of(key)
    val (sources, targets) = (window.ids.find(pairs(0)), window.ids.find(pairs(1)))
    val all = Array.range(0, sources.length)
    val left =
      if (!early) all
      else {
        val rows = window.rows
        val place = rows.placeOf((window.end - window.start).toInt)
        val repeats = QuerySet.repeats(pairs)
        all.filterNot { i =>
          rows.contains(rows.find(sources(i), targets(i), repeats(i)), place, window.start, window.start)
        }
      }
    // All answers before all rows: so the index stays in the caches.
    val found = Question.longs(left.length) { at =>
      window.connectedSince(sources(left(at)), targets(left(at)), exactly = since)
    }
    left.indices.iterator.map(at => row(pairs, left(at), found(at), window.start, window.panes))
  }

  override def earlyAnswers(key: Row, open: OpenWindows): Iterator[(Long, Long, Seq[Any])] = {
    val pairs = asked.get.of(key)
    val (sources, targets) = (open.ids.find(pairs(0)), open.ids.find(pairs(1)))
    val repeats = QuerySet.repeats(pairs)
    val rows = open.rows
    for {
      spans <- if (sources.isEmpty) Iterator.empty else open.spans
      found = Question.longs(sources.length) { i =>
        val slot = rows.find(sources(i), targets(i), repeats(i))
        val haveCome = spans.forall { case (length, first, last) =>
          rows.contains(slot, rows.placeOf(length), first, last)
        }
        if (haveCome) RecencyIndex.Never else open.index.connectedSince(sources(i), targets(i))
      }
      i <- found.indices.iterator if found(i) != RecencyIndex.Never
      (length, first, last) <- spans.iterator
      until = math.min(found(i), last) if first <= until
      slot = rows.enter(sources(i), targets(i), repeats(i))
      start <- Iterator.iterate(first)(_ + open.panes.perSlide).takeWhile(_ <= until)
      if rows.add(slot, rows.placeOf(length), start)
    } yield (start, start + length, row(pairs, i, found(i), start, open.panes))
  }

  /** @param pane the latest pane from which on edges connect the pair, if that is not before the window */
  private def row(pairs: Seq[Array[_]], i: Int, pane: Long, window: Long, panes: Panes): Seq[Any] = {
    val isConnected = pane != RecencyIndex.Never && pane >= window
    Seq[Any](pairs(0)(i), pairs(1)(i), isConnected) ++
      when(since)(if (isConnected) panes.timeOf(pane) else null)
  }
}
