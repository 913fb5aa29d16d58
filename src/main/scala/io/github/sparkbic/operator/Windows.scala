package io.github.sparkbic.operator

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  Alias,
  Attribute,
  AttributeReference,
  AttributeSet,
  Expression,
  Generator,
  GenericInternalRow,
  Literal,
  ScalarSubquery
}
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback
import org.apache.spark.sql.catalyst.plans.logical.{Generate, LogicalPlan, Project}
import org.apache.spark.sql.execution.{SparkPlan, SparkStrategy, UnaryExecNode}
import org.apache.spark.sql.execution.command.LeafRunnableCommand
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.apache.spark.sql.types.{BooleanType, StructField, StructType}

import io.github.sparkbic.operator.question.Question
import io.github.sparkbic.operator.state.Counters

/** The rows of the window operator as they are. This node stands over Spark's own operator, to say in the plan what that
  * one does, to show what it counts, and to prepare the question before the tasks.
  *
  * To Spark's optimizer it is a generator, as [[io.github.sparkbic.operator.forests.PaneForests]] is and for the same
  * reason: a session without [[WindowsStrategy]] can run the plan, too. There nothing is shown, and a subquery prepares
  * the question.
  *
  * @param children    the columns of the window operator, and the subquery
  * @param description what the plan says of the operator
  */
private[operator] final case class Windows(
    children: Seq[Expression],
    elementSchema: StructType,
    question: Question,
    isStreaming: Boolean,
    description: Seq[String]
) extends Generator
    with CodegenFallback {

  override def eval(input: InternalRow): IterableOnce[InternalRow] =
    Iterator.single(new GenericInternalRow(children.take(elementSchema.size).map(_.eval(input)).toArray))

  override def prettyName: String = "bic_windows"

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[Expression]): Windows =
    copy(children = newChildren)
}

private[operator] object Windows {

  def apply(
      columns: Seq[Attribute],
      question: Question,
      isStreaming: Boolean,
      description: Seq[String]
  ): Windows = {
    val schema = StructType(columns.map(c => StructField(c.name, c.dataType, c.nullable, c.metadata)))
    val ready = Project(Seq(Alias(Literal(true), "ready")()), PrepareQuestion(question))
    Windows(columns :+ ScalarSubquery(ready), schema, question, isStreaming, description)
  }
}

/** Prepares a question, on the driver. */
private[operator] final case class PrepareQuestion(question: Question) extends LeafRunnableCommand {
  override val output: Seq[Attribute] = Seq(AttributeReference("prepared", BooleanType, nullable = false)())

  override def run(session: org.apache.spark.sql.SparkSession): Seq[Row] = {
    question.beforeTasks()
    Seq(Row(true))
  }
}

/** [[Windows]] as a physical operator, whose metrics are the counters of the operator below. */
private[operator] final case class WindowsExec(
    question: Question,
    isStreaming: Boolean,
    description: Seq[String],
    output: Seq[Attribute],
    child: SparkPlan
) extends UnaryExecNode {

  override def producedAttributes: AttributeSet = AttributeSet(output)

  override def nodeName: String = "BicWindows"

  override protected def stringArgs: Iterator[Any] = description.iterator

  override lazy val metrics: Map[String, SQLMetric] = Counters.names(isStreaming).map { name =>
    name -> (
      if (name.endsWith("_ns"))
        SQLMetrics.createNanoTimingMetric(sparkContext, s"time in ${name.stripSuffix("_ns")}")
      else if (name.endsWith("_bytes")) SQLMetrics.createSizeMetric(sparkContext, name.replace('_', ' '))
      else SQLMetrics.createMetric(sparkContext, name.replace('_', ' '))
    )
  }.toMap

  override protected def doExecute(): RDD[InternalRow] = {
    question.beforeTasks()
    val shown = Counters.names(isStreaming).map(metrics).toArray
    val place = output.size - 1
    child.execute().mapPartitions { rows =>
      rows.map { row =>
        if (!row.isNullAt(place)) {
          val counters = row.getArray(place)
          shown.indices.foreach(i => shown(i).add(counters.getLong(i)))
        }
        row
      }
    }
  }

  override protected def withNewChildInternal(newChild: SparkPlan): WindowsExec = copy(child = newChild)
}

/** Plans [[Windows]] as [[WindowsExec]]. */
private[operator] object WindowsStrategy extends SparkStrategy {

  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    // Else something between has moved the columns, and the generator puts them in order.
    case Generate(windows: Windows, unrequired, false, _, output, child)
        if unrequired.distinct.size == child.output.size &&
          windows.children.dropRight(1).map(_.canonicalized) == child.output.map(_.canonicalized) =>
      Seq(WindowsExec(windows.question, windows.isStreaming, windows.description, output, planLater(child)))
    case _ => Nil
  }
}
