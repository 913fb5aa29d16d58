package io.github.sparkbic.sql

import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.logical.{AnalysisHelper, LocalRelation, LogicalPlan}

import io.github.sparkbic.call.{Ask, Call, Options}
import io.github.sparkbic.operator.forests.StreamChecks

/** A question as a table function of SQL: the method of the same name, with the same parameters.
  *
  * Spark resolves the TABLE argument before it calls the function. The answers' plan is made over an empty stand-in with
  * the table's columns, which the table's own plan then replaces. So that plan may hold what only the whole statement can
  * resolve, such as a common table expression.
  */
private[sql] object TableFunction {

  def build(ask: Ask)(call: Seq[Expression]): LogicalPlan = AnalysisHelper.allowInvokingTransformsInAnalyzer {
    val arguments = new CallArguments(ask, call)
    val table = arguments.edges
    if (table.isStreaming) StreamChecks.checkSource(table)
    val standIn = LocalRelation(table.output, Nil, isStreaming = table.isStreaming)
    val options = new Options(ask, arguments.values + ("edges" -> SparkInternals.frame(standIn)))
    SparkInternals.analyzed(Call.answers(options)).transformUp {
      case leaf: LocalRelation if leaf.output.map(_.exprId) == standIn.output.map(_.exprId) => table
    }
  }
}
