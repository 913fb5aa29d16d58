package io.github.sparkbic.operator.state

import java.util.Random
import java.util.concurrent.ThreadLocalRandom

import org.apache.spark.sql.Row

/** The state of one graph in Spark, kept pane by pane: a small header, parts of panes, what is kept beside them, and a timer. */
private[operator] trait PaneVariables {
  def watermarkMillis: Long
  def header: Option[Array[Byte]]
  def putHeader(bytes: Array[Byte]): Unit
  def removeHeader(): Unit
  def part(pane: Long, number: Int): Option[Array[Byte]]
  def putPart(pane: Long, number: Int, bytes: Array[Byte]): Unit
  def removePart(pane: Long, number: Int): Unit

  /** What is kept beside the panes ([[KeptPart]]), if anything. */
  def kept: Option[Array[Byte]]
  def putKept(bytes: Array[Byte]): Unit
  def removeKept(): Unit

  /** Has Spark call again when the watermark reaches `millis`, instead of at `before`. */
  def callAt(millis: Option[Long], before: Option[Long]): Unit
}

/** A graph kept pane by pane ([[PaneGraph]]). The stamp of the live graph is the header.
  * @param stored the header in the state
  * @param tokens draws a token for each header
  */
private[operator] final class PanesStore(
    shape: StateShape,
    place: StatePlace,
    slot: LiveGraphs.Slot,
    variables: PaneVariables,
    stored: Option[Array[Byte]],
    cache: CacheLimit,
    live: LiveGraphs[StreamedGraph],
    tokens: Random
) extends GraphStore[PaneGraph](slot, stored, cache, live) {
  override def watermarkMillis: Long = variables.watermarkMillis

  override protected def restored(): PaneGraph =
    new PaneGraph(
      shape,
      place,
      stored.fold(PaneHeader.create())(PaneHeader.restore(shape, place.graph, _))
    )

  override def open(): StreamedGraph = {
    graph.attach(variables)
    graph
  }

  override def save(changed: Boolean, counters: Counters): Unit = {
    val before = graph.header.callAt
    graph.nextEnd match {
      case None =>
        graph.clear()
        variables.callAt(None, before)
        if (stored.nonEmpty) variables.removeHeader()
      case Some(end) =>
        val stamp = if (changed) write(end, before) else stored.get
        graph.release()
        keep(stamp, stamp.length + graph.header.bytesOfParts, counters)
    }
  }

  private def write(end: Long, before: Option[Long]): Array[Byte] = {
    graph.save()
    graph.header.callAt = Some(shape.millisOf(end))
    variables.callAt(graph.header.callAt, before)
    val header = graph.header.save(shape, place.graph, tokens)
    variables.putHeader(header)
    header
  }
}

/** The stores of all graphs of one operator of a query. */
private[operator] final class PanesStores(shape: StateShape, cache: CacheLimit) extends Serializable {
  def keepsPart: Boolean = shape.kept.hasPart

  private val operator = new LiveGraphs.Operator
  // Even a small graph takes many reads of the state here.
  private val limit = cache.copy(minBytes = 0)

  def of(
      key: Row,
      variables: PaneVariables,
      live: LiveGraphs[StreamedGraph] = LiveGraphs.ofThisJvm,
      tokens: => Random = ThreadLocalRandom.current()
  ): GraphStore[StreamedGraph] =
    new PanesStore(
      shape,
      StatePlace.of(key),
      operator.slot(key),
      variables,
      variables.header,
      limit,
      live,
      tokens
    )
}
