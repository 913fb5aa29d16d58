package io.github.sparkbic.operator.question

import org.apache.spark.sql.Row
import org.apache.spark.sql.types._

import io.github.sparkbic.index.bic.BicIndex
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.recency.RecencyIndex
import io.github.sparkbic.operator.state.Kept

/** Are the vertices of these pairs connected?
  *
  * @param since whether to add the column `since`
  * @param early whether a row with `true` may come before its window closes, in a stream. It can never be taken back,
  *   since edges are only added to a window
  */
private[sparkbic] final case class PairsConnected(
    queries: Queries[Pairs],
    queryType: DataType,
    since: Boolean,
    early: Boolean
) extends WindowQuestion {
  // Spark gives each task a question of its own.
  @transient private lazy val asked = queries.value

  override def method: String = "bicConnectivity"

  override val vertices: Seq[String] = Seq("source", "target")

  override def vertexType: Option[DataType] = Some(queryType)

  override val fields: Seq[StructField] =
    vertices.map(StructField(_, Question.vertex(queryType.isInstanceOf[StringType]))) ++
      Seq(StructField("connected", BooleanType)) ++
      (if (since) Some(StructField("since", LongType)) else None)

  override def timesOfEdges: Seq[String] = if (since) Seq("since") else Nil

  override def kept: Kept = if (early) Kept.Emitted else Kept.Nothing

  override def autoIndex: String = BicIndex.Name

  override def suffixParameters: Seq[String] =
    Seq("early").filter(_ => early) ++ Seq("since").filter(_ => since)

  override def list: Option[Queries[_]] = Some(queries)

  override def answers(key: Row, window: ClosedWindows): Iterator[Seq[Any]] = {
    val pairs = asked.of(key)
    val (sources, targets) = (window.ids.find(pairs.sources), window.ids.find(pairs.targets))
    val all = Array.range(0, pairs.size)
    def hasCome(i: Int) = window.kept.ofPairs
      .contains(sources(i), targets(i), pairs.repeat(i))(
        (window.end - window.start).toInt,
        window.start,
        window.start
      )
    val left = if (early) all.filterNot(hasCome) else all
    // All answers before all rows: so the index stays in the caches.
    val found = new Array[Long](left.length)
    left.indices.foreach { at =>
      found(at) = window.connectedSince(sources(left(at)), targets(left(at)), exactly = since)
    }
    left.indices.iterator.map(at => row(pairs, left(at), found(at), window.start, window.panes))
  }

  override def earlyAnswers(key: Row, open: OpenWindows): Iterator[(Long, Long, Seq[Any])] = {
    val pairs = asked.of(key)
    val (sources, targets) = (open.ids.find(pairs.sources), open.ids.find(pairs.targets))
    val all = Array.range(0, pairs.size)
    val rows = open.kept.ofPairs
    if (all.isEmpty) Iterator.empty
    else Iterator.continually(open.advance()).takeWhile(identity).flatMap { _ =>
      val spans = open.spans
      val found = Array.fill(all.length)(RecencyIndex.Never)
      all.foreach { i =>
        val haveCome = spans.forall { case (length, first, last) =>
          rows.contains(sources(i), targets(i), pairs.repeat(i))(length, first, last)
        }
        if (!haveCome) found(i) = open.index.connectedSince(sources(i), targets(i))
      }
      for {
        i <- all.iterator if found(i) != RecencyIndex.Never
        (length, first, last) <- spans.iterator
        until = math.min(open.panes.lastWindowBy(found(i)), last)
        start <- rows.emit(sources(i), targets(i), pairs.repeat(i))(length, first, until)
      } yield (start, start + length, row(pairs, i, found(i), start, open.panes))
    }
  }

  /** @param pane the latest pane from which on edges connect the pair, if that is not before the window */
  private def row(pairs: Pairs, i: Int, pane: Long, window: Long, panes: Panes): Seq[Any] = {
    val isConnected = pane != RecencyIndex.Never && pane >= window
    Seq[Any](pairs.sources(i), pairs.targets(i), isConnected) ++
      (if (since) Some(if (isConnected) panes.timeOf(pane) else null) else None)
  }
}
