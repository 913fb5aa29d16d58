package io.github.sparkbic.operator.forests

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet, ExprId, NamedExpression}
import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, ExprCode}
import org.apache.spark.sql.catalyst.plans.logical.{EventTimeWatermark, LogicalPlan, UnaryNode}
import org.apache.spark.sql.catalyst.util.DateTimeUtils.microsToMillis
import org.apache.spark.sql.execution.{
  CodegenSupport,
  InputAdapter,
  SparkPlan,
  UnaryExecNode,
  WholeStageCodegenExec
}
import org.apache.spark.sql.execution.streaming.operators.stateful.{
  EventTimeStats,
  EventTimeStatsAccum,
  EventTimeWatermarkExec
}

/** Marks a watermark whose times are to be noted within the code generated for the stage: see [[WatermarkInStageExec]]. */
private[operator] final case class WatermarkInStage(child: LogicalPlan) extends UnaryNode {

  override def output: Seq[Attribute] = child.output

  override protected def withNewChildInternal(newChild: LogicalPlan): WatermarkInStage =
    copy(child = newChild)
}

private[operator] object WatermarkInStage {

  /** Marks all watermarks of `plan`. */
  def mark(plan: LogicalPlan): LogicalPlan = plan.transformUp { case watermark: EventTimeWatermark =>
    WatermarkInStage(watermark)
  }
}

/** The work of Spark's `EventTimeWatermarkExec`, as part of the code generated for the stage.
  *
  * Spark's operator has no generated code: it takes rows, so the scan before it has to write one for each edge, and it
  * copies the time out of each, which together takes about as long as reading the edge. This one reads the child of
  * Spark's operator, past it, and tells its accumulator what it would have told it. Spark's operator stays in the plan,
  * where the stream looks for the watermark after each micro-batch, and does the work itself where no code is generated.
  *
  * No two of these are the same plan, even over the same edges: Spark would run one shuffle for both, and where the
  * second reads it there is no watermark any more, which an operator waits for in vain.
  *
  * @param child Spark's operator, or what Spark puts around it
  * @param own   tells this one from all others
  */
private[operator] final case class WatermarkInStageExec(
    child: SparkPlan,
    own: ExprId = NamedExpression.newExprId
) extends UnaryExecNode
    with CodegenSupport {

  override def output: Seq[Attribute] = child.output

  override protected def stringArgs: Iterator[Any] = Iterator.empty

  /** Spark's operator, if it is here. None if a plugin, such as an accelerator, has put a node of its own around it: then
    * that node is run, which gives rows, and Spark's operator in it notes the times.
    */
  private[forests] def noted: Option[EventTimeWatermarkExec] = child match {
    case operator: EventTimeWatermarkExec               => Some(operator)
    case InputAdapter(operator: EventTimeWatermarkExec) => Some(operator)
    case _                                              => None
  }

  /** What is read: past Spark's operator, the generated code that it would have run, if there is some. */
  private[forests] def source: CodegenSupport = noted.fold(child)(_.child) match {
    case stage: WholeStageCodegenExec => stage.child.asInstanceOf[CodegenSupport]
    case code: CodegenSupport if noted.isEmpty && code.supportCodegen => code
    case rows                                                         => InputAdapter(rows)
  }

  override def usedInputs: AttributeSet = AttributeSet(noted.map(_.eventTime))

  override protected def doExecute(): RDD[InternalRow] = child.execute()

  override def inputRDDs(): Seq[RDD[InternalRow]] = source.inputRDDs()

  // As told by what is read, past the child: it may make many rows of one, which Spark would write over one another.
  override def needCopyResult: Boolean = source.needCopyResult

  // Set by `doProduce`, which runs before `doConsume`.
  @transient private var times: String = _

  override protected def doProduce(ctx: CodegenContext): String =
    noted.fold(source.produce(ctx, this)) { watermark =>
      val timesClass = classOf[EventTimes].getName
      val accumulator = ctx.addReferenceObj("eventTimeStats", watermark.eventTimeStats)
      times = ctx.addMutableState(timesClass, "eventTimes", name => s"$name = new $timesClass($accumulator);")
      s"""
         |${source.produce(ctx, this)}
         |$times.tell();
     """.stripMargin
    }

  override def doConsume(ctx: CodegenContext, input: Seq[ExprCode], row: ExprCode): String = {
    val note = noted.fold("") { watermark =>
      val time = input(watermark.child.output.indexWhere(_.exprId == watermark.eventTime.exprId))
      s"$times.add(${time.isNull} ? 0L : ${time.value});"
    }
    s"""
       |$note
       |${consume(ctx, input)}
     """.stripMargin
  }

  override protected def withNewChildInternal(newChild: SparkPlan): WatermarkInStageExec =
    copy(child = newChild)
}

/** The event times of a task's rows, in microseconds; the accumulator is told at the end, in milliseconds. The average is
  * of microseconds, so up to a millisecond above Spark's, which drops what is less than one of every time.
  */
private[operator] final class EventTimes(accumulator: EventTimeStatsAccum) {
  private var earliest = Long.MaxValue
  private var latest = Long.MinValue
  private var count = 0L
  // The first time, and the sum of what the others are after it: a sum of whole times would lose a bit with every row.
  private var base = 0.0
  private var sum = 0.0

  /** Spark takes a null for a zero, and so do callers. */
  def add(micros: Long): Unit = {
    if (micros < earliest) earliest = micros
    if (micros > latest) latest = micros
    if (count == 0) base = micros.toDouble
    sum += micros.toDouble - base
    count += 1
  }

  /** The first `count` of them. */
  def addAll(micros: Array[Long], count: Int): Unit = {
    var earliest = this.earliest
    var latest = this.latest
    var sum = this.sum
    if (this.count == 0 && count > 0) this.base = micros(0).toDouble
    val base = this.base
    var i = 0
    while (i < count) {
      val time = micros(i)
      earliest = math.min(earliest, time)
      latest = math.max(latest, time)
      sum += time.toDouble - base
      i += 1
    }
    this.earliest = earliest
    this.latest = latest
    this.sum = sum
    this.count += count
  }

  /** Tells all that was added since the last call. */
  def tell(): Unit =
    if (count > 0) {
      val told =
        EventTimeStats(microsToMillis(latest), microsToMillis(earliest), (base + sum / count) / 1000, count)
      accumulator.merge(new EventTimeStatsAccum(told))
      earliest = Long.MaxValue
      latest = Long.MinValue
      sum = 0.0
      count = 0
    }
}
