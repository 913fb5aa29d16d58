package org.apache.spark.sql.bic

import org.apache.spark.sql.Column
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.classic.ExpressionUtils

/** The one thing that Spark keeps to its own packages and that we need: a column made of an expression of ours. */
object SparkInternals {

  def column(expression: Expression): Column = ExpressionUtils.column(expression)
}
