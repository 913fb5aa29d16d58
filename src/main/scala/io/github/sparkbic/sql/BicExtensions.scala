package io.github.sparkbic.sql

import org.apache.spark.sql.SparkSessionExtensions
import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.catalyst.FunctionIdentifier
import org.apache.spark.sql.catalyst.expressions.{Expression, ExpressionInfo, Literal}
import org.apache.spark.sql.catalyst.plans.logical.{AnalysisHelper, LogicalPlan}

import io.github.sparkbic.call.{Build, TableFunction, TableFunctions}
import io.github.sparkbic.operator.forests.StreamChecks

/** Adds the functions to SQL, for sessions with `spark.sql.extensions=io.github.sparkbic.sql.BicExtensions`:
  *
  * {{{
  * SELECT * FROM bic_connectivity(
  *   TABLE(edges), window => INTERVAL 1 HOUR, slide => INTERVAL 5 MINUTES, queries => array((1, 2), (3, 9)))
  * }}}
  *
  * and likewise all other functions of [[io.github.sparkbic.call.TableFunctions]]. `bic_version()` is the version of the jar.
  */
class BicExtensions extends (SparkSessionExtensions => Unit) {

  override def apply(extensions: SparkSessionExtensions): Unit = {
    Build.requireSpark()
    TableFunctions.all.foreach { function =>
      val (name, about) = info(function.name, function.usage)
      extensions.injectTableFunction((name, about, plan(function, _)))
    }
    SparkInternals.injectEarly(extensions, EarlyChecks)
    val (name, about) = info("bic_version", "bic_version()")
    extensions.injectFunction((name, about, _ => Literal(Build.version)))
  }

  private def info(name: String, usage: String) =
    FunctionIdentifier(name) ->
      new ExpressionInfo(getClass.getName, null, name, usage, "", "", "", "", "", "", "built-in")

  /** The plan of a call: the method of the same name, with the same parameters.
    *
    * Spark resolves the TABLE argument before it calls the function. The plan of the answers is made over an empty
    * stand-in with the columns of the table. Then the table's own plan replaces the stand-in. So the table may hold what
    * only the whole statement can resolve, such as a common table expression.
    */
  private def plan(function: TableFunction, call: Seq[Expression]): LogicalPlan =
    AnalysisHelper.allowInvokingTransformsInAnalyzer {
      val arguments = new CallArguments(function, call)
      val table = arguments.edges
      if (table.isStreaming) StreamChecks.checkSource(table)
      val standIn = SparkInternals.standIn(table)
      SparkInternals.replaceStandIn(function.answers(arguments.values + ("edges" -> standIn)), table)
    }
}
