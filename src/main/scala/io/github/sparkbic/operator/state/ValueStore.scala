package io.github.sparkbic.operator.state

import org.apache.spark.sql.Row
import org.apache.spark.sql.streaming.GroupState

/** A graph kept as one value of `flatMapGroupsWithState`.
  * The stamp of the live graph is the value itself. Two equal values restore to the same graph, whichever query or attempt
  * wrote them.
  */
private[operator] final class ValueStore(
    shape: StateShape,
    place: StatePlace,
    slot: LiveGraphs.Slot,
    saved: GroupState[Array[Byte]],
    cache: CacheLimit,
    live: LiveGraphs[StreamedGraph]
) extends GraphStore[GraphState](slot, saved.getOption, cache, live) {
  override def watermarkMillis: Long = saved.getCurrentWatermarkMs()

  override protected def restored(): GraphState =
    saved.getOption.fold(GraphState.create(shape, place.graph))(GraphState.restore(shape, place.graph, _))

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

/** The stores of all graphs of one operator of a query. */
private[operator] final class ValueStores(shape: StateShape, cache: CacheLimit) extends Serializable {
  private val operator = new LiveGraphs.Operator

  def of(
      key: Row,
      saved: GroupState[Array[Byte]],
      live: LiveGraphs[StreamedGraph] = LiveGraphs.ofThisJvm
  ): GraphStore[StreamedGraph] =
    new ValueStore(shape, StatePlace.of(key), operator.slot(key), saved, cache, live)
}
