package io.github.sparkbic.operator.state

import org.apache.spark.SPARK_VERSION
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.bic.Shims
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types._

import io.github.sparkbic.arguments.{Arguments, ColumnTypes, Nearest}

/** How a streaming query keeps its graphs. */
private[operator] object LayoutSetting {

  /** The conf of the layout, which is read when a query is made. */
  val Conf: String = "spark.bic.stateLayout"

  /** A graph is one value, written anew after each change; for every state store. */
  val Value: String = "value"

  /** A graph is kept pane by pane, and only new panes are written; for RocksDB alone. */
  val Panes: String = "panes"
  private val RocksDb = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"

  /** The setting, which need not go with the session. */
  def name(spark: SparkSession): String = {
    val layout = spark.conf.get(Conf, Value)
    if (layout != Value && layout != Panes)
      throw Arguments.invalid(
        s"unknown $Conf '$layout'; there is: $Value, $Panes${Nearest.hint(layout, Seq(Value, Panes))}"
      )
    layout
  }

  def of(spark: SparkSession): String = {
    val layout = name(spark)
    val store = SQLConf.STATE_STORE_PROVIDER_CLASS.key
    val provider = spark.conf.get(store)
    if (layout == Panes && !Shims.hasTransformWithState)
      throw Arguments.invalid(
        s"$Conf '$Panes' needs Spark 4.0 or later, but Spark $SPARK_VERSION is running; set it to '$Value'"
      )
    if (layout == Panes && provider != RocksDb)
      throw Arguments.invalid(s"$Conf '$Panes' needs RocksDB, but $store is $provider; set it to $RocksDb")
    layout
  }

  /** Refuses keys of types over which Spark's `transformWithState` fails at its start or in its tasks. */
  def requireKeyInPanes(field: StructField): Unit =
    if (!fitsPanes(field.dataType))
      throw Arguments.invalid(
        s"column ${ColumnTypes.show(field)} of by holds an array or an interval, which $Conf '$Panes' cannot have in a key; " +
          s"cast it, to a STRING for instance, or set $Conf to '$Value'"
      )

  private def fitsPanes(dataType: DataType): Boolean = dataType match {
    case _: ArrayType | _: DayTimeIntervalType | _: YearMonthIntervalType => false
    case struct: StructType => struct.forall(field => fitsPanes(field.dataType))
    case _                  => true
  }
}
