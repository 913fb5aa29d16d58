package io.github.sparkbic.operator

import scala.util.Try

import org.apache.spark.SPARK_VERSION
import org.apache.spark.network.util.JavaUtils
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types._

import io.github.sparkbic.arguments.{Arguments, ColumnTypes}
import io.github.sparkbic.operator.state.CacheLimit

/** The settings of this library, which are read when a query is made. */
private[sparkbic] object Settings {

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

  /** The least number of windows that a segment owns; `0` leaves graphs whole. */
  val SegmentWindows: String = "spark.bic.batch.segmentWindows"

  private val all = Seq(StateLayout, CacheBytes, CacheMinBytes, SegmentWindows)

  /** Refuses a wrong or misspelt setting, whether the query reads it or not. */
  def check(spark: SparkSession): Unit = {
    spark.conf.getAll.keys.filter(_.startsWith("spark.bic.")).foreach(Arguments.requireKnown(
      "setting",
      _,
      all
    ))
    layoutName(spark)
    cacheLimit(spark)
    segmentWindows(spark): Unit
  }

  /** @param what a value of the setting, in an error */
  private def read[A](spark: SparkSession, name: String, what: String)(parse: String => A): Option[A] =
    spark.conf.getOption(name).map { text =>
      Try(parse(text)).getOrElse(throw Arguments.invalid(s"$name is '$text', which is no $what"))
    }

  def cacheLimit(spark: SparkSession): CacheLimit = {
    def bytes(name: String, examples: String) =
      read(spark, name, s"size; give one such as $examples")(JavaUtils.byteStringAsBytes)
    CacheLimit(
      bytes(CacheBytes, "'512m', or '0' for no cache"),
      bytes(CacheMinBytes, "'4k', or '0' to keep every graph").getOrElse(CacheLimit.SmallValue)
    )
  }

  def segmentWindows(spark: SparkSession): Option[Int] =
    read(spark, SegmentWindows, "number of windows; give one such as '4', or '0' to leave graphs whole") {
      text =>
        Some(text.toInt).filter(_ >= 0).get
    }

  private def layoutName(spark: SparkSession): String = {
    val layout = spark.conf.get(StateLayout, Value)
    Arguments.requireKnown(StateLayout, layout, Seq(Value, Panes))
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
    val isUnfit = SparkInternals.holds(field.dataType) {
      case _: ArrayType | _: DayTimeIntervalType | _: YearMonthIntervalType => true
      case _                                                                => false
    }
    if (isUnfit)
      throw Arguments.invalid(
        s"column ${ColumnTypes.show(field)} of by holds an array or an interval, which $StateLayout '$Panes' cannot have in " +
          s"a key; cast it, to a STRING for instance, or set $StateLayout to '$Value'"
      )
  }
}
