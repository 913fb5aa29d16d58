package io.github.sparkbic.operator.forests

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, ExprCode, GenerateUnsafeProjection}
import org.apache.spark.sql.catalyst.plans.logical.{EventTimeWatermark, Generate, LogicalPlan}
import org.apache.spark.sql.execution.{CodegenSupport, RangeExec, SparkPlan, SparkStrategy, UnaryExecNode}
import org.apache.spark.sql.execution.exchange.ShuffleExchangeLike
import org.apache.spark.sql.vectorized.ColumnarBatch

import io.github.sparkbic.arguments.Durations
import io.github.sparkbic.index.contract.Panes

/** [[PaneForests]] as a physical operator: where its input is generated code, so are the calls that add edges to forests.
  * No row is made of an edge.
  *
  * {{{
  * for each batch, if the input is column batches (EdgeBatches), or
  * for each row of the child:  openGraphs.onlyGraph(key).add(src, dst, time);
  *                             if (openGraphs.isFull()) { openGraphs.close(); emitBlocks(); }
  * at the end:                 openGraphs.close(); emitBlocks();
  * }}}
  * @param forests whose `keys` and `edge` refer to the child's output
  */
private[operator] final case class PaneForestsExec(
    forests: PaneForests,
    output: Seq[Attribute],
    child: SparkPlan
) extends UnaryExecNode
    with CodegenSupport {
  override def producedAttributes: AttributeSet = AttributeSet(output)
  override def nodeName: String = "BicPaneForests"

  override protected def stringArgs: Iterator[Any] = Iterator(
    if (forests.panes == Panes.Whole) "whole table" else s"pane ${Durations.show(forests.panes.length)}",
    s"from ${if (conf.wholeStageEnabled && batches.nonEmpty) "column batches" else "rows"}"
  )

  private def bound: PaneForests = BindReferences.bindReference(forests, child.output)

  override protected def doExecute(): RDD[InternalRow] = {
    val bound = this.bound
    grouped(child.execute()).mapPartitions { rows =>
      val ofTask = bound.copy()
      rows.flatMap(ofTask.eval) ++ Iterator.single(ofTask).flatMap(_.terminate())
    }
  }

  override def inputRDDs(): Seq[RDD[InternalRow]] = child.asInstanceOf[CodegenSupport].inputRDDs() match {
    case Seq(input) => Seq(grouped(input))
    case several    => several
  }

  /** The input of a micro-batch, in few tasks. All partitions of a topic hold edges of the same panes. A task that reads
    * several of them sends one forest of a pane for them all. After a shuffle, partitions stay as they are. So do those of a
    * range: generated code makes its numbers from the number of the task, so a task would leave out all partitions but one.
    */
  private def grouped(input: RDD[InternalRow]): RDD[InternalRow] = {
    val ofSource = forests.forState && !child.exists {
      case _: ShuffleExchangeLike | _: RangeExec => true
      case _                                     => false
    }
    // Where the cores are yet to come, there is no bound.
    val slots = if (ofSource) SparkInternals.slots(sparkContext) else None
    val tasks = slots.fold(Int.MaxValue)(slots => if (slots == 1) 1 else PaneForestsExec.TasksPerSlot * slots)
    if (tasks < input.getNumPartitions) input.coalesce(tasks) else input
  }

  // Spark keeps the rows of many blocks that are emitted at once, so each row must be a copy.
  override def needCopyResult: Boolean = true

  // Set by `doProduce`, which runs before `doConsume`.
  @transient private var openGraphs: String = _
  @transient private var emitBlocks: String = _

  /** The columns of the edges, if the input is column batches. */
  private def batches: Option[EdgeBatches] =
    if (forests.isOneGraph) EdgeBatches.under(child, forests.edge) else None

  override protected def doProduce(ctx: CodegenContext): String = {
    val graphsClass = classOf[OpenGraphs].getName
    val opener = ctx.addReferenceObj("paneForests", bound)
    openGraphs =
      ctx.addMutableState(graphsClass, "openGraphs", name => s"$name = $opener.open();", forceInline = true)
    val block = ctx.freshName("block")
    val name = ctx.freshName("emitBlocks")
    emitBlocks = ctx.addNewFunction(
      name,
      s"""
         |private void $name() throws java.io.IOException {
         |  $openGraphs.close();
         |  UnsafeRow $block = $openGraphs.next();
         |  while ($block != null) {
         |    ${consume(ctx, null, block)}
         |    $block = $openGraphs.next();
         |  }
         |}
       """.stripMargin,
      inlineToOuterClass = true
    )
    val feeding = batches.fold(child.asInstanceOf[CodegenSupport].produce(ctx, this))(takeBatches(ctx, _))
    s"$feeding\n$emitBlocks();"
  }

  private def takeBatches(ctx: CodegenContext, batches: EdgeBatches): String = {
    val edgeBatches = ctx.addReferenceObj("edgeBatches", batches)
    // The stage has no other input.
    val input = ctx.addMutableState("scala.collection.Iterator", "batches", name => s"$name = inputs[0];")
    s"""
       |while ($input.hasNext()) {
       |  $edgeBatches.add((${classOf[ColumnarBatch].getName}) $input.next(), ${onlyGraph(ctx)});
       |  if ($openGraphs.isFull()) {
       |    $emitBlocks();
       |    if (shouldStop()) return;
       |  }
       |}
     """.stripMargin
  }

  private def onlyGraph(ctx: CodegenContext): String = {
    val key = UnsafeProjection.create(forests.keys)(InternalRow.empty).copy()
    s"$openGraphs.onlyGraph(${ctx.addReferenceObj("onlyKey", key)})"
  }

  override def doConsume(ctx: CodegenContext, input: Seq[ExprCode], row: ExprCode): String = {
    ctx.currentVars = input
    val ends = bound.edge.map(_.genCode(ctx))
    val values = ends.map(_.value).mkString(", ")
    val isAnyNull = ends.map(_.isNull).mkString(" || ")
    val (keyCode, graph, addEdge) =
      if (forests.isOneGraph) {
        val graph = onlyGraph(ctx)
        ("", graph, s"$graph.add($values)")
      } else {
        ctx.INPUT_ROW = null
        ctx.currentVars = input
        val key = GenerateUnsafeProjection.createCode(ctx, bound.keys)
        (key.code.toString, s"$openGraphs.graph(${key.value})", s"$openGraphs.add(${key.value}, $values)")
      }
    s"""
       |${ends.map(_.code).mkString("\n")}
       |$keyCode
       |if ($isAnyNull) {
       |  $graph.addNull();
       |} else {
       |  $addEdge;
       |}
       |if ($openGraphs.isFull()) {
       |  $emitBlocks();
       |}
     """.stripMargin
  }

  override protected def withNewChildInternal(newChild: SparkPlan): PaneForestsExec = copy(child = newChild)
}

private object PaneForestsExec {

  /** Two tasks a slot, so that a slot with small partitions takes over some of another. */
  final val TasksPerSlot = 2
}

/** Plans [[PaneForests]] as [[PaneForestsExec]]. */
private[operator] object PaneForestsStrategy extends SparkStrategy {
  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case Generate(forests: PaneForests, unrequired, false, _, output, child)
        if unrequired.distinct.size == child.output.size =>
      // The whole statement is known only here, with its common table expressions.
      if (forests.forState) StreamChecks.checkSource(child)
      val input = child.transformUp { case watermark: EventTimeWatermark => WatermarkInStage(watermark) }
      Seq(PaneForestsExec(forests, output, planLater(input)))
    case watermark: EventTimeWatermark =>
      StreamChecks.checkFollowers(watermark)
      Nil
    case WatermarkInStage(watermark) => Seq(WatermarkInStageExec(planLater(watermark)))
    case _                           => Nil
  }
}
