package io.github.sparkbic.operator

import org.apache.spark.SparkConf

import io.github.sparkbic.operator.state.LayoutSetting

class PanesEarlySuite extends EarlySuite(3) {
  override protected def sparkConf: SparkConf = super.sparkConf
    .set(LayoutSetting.Conf, LayoutSetting.Panes)
    .set(
      "spark.sql.streaming.stateStore.providerClass",
      "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
    )
}
