package org.apache.spark.sql.bic

import org.apache.spark.sql.execution.streaming.operators.stateful

/** The parts of Spark that stand elsewhere in other minor versions. */
object Shims {
  type EventTimeWatermarkExec = stateful.EventTimeWatermarkExec
  type EventTimeStatsAccum = stateful.EventTimeStatsAccum

  def eventTimeStats(max: Long, min: Long, avg: Double, count: Long): EventTimeStatsAccum =
    new EventTimeStatsAccum(stateful.EventTimeStats(max, min, avg, count))
}
