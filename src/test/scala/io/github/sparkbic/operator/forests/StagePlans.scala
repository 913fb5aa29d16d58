package io.github.sparkbic.operator.forests

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.bic.TestShims.StreamingQueryWrapper
import org.apache.spark.sql.execution.{InputAdapter, SparkPlan, WholeStageCodegenExec}
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
import org.apache.spark.sql.streaming.StreamingQuery

/** Where stage 1 is in the plan of a query. */
private[forests] trait StagePlans extends AdaptiveSparkPlanHelper {

  def stages(plan: SparkPlan): Seq[WholeStageCodegenExec] = collect(plan) {
    case stage: WholeStageCodegenExec if holds(stage.child) => stage
  }

  // A stage of generated code ends where its input comes in.
  def holds(plan: SparkPlan): Boolean = plan match {
    case _: PaneForestsExec => true
    case _: InputAdapter    => false
    case other              => other.children.exists(holds)
  }

  def takesBatches(plan: SparkPlan): Boolean =
    stages(plan).exists(_.doCodeGen()._2.body.contains("edgeBatches"))

  def planOf(answers: DataFrame): SparkPlan = answers.queryExecution.executedPlan

  def planOf(query: StreamingQuery): SparkPlan =
    query.asInstanceOf[StreamingQueryWrapper].streamingQuery.lastExecution.executedPlan

  /** What `use` finds in a stream of answers, which is written to the table `name`. */
  def streaming[A](answers: DataFrame, name: String)(use: StreamingQuery => A): A = {
    val query = answers.writeStream.format("memory").queryName(name).start()
    try use(query)
    finally query.stop()
  }
}
