package org.apache.spark.sql.bic

import scala.annotation.unused

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.streaming

/** The parts of Spark that stand elsewhere in other minor versions. */
trait Shims extends Spark4 {
  type EventTimeWatermarkExec = streaming.EventTimeWatermarkExec
  type EventTimeStatsAccum = streaming.EventTimeStatsAccum

  /** Whether a source of the plan is read in real-time mode, which this version does not have. */
  def isRealTime(@unused plan: LogicalPlan): Boolean = false
}
