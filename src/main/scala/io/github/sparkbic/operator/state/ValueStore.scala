package io.github.sparkbic.operator.state

import org.apache.spark.sql.Row
import org.apache.spark.sql.streaming.GroupState

/** A graph kept as one value of `flatMapGroupsWithState`, and alive in this JVM: see [[LiveGraphs]].
  *
  * The stamp of the live graph is the value itself. It has to be read, and kept for the index in it, anyway; and what two
  * equal values are restored to is the same, whichever query or attempt wrote them.
  */
private[operator] final class ValueStore(
    shape: StateShape,
    slot: LiveGraphs.Slot,
    saved: GroupState[Array[Byte]],
    cache: CacheLimit
) extends GraphStore {
  private val bytes = saved.getOption
  private val live = new LiveGraph[GraphState](slot, bytes, cache)
  private var graph: GraphState = _

  override def restoredBytes: Option[Int] = live.restoredBytes

  override def watermarkMillis: Long = saved.getCurrentWatermarkMs()

  override def open(): StreamedGraph = {
    graph = live.getOrElse(bytes.fold(GraphState.create(shape))(GraphState.restore(shape, _)))
    graph
  }

  override def save(changed: Boolean, counters: Counters): Unit = graph.nextEnd match {
    case None => if (saved.exists) saved.remove()
    case Some(end) =>
      val value = if (changed) graph.toBytes else bytes.get
      if (changed) saved.update(value)
      // Spark calls again once the watermark is beyond the timeout: due at the end itself.
      saved.setTimeoutTimestamp(math.max(1L, GraphStore.millis(shape.panes.timeOf(end)) - 1))
      live.keep(graph, value, value.length.toLong, counters)
  }
}

/** The stores of all graphs of one operator of a query. */
private[operator] final class ValueStores(shape: StateShape, cache: CacheLimit) extends Serializable {
  private val operator = new LiveGraphs.Operator

  def of(key: Row, saved: GroupState[Array[Byte]]): GraphStore =
    new ValueStore(shape, operator.slot(key), saved, cache)
}
