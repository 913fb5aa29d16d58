package io.github.sparkbic

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec
import org.apache.spark.sql.streaming.StreamingQuery

import io.github.sparkbic.operator.WindowsExec

/** The counters that answers have told. */
object Observed extends AdaptiveSparkPlanHelper {

  /** Of a batch: the metrics of each call in its plan. */
  def of(answers: DataFrame): Seq[Map[String, Long]] =
    windows(SparkInternals.execution(answers).executedPlan).map(_.metrics.map { case (name, metric) =>
      name -> metric.value
    })

  private def windows(plan: SparkPlan): Seq[WindowsExec] = {
    val cached = collect(plan) { case scan: InMemoryTableScanExec => windows(scan.relation.cachedPlan) }
    collect(plan) { case windows: WindowsExec => windows } ++ cached.flatten
  }

  /** Of the micro-batches that are remembered. A micro-batch that called the operator for no graph is left out. */
  def of(query: StreamingQuery): Seq[Row] =
    query.recentProgress.toSeq.flatMap(_.observedMetrics.asScala).collect {
      case (name, row) if name.startsWith(SlidingWindowConnectivity.MetricsPrefix) && !row.isNullAt(0) => row
    }
}
