package io.github.sparkbic.operator

import org.apache.spark.sql.{Encoders, Row}
import org.apache.spark.sql.streaming.{
  ExpiredTimerInfo,
  MapState,
  OutputMode,
  StatefulProcessor,
  StatefulProcessorHandle,
  TimeMode,
  TimerValues,
  TTLConfig,
  ValueState
}

import io.github.sparkbic.operator.block.PackedBlock
import io.github.sparkbic.operator.state.{PanesStores, PaneVariables}

/** The window operator over `transformWithState`, with the state of a graph kept pane by pane.
  *
  * {{{
  * graph: ValueState of the header (PaneHeader)
  * panes: MapState from (pane, number of the part) to the part (PanePart)
  * one event-time timer a graph, at the end of its next window
  * }}}
  */
private[operator] final class PaneStateProcessor(operator: WindowOperator, stores: PanesStores)
    extends StatefulProcessor[Row, PackedBlock, Row] {
  import PaneStateProcessor.Variables

  @transient private var header: ValueState[Array[Byte]] = _
  @transient private var panes: MapState[(Long, Int), Array[Byte]] = _

  override def init(outputMode: OutputMode, timeMode: TimeMode): Unit = {
    header = getHandle.getValueState("graph", Encoders.BINARY, TTLConfig.NONE)
    val position = Encoders.tuple(Encoders.scalaLong, Encoders.scalaInt)
    panes = getHandle.getMapState("panes", position, Encoders.BINARY, TTLConfig.NONE)
  }

  override def handleInputRows(key: Row, rows: Iterator[PackedBlock], times: TimerValues): Iterator[Row] =
    operator.stream(key, rows, stores.of(key, new Variables(getHandle, header, panes, times, None)))

  override def handleExpiredTimer(key: Row, times: TimerValues, expired: ExpiredTimerInfo): Iterator[Row] = {
    val at = Some(expired.getExpiryTimeInMs())
    operator.stream(key, Iterator.empty, stores.of(key, new Variables(getHandle, header, panes, times, at)))
  }
}

private[operator] object PaneStateProcessor {

  /** @param expired the timer that Spark calls for, which it deletes by itself */
  private final class Variables(
      handle: StatefulProcessorHandle,
      state: ValueState[Array[Byte]],
      panes: MapState[(Long, Int), Array[Byte]],
      times: TimerValues,
      expired: Option[Long]
  ) extends PaneVariables {
    override def watermarkMillis: Long = times.getCurrentWatermarkInMs()

    override def header: Option[Array[Byte]] = Option(state.get())

    override def putHeader(bytes: Array[Byte]): Unit = state.update(bytes)

    override def removeHeader(): Unit = state.clear()

    override def part(pane: Long, number: Int): Option[Array[Byte]] = Option(panes.getValue((pane, number)))

    override def putPart(pane: Long, number: Int, bytes: Array[Byte]): Unit =
      panes.updateValue((pane, number), bytes)

    override def removePart(pane: Long, number: Int): Unit = panes.removeKey((pane, number))

    override def callAt(millis: Option[Long], before: Option[Long]): Unit = if (millis != before) {
      before.filterNot(expired.contains).foreach(handle.deleteTimer)
      millis.foreach(handle.registerTimer)
    }
  }
}
