package io.github.sparkbic.operator

import java.util.UUID

import org.apache.spark.sql.{Column, DataFrame}
import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.catalyst.expressions.NamedExpression
import org.apache.spark.sql.catalyst.plans.logical.{CollectMetrics, LogicalPlan}
import org.apache.spark.sql.execution.{CollectMetricsExec, SparkPlan}

/** Attaches the counters to the rows of the operator, as observed metrics of Spark. */
private[sparkbic] object Counted {

  /** The start of the names, by which users find the metrics. */
  val MetricsPrefix: String = "bicConnectivity"

  /** The name in logical plans of batches, in place of a name of its own. */
  private val InPlans = s"$MetricsPrefix-batch"

  /** A name that no other observing node of a query has. */
  private[operator] def newName(): String = s"$MetricsPrefix-${UUID.randomUUID().toString.take(8)}"

  /** Spark requires that observing nodes of a query have different names, but two plans with different names are never
    * equal. So all nodes of batches have one name in logical plans, as if they were one observation. [[OperatorStrategy]]
    * gives each node its own name when it is planned.
    * Two uses of a stream have a state each, so they are never one plan.
    */
  def apply(rows: DataFrame, counters: Seq[Column]): DataFrame = {
    val observed = rows.observe(newName(), counters.head, counters.tail: _*)
    if (rows.isStreaming) observed
    else SparkInternals.analyzed(observed) match {
      case metrics: CollectMetrics =>
        SparkInternals.plan(rows.sparkSession, OperatorStrategy)
        SparkInternals.frame(metrics.copy(name = InPlans, dataframeId = 0L), rows.sparkSession)
      case other => throw new IllegalStateException(s"${other.nodeName} observes nothing")
    }
  }

  /** The observing nodes of [[apply]]. */
  private[operator] def unapply(plan: LogicalPlan): Option[(Seq[NamedExpression], LogicalPlan)] = plan match {
    case CollectMetrics(InPlans, metrics, child, 0L) => Some((metrics, child))
    case _                                           => None
  }
}

/** Spark's operator, which is equal to another that has a different name. */
private[operator] final class CountedExec(
    name: String,
    metricExpressions: Seq[NamedExpression],
    child: SparkPlan
) extends CollectMetricsExec(name, metricExpressions, child) {
  override def nodeName: String = "CollectMetrics"

  // Spark changes a node by this method.
  override def copy(name: String, metricExpressions: Seq[NamedExpression], child: SparkPlan): CountedExec =
    new CountedExec(name, metricExpressions, child)

  override protected def doCanonicalize(): SparkPlan = super.doCanonicalize() match {
    case canonical: CollectMetricsExec => canonical.copy(name = "")
    case other                         => other
  }
}
