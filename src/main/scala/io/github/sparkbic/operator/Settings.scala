package io.github.sparkbic.operator

import org.apache.spark.sql.SparkSession

import io.github.sparkbic.arguments.{Arguments, Nearest}
import io.github.sparkbic.operator.state.{CacheLimit, LayoutSetting}

/** The settings of this library. A wrong or misspelt setting is refused by each query, whether the query reads it or not. */
private[sparkbic] object Settings {
  private val Prefix = "spark.bic."

  private val all =
    Seq(LayoutSetting.Conf, CacheLimit.Conf, CacheLimit.MinConf, Parallelism.SegmentWindowsConf)

  def check(spark: SparkSession): Unit = {
    spark.conf.getAll.keys.filter(_.startsWith(Prefix)).find(!all.contains(_)).foreach { name =>
      throw Arguments.invalid(
        s"unknown setting $name; there is: ${all.mkString(", ")}${Nearest.hint(name, all)}"
      )
    }
    LayoutSetting.name(spark)
    CacheLimit.of(spark)
    Parallelism.segmentWindows(spark)
  }
}
