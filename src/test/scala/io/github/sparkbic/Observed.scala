package io.github.sparkbic

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.streaming.StreamingQuery

/** The counters that answers have told under names of ours. */
object Observed {

  /** Of a batch: one row for each call in its plan. */
  def of(answers: DataFrame): Seq[Row] = ours(SparkInternals.execution(answers).observedMetrics)

  /** Of the micro-batches that are remembered. A micro-batch that called the operator for no graph is left out. */
  def of(query: StreamingQuery): Seq[Row] =
    query.recentProgress.toSeq.flatMap(progress => ours(progress.observedMetrics.asScala))

  private def ours(observed: Iterable[(String, Row)]): Seq[Row] = observed.toSeq.collect {
    case (name, row) if name.startsWith(SlidingWindowConnectivity.MetricsPrefix) && !row.isNullAt(0) => row
  }
}
