package org.apache.spark.sql.bic

import org.apache.spark.sql.execution.streaming

/** The parts of Spark that stand elsewhere in other minor versions. */
object Shims {
  type EventTimeWatermarkExec = streaming.EventTimeWatermarkExec
  type EventTimeStatsAccum = streaming.EventTimeStatsAccum

  def eventTimeStats(max: Long, min: Long, avg: Double, count: Long): EventTimeStatsAccum =
    new EventTimeStatsAccum(streaming.EventTimeStats(max, min, avg, count))
}
