package io.github.sparkbic.bench

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.Row
import org.apache.spark.sql.streaming.StreamingQueryProgress

import io.github.sparkbic.SlidingWindowConnectivity

/** The counters of our operator in the progress of a query. */
object Counters {

  /** A counter of a micro-batch; 0 where the query has no operator of ours. */
  def of(progress: StreamingQueryProgress, name: String): Long =
    progress.observedMetrics.asScala.collectFirst {
      case (metrics, row: Row)
          if metrics.startsWith(SlidingWindowConnectivity.MetricsPrefix) && !row.isNullAt(0) =>
        row.getAs[Long](name)
    }.getOrElse(0L)
}
