package org.apache.spark.sql.bic

import org.apache.spark.sql.{Column, DataFrame, Dataset, SparkSession, SparkSessionExtensions}
import org.apache.spark.sql.catalyst.expressions.{Expression, FunctionTableSubqueryArgumentExpression}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{streaming, QueryExecution}
import org.apache.spark.sql.types.DataType
import org.apache.spark.unsafe.types.UTF8String

/** The parts of Spark that stand elsewhere in other minor versions. */
trait Shims {
  type EventTimeWatermarkExec = streaming.EventTimeWatermarkExec
  type EventTimeStatsAccum = streaming.EventTimeStatsAccum

  def eventTimeStats(max: Long, min: Long, avg: Double, count: Long): EventTimeStatsAccum =
    new EventTimeStatsAccum(streaming.EventTimeStats(max, min, avg, count))

  /** Whether a source of the plan is read in real-time mode, which this version does not have. */
  def isRealTime(plan: LogicalPlan): Boolean = false

  def column(expression: Expression): Column = new Column(expression)

  def expression(column: Column): Expression = column.expr

  /** The session that runs on this driver. */
  def classic(session: SparkSession): SparkSession = session

  def execution(frame: DataFrame): QueryExecution = frame.queryExecution

  /** The table that a plan gives. */
  def frame(plan: LogicalPlan, session: SparkSession = SparkSession.active): DataFrame =
    Dataset.ofRows(session, plan)

  /** Has a rule see each plan that Spark resolves. This version has no place before Spark's check of the output mode. */
  def injectEarly(extensions: SparkSessionExtensions, rule: Rule[LogicalPlan]): Unit =
    extensions.injectResolutionRule(_ => rule)

  val hasTransformWithState: Boolean = false

  /** Whether values of a type are equal only if their bytes are. This version has no collations. */
  def isBinaryStable(dataType: DataType): Boolean = true

  /** The order of strings by their bytes. */
  def compare(one: UTF8String, other: UTF8String): Int = one.compareTo(other)

  /** The columns in PARTITION BY after the table of a table function, which this version does not have. */
  def partitionBy(table: FunctionTableSubqueryArgumentExpression): Seq[Expression] = Nil

  /** Whether the table of a table function has ORDER BY or WITH SINGLE PARTITION, which this version does not have. */
  def isArranged(table: FunctionTableSubqueryArgumentExpression): Boolean = false
}
