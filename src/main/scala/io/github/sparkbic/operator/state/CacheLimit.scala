package io.github.sparkbic.operator.state

import org.apache.spark.network.util.JavaUtils
import org.apache.spark.sql.SparkSession

import io.github.sparkbic.arguments.Arguments

/** How much memory an executor may spend on the graphs of one operator that stay alive between micro-batches.
  * @param maxBytes estimated bytes of these graphs in the executor; None for a quarter of its heap
  * @param minBytes bytes in the state below which a graph is not kept, in the layout `value`
  */
private[operator] final case class CacheLimit(
    maxBytes: Option[Long],
    minBytes: Long = CacheLimit.SmallValue
) {
  def bytes: Long = maxBytes.getOrElse(Runtime.getRuntime.maxMemory / 4)
}

private[operator] object CacheLimit {

  /** The conf of `maxBytes`, such as `512m`; `0` turns the cache off. The conf is read when a query is made. */
  val Conf: String = "spark.bic.cache.maxBytes"

  /** The conf of `minBytes`, such as `4k`. */
  val MinConf: String = "spark.bic.cache.minBytes"

  /** A live graph takes ten to forty times the bytes of a small value, in very many objects. The garbage collector spends
    * more on 100,000 such graphs than reading them costs. Measured with values of half a KB: 48 s of CPU time with 100,000
    * graphs alive, and 27 s with none; of 10,000 graphs, 15 s and 16 s.
    */
  val SmallValue: Long = 4096

  def of(spark: SparkSession): CacheLimit = CacheLimit(
    bytes(spark, Conf, "'512m', or '0' for no cache"),
    bytes(spark, MinConf, "'4k', or '0' to keep every graph").getOrElse(SmallValue)
  )

  private def bytes(spark: SparkSession, conf: String, examples: String): Option[Long] =
    spark.conf.getOption(conf).map { text =>
      try JavaUtils.byteStringAsBytes(text)
      catch {
        // Includes NumberFormatException.
        case e: IllegalArgumentException =>
          throw Arguments.invalid(s"$conf is '$text', which is no size; give one such as $examples", Some(e))
      }
    }
}
