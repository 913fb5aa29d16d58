package io.github.sparkbic.operator

import org.apache.spark.SPARK_VERSION
import org.apache.spark.network.util.JavaUtils
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types._

import io.github.sparkbic.arguments.{Arguments, ColumnTypes, Nearest}
import io.github.sparkbic.operator.state.CacheLimit

/** The settings of this library, which are read when a query is made. */
private[sparkbic] object Settings {
  private val Prefix = "spark.bic."

  /** How a streaming query keeps its graphs. */
  val StateLayout: String = "spark.bic.stateLayout"

  /** A graph is one value, written anew after each change; for every state store. */
  val Value: String = "value"

  /** A graph is kept pane by pane, and only new panes are written; for RocksDB alone. */
  val Panes: String = "panes"
  private val RocksDb = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"

  /** The most bytes of [[CacheLimit]], such as `512m`; `0` turns the cache off. */
  val CacheBytes: String = "spark.bic.cache.maxBytes"

  /** The least bytes of [[CacheLimit]], such as `4k`. */
  val CacheMinBytes: String = "spark.bic.cache.minBytes"

  private val all = Seq(StateLayout, CacheBytes, CacheMinBytes, Parallelism.SegmentWindowsConf)

  /** Refuses a wrong or misspelt setting, whether the query reads it or not. */
  def check(spark: SparkSession): Unit = {
    spark.conf.getAll.keys.filter(_.startsWith(Prefix)).find(!all.contains(_)).foreach { name =>
      throw Arguments.invalid(
        s"unknown setting $name; there is: ${all.mkString(", ")}${Nearest.hint(name, all)}"
      )
    }
    layoutName(spark)
    cacheLimit(spark)
    Parallelism.segmentWindows(spark): Unit
  }

  private def layoutName(spark: SparkSession): String = {
    val layout = spark.conf.get(StateLayout, Value)
    if (layout != Value && layout != Panes)
      throw Arguments.invalid(
        s"unknown $StateLayout '$layout'; there is: $Value, $Panes${Nearest.hint(layout, Seq(Value, Panes))}"
      )
    layout
  }

  /** The layout of a stream, which must go with the session. */
  def layout(spark: SparkSession): String = {
    val layout = layoutName(spark)
    val store = SQLConf.STATE_STORE_PROVIDER_CLASS.key
    val provider = spark.conf.get(store)
    if (layout == Panes && !SparkInternals.hasTransformWithState)
      throw Arguments.invalid(
        s"$StateLayout '$Panes' needs Spark 4.0 or later, but Spark $SPARK_VERSION is running; set it to '$Value'"
      )
    if (layout == Panes && provider != RocksDb)
      throw Arguments.invalid(
        s"$StateLayout '$Panes' needs RocksDB, but $store is $provider; set it to $RocksDb"
      )
    layout
  }

  /** Refuses keys of types over which Spark's `transformWithState` fails at its start or in its tasks. */
  def requireKeyInPanes(field: StructField): Unit = {
    def fits(dataType: DataType): Boolean = dataType match {
      case _: ArrayType | _: DayTimeIntervalType | _: YearMonthIntervalType => false
      case struct: StructType => struct.forall(field => fits(field.dataType))
      case _                  => true
    }
    if (!fits(field.dataType))
      throw Arguments.invalid(
        s"column ${ColumnTypes.show(field)} of by holds an array or an interval, which $StateLayout '$Panes' cannot have in " +
          s"a key; cast it, to a STRING for instance, or set $StateLayout to '$Value'"
      )
  }

  def cacheLimit(spark: SparkSession): CacheLimit = {
    def bytes(conf: String, examples: String) = spark.conf.getOption(conf).map { text =>
      try JavaUtils.byteStringAsBytes(text)
      catch {
        // Includes NumberFormatException.
        case e: IllegalArgumentException =>
          throw Arguments.invalid(s"$conf is '$text', which is no size; give one such as $examples", Some(e))
      }
    }
    CacheLimit(
      bytes(CacheBytes, "'512m', or '0' for no cache"),
      bytes(CacheMinBytes, "'4k', or '0' to keep every graph").getOrElse(CacheLimit.SmallValue)
    )
  }
}
