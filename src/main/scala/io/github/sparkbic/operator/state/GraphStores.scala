package io.github.sparkbic.operator.state

import java.util.Random
import java.util.concurrent.ThreadLocalRandom

import org.apache.spark.sql.Row
import org.apache.spark.sql.streaming.GroupState

/** The stores of all graphs of one operator of a query, in either layout. */
private[operator] final class GraphStores(val shape: StateShape, cache: CacheLimit) extends Serializable {
  private val operator = new LiveGraphs.Operator

  /** A graph kept as one value of `flatMapGroupsWithState`. The stamp of the live graph is the value itself. Two equal
    * values restore to the same graph, whichever query or attempt wrote them.
    */
  def ofValue(
      key: Row,
      saved: GroupState[Array[Byte]],
      live: LiveGraphs[StreamedGraph] = LiveGraphs.ofThisJvm
  ): GraphStore[StreamedGraph] =
    new GraphStore[ValueGraph](operator.slot(key), saved.getOption, cache, live) {
      override def watermarkMillis: Long = saved.getCurrentWatermarkMs()

      override protected def restored(): ValueGraph = {
        val place = StatePlace.of(key).graph
        stored.fold(ValueGraph.create(shape, place))(ValueGraph.restore(shape, place, _))
      }

      override def save(changed: Boolean, counters: Counters): Unit = graph.nextEnd match {
        case None => if (saved.exists) saved.remove()
        case Some(end) =>
          val value = if (changed) graph.toBytes else saved.get
          if (changed) saved.update(value)
          // Spark calls again once the watermark is beyond the timeout, and the window is due at its end.
          saved.setTimeoutTimestamp(math.max(1L, shape.millisOf(end) - 1))
          keep(value, value.length.toLong, counters)
      }
    }

  /** A graph kept pane by pane. The stamp of the live graph is the header.
    * @param tokens draws a token for each header
    */
  def ofPanes(
      key: Row,
      variables: PaneVariables,
      live: LiveGraphs[StreamedGraph] = LiveGraphs.ofThisJvm,
      tokens: => Random = ThreadLocalRandom.current()
  ): GraphStore[StreamedGraph] = {
    // Even a small graph takes many reads of the state here.
    val limit = cache.copy(minBytes = 0)
    new GraphStore[PaneGraph](operator.slot(key), variables.header, limit, live) {
      override def watermarkMillis: Long = variables.watermarkMillis

      override protected def restored(): PaneGraph = {
        val place = StatePlace.of(key)
        stored.fold(PaneGraph.create(shape, place))(PaneGraph.restore(shape, place, _))
      }

      override def open(): StreamedGraph = {
        graph.attach(variables)
        graph
      }

      override def save(changed: Boolean, counters: Counters): Unit = graph.nextEnd match {
        case None =>
          graph.clear()
          if (stored.nonEmpty) variables.header = None
        case Some(end) =>
          val stamp = if (changed) graph.save(shape.millisOf(end), tokens) else stored.get
          graph.release()
          keep(stamp, stamp.length + graph.bytesOfParts, counters)
      }
    }
  }
}
