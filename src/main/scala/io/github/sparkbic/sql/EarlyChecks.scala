package io.github.sparkbic.sql

import java.util.Locale

import org.apache.spark.sql.catalyst.analysis.{UnresolvedAttribute, UnresolvedTableValuedFunction}
import org.apache.spark.sql.catalyst.expressions.NamedArgumentExpression
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.streaming.WriteToStreamStatement

import io.github.sparkbic.arguments.Arguments
import io.github.sparkbic.call.TableFunctions
import io.github.sparkbic.operator.forests.PaneForests

/** Refuses what Spark itself would refuse in words about its own operators. Hence it runs before Spark resolves a plan. */
private[sql] object EarlyChecks extends Rule[LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan = {
    plan match {
      case stream: WriteToStreamStatement => requireAppend(stream)
      case _ => plan.collectWithSubqueries { case call: UnresolvedTableValuedFunction => requireTables(call) }
    }
    plan
  }

  /** An aggregation of answers may be written in the other modes. */
  private def requireAppend(stream: WriteToStreamStatement): Unit = {
    val query = stream.inputQuery
    val mode = stream.outputMode.toString.toLowerCase(Locale.ROOT)
    def isAggregated = query.exists {
      case aggregate: Aggregate => aggregate.isStreaming
      case _                    => false
    }
    if (mode != "append" && PaneForests.areStreamedIn(query) && !isAggregated)
      throw Arguments.invalid(
        s"the output mode is '$mode', but a row of answers never changes once it is written; use append"
      )
  }

  /** A table without TABLE would be a column that is not there. */
  private def requireTables(call: UnresolvedTableValuedFunction): Unit =
    for (function <- TableFunctions.all if call.name.lastOption.exists(_.equalsIgnoreCase(function.name))) {
      val named = call.functionArgs.collect {
        case NamedArgumentExpression(name, value) => name.toLowerCase(Locale.ROOT) -> value
      }
      // In place of an array there may be a variable of the session.
      val tables =
        function.parameters.filter(parameter => parameter.isTable && !parameter.orArray).map(_.name)
      (function.parameters.map(_.name).zip(call.functionArgs) ++ named).foreach {
        case (name, column: UnresolvedAttribute) if tables.contains(name) =>
          throw function.wrong(s"takes a table as '$name', not ${column.sql}; write TABLE(${column.sql})")
        case _ =>
      }
    }
}
