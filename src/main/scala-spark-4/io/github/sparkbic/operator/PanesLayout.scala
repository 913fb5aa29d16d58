package io.github.sparkbic.operator

import org.apache.spark.sql.{Dataset, Encoder, KeyValueGroupedDataset, Row}
import org.apache.spark.sql.streaming.{OutputMode, TimeMode}

import io.github.sparkbic.operator.block.PackedBlock
import io.github.sparkbic.operator.state.GraphStores

/** The layout `panes` of a stream: `transformWithState`. */
private[operator] object PanesLayout {
  def answers(
      graphs: KeyValueGroupedDataset[Row, PackedBlock],
      operator: WindowOperator,
      stores: GraphStores
  )(rows: Encoder[Row]): Dataset[Row] =
    graphs.transformWithState(
      new PaneStateProcessor(operator, stores),
      TimeMode.EventTime(),
      OutputMode.Append()
    )(rows)
}
