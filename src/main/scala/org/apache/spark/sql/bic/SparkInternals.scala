package org.apache.spark.sql.bic

import org.apache.spark.sql
import org.apache.spark.sql.{Column, DataFrame, Encoder, Row}
import org.apache.spark.sql.catalyst.encoders.encoderFor
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.optimizer.NormalizeFloatingNumbers
import org.apache.spark.sql.catalyst.plans.logical.{
  CTERelationDef,
  CTERelationRef,
  LocalRelation,
  LogicalPlan
}
import org.apache.spark.sql.classic.{ClassicConversions, Dataset, ExpressionUtils, SparkSession}
import org.apache.spark.sql.execution.SparkStrategy

/** What Spark keeps to its own packages and we need: the ways between expressions and plans of ours and the public API. */
object SparkInternals {

  /** A column made of an expression of ours. */
  def column(expression: Expression): Column = ExpressionUtils.column(expression)

  /** The table that a plan gives, in the session that is being served. */
  def frame(plan: LogicalPlan): DataFrame = Dataset.ofRows(SparkSession.active, plan)

  /** Whether two names are of one column, in the session that is being served. */
  def sameName: (String, String) => Boolean = SparkSession.active.sessionState.conf.resolver

  /** The expression with one zero and one NaN. */
  def normalized(expression: Expression): Expression = NormalizeFloatingNumbers.normalize(expression)

  /** The plan of a table. */
  def analyzed(frame: DataFrame): LogicalPlan =
    ClassicConversions.castToImpl(frame).queryExecution.analyzed

  /** The rows of a table whose plan holds them; None if it takes a job to read them. Spark's own way to read the rows of a
    * plan would register a metric.
    */
  def rowsAtHand(frame: DataFrame, encoder: Encoder[Row]): Option[Seq[Row]] =
    if (!analyzed(frame).collectLeaves().forall(_.isInstanceOf[LocalRelation])) None
    else
      ClassicConversions.castToImpl(frame).queryExecution.optimizedPlan match {
        case local: LocalRelation =>
          val read = encoderFor(encoder).resolveAndBind(local.output).createDeserializer()
          Some(local.data.map(read))
        case _ => None
      }

  /** Has a session plan by a strategy, too; a streaming query takes it along from the session when it starts. */
  def plan(session: sql.SparkSession, strategy: SparkStrategy): Unit = session.synchronized {
    val methods = ClassicConversions.castToImpl(session).experimental
    if (!methods.extraStrategies.contains(strategy))
      methods.extraStrategies = methods.extraStrategies :+ strategy
  }

  /** Whether a plan reads a common table expression that is defined outside of it. */
  def readsCommonTable(plan: LogicalPlan): Boolean = {
    val defined = plan.collectWithSubqueries { case definition: CTERelationDef => definition.id }
    plan.collectWithSubqueries { case reference: CTERelationRef => reference.cteId }.exists(!defined.contains(
      _
    ))
  }
}
