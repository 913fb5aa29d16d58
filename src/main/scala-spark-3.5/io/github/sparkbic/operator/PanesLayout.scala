package io.github.sparkbic.operator

import org.apache.spark.sql.{Dataset, Encoder, KeyValueGroupedDataset, Row}

import io.github.sparkbic.operator.block.PackedBlock
import io.github.sparkbic.operator.state.GraphStores

/** The layout `panes` of a stream, for which this version of Spark has no operator. `Settings` refuses it earlier. */
private[operator] object PanesLayout {
  def answers(
      graphs: KeyValueGroupedDataset[Row, PackedBlock],
      operator: WindowOperator,
      stores: GraphStores
  )(rows: Encoder[Row]): Dataset[Row] =
    throw new UnsupportedOperationException("this version of Spark has no transformWithState")
}
