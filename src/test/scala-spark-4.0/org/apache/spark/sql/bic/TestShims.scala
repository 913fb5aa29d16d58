package org.apache.spark.sql.bic

import org.apache.spark.sql.Encoder
import org.apache.spark.sql.catalyst.plans.logical.EventTimeWatermark
import org.apache.spark.sql.classic
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.streaming

/** The parts of Spark that tests use and that stand elsewhere in other minor versions. */
object TestShims {
  type SparkSession = classic.SparkSession
  val SparkSession: classic.SparkSession.type = classic.SparkSession
  type MemoryStream[A] = streaming.MemoryStream[A]
  val MemoryStream: streaming.MemoryStream.type = streaming.MemoryStream

  /** A memory stream whose session is given. */
  abstract class OwnMemoryStream[A: Encoder](id: Int, spark: SparkSession)
      extends streaming.MemoryStream[A](id, spark.sqlContext, None)

  type StreamingQueryWrapper = streaming.StreamingQueryWrapper

  def watermarkExec(watermark: EventTimeWatermark, child: SparkPlan): SparkPlan =
    streaming.EventTimeWatermarkExec(watermark.nodeId, watermark.eventTime, watermark.delay, child)

  type TimerStateImpl = streaming.TimerStateImpl

  /** Whether files are skipped by the values of subqueries. */
  val filesTakeSubqueries: Boolean = true

  /** A part of the error of Spark where the key of a state has another type. */
  val otherStateKey: String = "STATE_STORE_KEY_SCHEMA_NOT_COMPATIBLE"
}
