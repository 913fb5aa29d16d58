package org.apache.spark.sql.bic

import org.apache.spark.sql.{Column, DataFrame, Dataset, SparkSession, SparkSessionExtensions}
import org.apache.spark.sql.catalyst.expressions.{Expression, FunctionTableSubqueryArgumentExpression}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{streaming, QueryExecution}
import org.apache.spark.sql.types.DataType
import org.apache.spark.unsafe.types.UTF8String

/** The parts of Spark that stand elsewhere in other minor versions. The shims of Spark 4 describe them. */
trait Shims {
  type EventTimeWatermarkExec = streaming.EventTimeWatermarkExec
  type EventTimeStatsAccum = streaming.EventTimeStatsAccum

  def column(expression: Expression): Column = new Column(expression)
  def expression(column: Column): Expression = column.expr
  def classic(session: SparkSession): SparkSession = session
  def execution(frame: DataFrame): QueryExecution = frame.queryExecution
  def frame(plan: LogicalPlan, session: SparkSession = SparkSession.active): DataFrame =
    Dataset.ofRows(session, plan)
  def compare(one: UTF8String, other: UTF8String): Int = one.compareTo(other)

  /** This version has no place before Spark's check of the output mode. */
  def injectEarly(extensions: SparkSessionExtensions, rule: Rule[LogicalPlan]): Unit =
    extensions.injectResolutionRule(_ => rule)

  // This version has neither transformWithState, nor a real-time mode, collations, and clauses after a TABLE argument.
  val hasTransformWithState: Boolean = false
  def isRealTime(plan: LogicalPlan): Boolean = false
  def isBinaryStable(dataType: DataType): Boolean = true
  def partitionBy(table: FunctionTableSubqueryArgumentExpression): Seq[Expression] = Nil
  def isArranged(table: FunctionTableSubqueryArgumentExpression): Boolean = false
}
