package io.github.sparkbic.operator.forests

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.bic.SparkInternals.EventTimeWatermarkExec
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet, ExprId, NamedExpression}
import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, ExprCode}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, UnaryNode}
import org.apache.spark.sql.catalyst.util.DateTimeUtils
import org.apache.spark.sql.execution._

/** Marks a watermark whose times are noted by [[WatermarkInStageExec]]. */
private[operator] final case class WatermarkInStage(child: LogicalPlan) extends UnaryNode {
  override def output: Seq[Attribute] = child.output

  override protected def withNewChildInternal(newChild: LogicalPlan): WatermarkInStage =
    copy(child = newChild)
}

/** Spark's `EventTimeWatermarkExec`, within the code generated for the stage.
  *
  * Spark's operator takes rows. So the scan before it has to write a row for each edge, and the operator copies the
  * time out of each row. The two together take about as long as reading the edges. This operator reads the child of
  * Spark's operator, and reports the times to its accumulator.
  *
  * Spark's operator stays in the plan: there the stream finds the watermark after each micro-batch. Where no code is
  * generated, Spark's operator runs.
  *
  * The `own` id makes no two of these operators equal. Otherwise Spark would run one shuffle for two of them, and the second
  * reader of the shuffle would never get a watermark.
  */
private[operator] final case class WatermarkInStageExec(
    child: SparkPlan,
    own: ExprId = NamedExpression.newExprId
) extends UnaryExecNode
    with CodegenSupport {
  override def output: Seq[Attribute] = child.output
  override protected def stringArgs: Iterator[Any] = Iterator.empty

  /** Spark's operator, if it is the child. A plugin, such as an accelerator, may have put a node of its own around it. That
    * node is then run: it gives rows, and Spark's operator notes the times.
    */
  private[forests] def noted: Option[EventTimeWatermarkExec] = child match {
    case operator: EventTimeWatermarkExec               => Some(operator)
    case InputAdapter(operator: EventTimeWatermarkExec) => Some(operator)
    case _                                              => None
  }

  /** The input: the child of Spark's operator, within the same generated code where possible. */
  private[forests] def source: CodegenSupport = noted.fold(child)(_.child) match {
    case stage: WholeStageCodegenExec => stage.child.asInstanceOf[CodegenSupport]
    case code: CodegenSupport if noted.isEmpty && code.supportCodegen => code
    case rows                                                         => InputAdapter(rows)
  }

  override def usedInputs: AttributeSet = AttributeSet(noted.map(_.eventTime))
  override protected def doExecute(): RDD[InternalRow] = child.execute()
  override def inputRDDs(): Seq[RDD[InternalRow]] = source.inputRDDs()

  // The input may make many rows of one, which Spark would overwrite unless they are copied.
  override def needCopyResult: Boolean = source.needCopyResult

  override protected def doProduce(ctx: CodegenContext): String = source.produce(ctx, this)

  override def doConsume(ctx: CodegenContext, input: Seq[ExprCode], row: ExprCode): String = {
    val note = noted.fold("") { watermark =>
      val stats = ctx.addReferenceObj("eventTimeStats", watermark.eventTimeStats)
      val time = input(watermark.child.output.indexWhere(_.exprId == watermark.eventTime.exprId))
      val toMillis = s"${DateTimeUtils.getClass.getName.stripSuffix("$")}.microsToMillis"
      s"$stats.add($toMillis(${time.isNull} ? 0L : ${time.value}));"
    }
    s"$note\n${consume(ctx, input)}"
  }

  override protected def withNewChildInternal(newChild: SparkPlan): WatermarkInStageExec =
    copy(child = newChild)
}
