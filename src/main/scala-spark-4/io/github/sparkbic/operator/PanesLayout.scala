package io.github.sparkbic.operator

import org.apache.spark.sql.{Dataset, Encoder, Encoders, KeyValueGroupedDataset, Row}
import org.apache.spark.sql.streaming._

import io.github.sparkbic.operator.block.PackedBlock
import io.github.sparkbic.operator.state.{GraphStores, GraphVariables, StatePlace}

/** The layout `panes` of a stream. */
private[operator] object PanesLayout {
  def answers(
      graphs: KeyValueGroupedDataset[Row, PackedBlock],
      operator: WindowOperator,
      stores: GraphStores
  )(rows: Encoder[Row]): Dataset[Row] = {
    val processor = new PaneStateProcessor(operator, stores)
    graphs.transformWithState(processor, TimeMode.EventTime(), OutputMode.Append())(rows)
  }
}

/** The window operator over `transformWithState`, with the state of a graph kept pane by pane.
  *
  * {{{
  * graph: ValueState of the header (PaneGraph)
  * panes: MapState from (pane, number of the part) to the part (EdgeParts, and WaitingEvents with negative numbers)
  * kept:  ValueState of component names or emitted windows (KeptPart), only where the query keeps them
  * one event-time timer a graph, at the end of its next window
  * }}}
  */
private[operator] final class PaneStateProcessor(operator: WindowOperator, stores: GraphStores)
    extends StatefulProcessor[Row, PackedBlock, Row] {
  @transient private var state: ValueState[Array[Byte]] = _
  @transient private var panes: MapState[(Long, Int), Array[Byte]] = _
  @transient private var beside: ValueState[Array[Byte]] = _

  override def init(outputMode: OutputMode, timeMode: TimeMode): Unit = {
    state = getHandle.getValueState("graph", Encoders.BINARY, TTLConfig.NONE)
    val position = Encoders.tuple(Encoders.scalaLong, Encoders.scalaInt)
    panes = getHandle.getMapState("panes", position, Encoders.BINARY, TTLConfig.NONE)
    if (stores.shape.kept.hasValue) beside = getHandle.getValueState("kept", Encoders.BINARY, TTLConfig.NONE)
  }

  override def handleInputRows(key: Row, rows: Iterator[PackedBlock], times: TimerValues): Iterator[Row] =
    operator.stream(key, rows, stores.ofPanes(key, new Variables(times, None)))

  override def handleExpiredTimer(key: Row, times: TimerValues, timer: ExpiredTimerInfo): Iterator[Row] = {
    val variables = new Variables(times, Some(timer.getExpiryTimeInMs()))
    operator.stream(key, Iterator.empty, stores.ofPanes(key, variables))
  }

  /** @param expired the timer that fired, which Spark deletes by itself */
  private final class Variables(times: TimerValues, expired: Option[Long]) extends GraphVariables {
    override def watermarkMillis: Long = times.getCurrentWatermarkInMs()

    override def get(place: StatePlace): Option[Array[Byte]] = Option(place match {
      case StatePlace.Graph              => state.get()
      case StatePlace.Part(pane, number) => panes.getValue((pane, number))
      case StatePlace.Beside             => beside.get()
    })

    override def put(place: StatePlace, bytes: Option[Array[Byte]]): Unit = place match {
      case StatePlace.Graph => bytes.fold(state.clear())(state.update)
      case StatePlace.Part(pane, number) =>
        bytes.fold(panes.removeKey((pane, number)))(panes.updateValue((pane, number), _))
      case StatePlace.Beside => bytes.fold(beside.clear())(beside.update)
    }

    override def callAt(millis: Option[Long], before: Option[Long]): Unit = if (millis != before) {
      before.filterNot(expired.contains).foreach(getHandle.deleteTimer)
      millis.foreach(getHandle.registerTimer)
    }
  }
}
