package io.github.sparkbic.operator.state

import org.apache.spark.network.util.JavaUtils
import org.apache.spark.sql.SparkSession

import io.github.sparkbic.Arguments

/** How much memory an executor may spend on graphs that stay alive between micro-batches.
  *
  * @param maxBytes for all graphs of the executor, by estimate; None for a quarter of its heap
  */
private[operator] final case class CacheLimit(maxBytes: Option[Long]) {
  def bytes: Long = maxBytes.getOrElse(Runtime.getRuntime.maxMemory / 4)
}

private[operator] object CacheLimit {

  /** The conf that sets it, such as `512m`; `0` turns the cache off. Read when a query is made. */
  val Conf: String = "spark.bic.cache.maxBytes"

  def of(spark: SparkSession): CacheLimit = CacheLimit(spark.conf.getOption(Conf).map { text =>
    try JavaUtils.byteStringAsBytes(text)
    catch {
      case e: NumberFormatException =>
        throw Arguments.invalid(
          s"$Conf is '$text', which is no size; give one such as '512m', or '0' for no cache",
          Some(e)
        )
    }
  })
}
