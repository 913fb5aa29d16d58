package org.apache.spark.sql.bic

import org.apache.spark.sql
import org.apache.spark.sql.{Column, DataFrame, SparkSessionExtensions}
import org.apache.spark.sql.catalyst.expressions.{Expression, FunctionTableSubqueryArgumentExpression}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.util.UnsafeRowUtils
import org.apache.spark.sql.classic.{ClassicConversions, Dataset, ExpressionUtils, SparkSession}
import org.apache.spark.sql.execution.QueryExecution
import org.apache.spark.sql.types.DataType
import org.apache.spark.unsafe.types.UTF8String

/** The part of [[Shims]] that is the same in all minor versions of Spark 4. */
trait Spark4 {
  def column(expression: Expression): Column = ExpressionUtils.column(expression)
  def expression(column: Column): Expression = ExpressionUtils.expression(column)

  /** The session that runs on this driver. */
  def classic(session: sql.SparkSession): SparkSession = ClassicConversions.castToImpl(session)

  def execution(frame: DataFrame): QueryExecution = ClassicConversions.castToImpl(frame).queryExecution

  /** The table that a plan gives. */
  def frame(plan: LogicalPlan, session: sql.SparkSession = sql.SparkSession.active): DataFrame =
    Dataset.ofRows(classic(session), plan)

  /** Has a rule see each plan of the sessions before Spark resolves it. */
  def injectEarly(extensions: SparkSessionExtensions, rule: Rule[LogicalPlan]): Unit =
    extensions.injectHintResolutionRule(_ => rule)

  val hasTransformWithState: Boolean = true

  /** Whether values of a type are equal only if their bytes are: a collation may have it otherwise. */
  def isBinaryStable(dataType: DataType): Boolean = UnsafeRowUtils.isBinaryStable(dataType)

  /** The order of strings by their bytes. */
  def compare(one: UTF8String, other: UTF8String): Int = one.binaryCompare(other)

  /** The columns in PARTITION BY after the table of a table function. */
  def partitionBy(table: FunctionTableSubqueryArgumentExpression): Seq[Expression] =
    table.partitionByExpressions

  /** Whether the table of a table function has ORDER BY or WITH SINGLE PARTITION. */
  def isArranged(table: FunctionTableSubqueryArgumentExpression): Boolean =
    table.orderByExpressions.nonEmpty || table.withSinglePartition
}
