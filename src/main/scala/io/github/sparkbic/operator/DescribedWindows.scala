package io.github.sparkbic.operator

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.{Row, SparkSession}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback
import org.apache.spark.sql.catalyst.plans.logical.{Generate, LogicalPlan}
import org.apache.spark.sql.execution.{SparkPlan, SparkStrategy, UnaryExecNode}
import org.apache.spark.sql.execution.command.LeafRunnableCommand
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.apache.spark.sql.types.{BooleanType, StructType}

import io.github.sparkbic.operator.question.Question
import io.github.sparkbic.operator.state.Counters

/** Passes on the rows of the window operator. This node lies over Spark's own operator. It describes that operator in the
  * plan, shows the operator's counters, and prepares the question before the tasks.
  *
  * To Spark's optimizer the node is a generator, so a session without [[OperatorStrategy]] can run the plan, too. There
  * the plan shows nothing, and a subquery prepares the question.
  *
  * @param children    the columns of the window operator, and the subquery [[PrepareQuestion]]
  * @param counters    names of the metrics
  * @param description text of the operator in EXPLAIN
  */
private[operator] final case class DescribedWindows(
    children: Seq[Expression],
    elementSchema: StructType,
    question: Question,
    counters: Seq[String],
    description: Seq[String]
) extends Generator
    with CodegenFallback {

  override def eval(input: InternalRow): Iterator[InternalRow] =
    Iterator.single(new GenericInternalRow(children.take(elementSchema.size).map(_.eval(input)).toArray))

  override def prettyName: String = "bic_windows"

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[Expression]): DescribedWindows =
    copy(children = newChildren)
}

/** Prepares a question, on the driver. */
private[operator] final case class PrepareQuestion(question: Question) extends LeafRunnableCommand {
  override val output: Seq[Attribute] = Seq(AttributeReference("prepared", BooleanType, nullable = false)())

  override def run(session: SparkSession): Seq[Row] = {
    question.list.foreach(_.send())
    Seq(Row(true))
  }
}

/** [[DescribedWindows]] as a physical operator, whose metrics are the counters of the operator below. */
private[sparkbic] final case class WindowsExec(
    question: Question,
    counters: Seq[String],
    description: Seq[String],
    output: Seq[Attribute],
    child: SparkPlan
) extends UnaryExecNode {

  override def producedAttributes: AttributeSet = AttributeSet(output)

  override def nodeName: String = "BicWindows"

  override protected def stringArgs: Iterator[Any] = description.iterator

  override lazy val metrics: Map[String, SQLMetric] = counters.map { name =>
    val words = name.replace('_', ' ')
    val metric =
      if (name.endsWith("_ns"))
        SQLMetrics.createNanoTimingMetric(sparkContext, s"time in ${name.dropRight(3)}")
      else if (name.endsWith("_bytes")) SQLMetrics.createSizeMetric(sparkContext, words)
      else SQLMetrics.createMetric(sparkContext, words)
    name -> metric
  }.toMap

  override protected def doExecute(): RDD[InternalRow] = {
    question.list.foreach(_.send())
    val totals = counters.map(name => Counters.All.indexOf(name) -> metrics(name)).toArray
    val column = output.size - 1
    child.execute().mapPartitions(_.map { row =>
      if (!row.isNullAt(column)) {
        val counted = row.getArray(column)
        totals.foreach { case (i, total) => total.add(counted.getLong(i)) }
      }
      row
    })
  }

  override protected def withNewChildInternal(newChild: SparkPlan): WindowsExec = copy(child = newChild)
}

/** Plans the nodes of this package. A session without this strategy runs the generators. */
private[operator] object OperatorStrategy extends SparkStrategy {

  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    // If a node between has moved the columns, the generator is planned instead, which puts them in order.
    case Generate(windows: DescribedWindows, unrequired, false, _, output, child)
        if unrequired.distinct.size == child.output.size &&
          windows.children.dropRight(1).map(_.canonicalized) == child.output.map(_.canonicalized) =>
      Seq(WindowsExec(windows.question, windows.counters, windows.description, output, planLater(child)))
    case generate @ Generate(unpack: Unpack, _, false, _, items, child) =>
      Seq(UnpackExec(unpack, generate.requiredChildOutput, items, planLater(child)))
    case _ => Nil
  }
}
