package org.apache.spark.sql.bic

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.datasources.v2.StreamingDataSourceV2ScanRelation
import org.apache.spark.sql.execution.streaming.operators.stateful

/** The parts of Spark that stand elsewhere in other minor versions. */
trait Shims extends Spark4 {
  type EventTimeWatermarkExec = stateful.EventTimeWatermarkExec
  type EventTimeStatsAccum = stateful.EventTimeStatsAccum

  /** Whether a source of the plan is read in real-time mode. */
  def isRealTime(plan: LogicalPlan): Boolean = plan.exists {
    case scan: StreamingDataSourceV2ScanRelation => scan.relation.realTimeModeDuration.isDefined
    case _                                       => false
  }
}
