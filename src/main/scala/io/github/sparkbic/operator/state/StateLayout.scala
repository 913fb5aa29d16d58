package io.github.sparkbic.operator.state

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.internal.SQLConf

import io.github.sparkbic.Arguments

/** How a streaming query keeps its graphs. */
private[operator] object StateLayout {

  /** The conf that chooses one. Read when a query is made. */
  val Conf: String = "spark.bic.stateLayout"

  /** A graph is one value, written anew when it changes; any state store. */
  val Value: String = "value"

  /** A graph is kept pane by pane, and what is new is written; RocksDB only. */
  val Panes: String = "panes"

  private val RocksDb = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"

  def of(spark: SparkSession): String = {
    val layout = spark.conf.get(Conf, Value)
    if (layout != Value && layout != Panes)
      throw Arguments.invalid(s"unknown $Conf '$layout'; there is: $Value, $Panes")
    val provider = spark.conf.get(SQLConf.STATE_STORE_PROVIDER_CLASS.key)
    if (layout == Panes && provider != RocksDb)
      throw Arguments.invalid(
        s"$Conf '$Panes' needs RocksDB, but ${SQLConf.STATE_STORE_PROVIDER_CLASS.key} is $provider; set it to $RocksDb"
      )
    layout
  }
}
