package io.github.sparkbic.operator

import org.apache.spark.SparkConf

import io.github.sparkbic.faults.FaultRun

class PanesEarlySuite extends EarlySuite {
  override protected def sparkConf: SparkConf = super.sparkConf.setAll(FaultRun.settingsOfLayout("panes"))
}
