package io.github.sparkbic.operator

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.classic.ClassicConversions._
import org.slf4j.LoggerFactory

/** The partitions of a stream's state. Their number is that of `spark.sql.shuffle.partitions` when the query is first
  * started, and stays.
  */
private[operator] object StatePartitions {
  val LoggerName: String = getClass.getName.stripSuffix("$")

  private val logger = LoggerFactory.getLogger(LoggerName)

  /** Empty ones that hardly show in a micro-batch. */
  private val Tolerated = 10

  /** Warns of what a stream of one graph costs with Spark's default: the graph fills one partition, and each of the others
    * takes a task and a version of its state store in every micro-batch.
    */
  def warnOfEmpty(spark: SparkSession): Unit = {
    val partitions = castToImpl(spark).sessionState.conf.numShufflePartitions
    if (partitions > Tolerated)
      logger.warn(
        s"a stream without `by` is one graph, which fills one of the $partitions partitions of its state; each of the others " +
          "costs time in every micro-batch. Set spark.sql.shuffle.partitions to 1 before the query is first started"
      )
  }
}
