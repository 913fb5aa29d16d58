package io.github.sparkbic.operator.forests

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  AttributeSet,
  BindReferences,
  Expression,
  UnsafeProjection,
  UnsafeRow
}
import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, ExprCode, GenerateUnsafeProjection}
import org.apache.spark.sql.catalyst.plans.logical.{EventTimeWatermark, Generate, LogicalPlan}
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.execution.{CodegenSupport, SparkPlan, SparkStrategy, UnaryExecNode}
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.vectorized.ColumnarBatch

import io.github.sparkbic.arguments.Durations
import io.github.sparkbic.index.contract.{Panes, Segments}

/** [[PaneForests]] as a physical operator: where its input is generated code, down to the columns of a Parquet batch, so
  * is the feeding of the forests, and no row is ever made of an edge.
  *
  * {{{
  * for each batch, where there are some (EdgeBatches), or
  * for each row of the child:  openForests.onlyGraph(key).add(src, dst, time);
  *                             if (openForests.isFull()) { openForests.close(); emitBlocks(); }
  * at the end:                 openForests.close(); emitBlocks();
  * }}}
  *
  * @param columns  as for [[PaneForests]], on the child's output
  * @param forState as there
  * @param segments as there
  */
private[operator] final case class PaneForestsExec(
    columns: Seq[Expression],
    panes: Panes,
    forState: Boolean,
    segments: Option[Segments],
    output: Seq[Attribute],
    child: SparkPlan
) extends UnaryExecNode
    with CodegenSupport {

  override def producedAttributes: AttributeSet = AttributeSet(output)

  override def nodeName: String = "BicPaneForests"

  override protected def stringArgs: Iterator[Any] = Iterator(
    s"pane ${Durations.show(panes.length)}",
    s"from ${if (conf.wholeStageEnabled && batches.nonEmpty) "column batches" else "rows"}"
  )

  private def blockSchema: StructType = DataTypeUtils.fromAttributes(output)

  private def bound: Seq[Expression] = BindReferences.bindReferences(columns, child.output)

  override protected def doExecute(): RDD[InternalRow] = {
    val (inputs, panes, schema, forState, segments) =
      (bound, this.panes, blockSchema, this.forState, this.segments)
    child.execute().mapPartitions { rows =>
      val feed = new EdgeFeed(inputs, panes, schema, forState, segments)
      rows.flatMap(row => if (feed.add(row)) feed.closedRows else Nil) ++ Iterator.single(
        feed
      ).flatMap(_.closedRows)
    }
  }

  override def inputRDDs(): Seq[RDD[InternalRow]] = child.asInstanceOf[CodegenSupport].inputRDDs()

  // Many blocks come at once, and Spark keeps them: a projection after this one, too, writes all into the same row.
  override def needCopyResult: Boolean = true

  // Set by `doProduce`, which runs before `doConsume`.
  @transient private var openForests: String = _
  @transient private var emitBlocks: String = _

  /** Where the edges are, if they come in batches of columns. */
  private def batches: Option[EdgeBatches] =
    if (EdgeFeed.oneGraph(columns)) EdgeBatches.under(child, columns.takeRight(3)) else None

  override protected def doProduce(ctx: CodegenContext): String = {
    val forestsClass = classOf[OpenForests].getName
    val opener =
      ctx.addReferenceObj(
        "forestOpener",
        new ForestOpener(panes, EdgeFeed.strings(columns), forState, segments, blockSchema)
      )
    openForests =
      ctx.addMutableState(forestsClass, "openForests", name => s"$name = $opener.open();", forceInline = true)
    val block = ctx.freshName("block")
    val name = ctx.freshName("emitBlocks")
    emitBlocks = ctx.addNewFunction(
      name,
      s"""
         |private void $name() throws java.io.IOException {
         |  $openForests.close();
         |  UnsafeRow $block = $openForests.next();
         |  while ($block != null) {
         |    ${consume(ctx, null, block)}
         |    $block = $openForests.next();
         |  }
         |}
       """.stripMargin,
      inlineToOuterClass = true
    )
    s"""
       |${batches.fold(child.asInstanceOf[CodegenSupport].produce(ctx, this))(takeBatches(ctx, _))}
       |$emitBlocks();
     """.stripMargin
  }

  private def takeBatches(ctx: CodegenContext, batches: EdgeBatches): String = {
    val batchClass = classOf[ColumnarBatch].getName
    val timesClass = classOf[EventTimes].getName
    val feed =
      ctx.addReferenceObj("edgeBatches", batches.feed(PaneForestsExec.constant(columns.dropRight(3))))
    val times = ctx.addMutableState(timesClass, "eventTimes", name => s"$name = $feed.eventTimes();")
    // Of all inputs of the stage, `inputRDDs`, there is no other.
    val input = ctx.addMutableState("scala.collection.Iterator", "batches", name => s"$name = inputs[0];")
    s"""
       |while ($input.hasNext()) {
       |  $feed.add(($batchClass) $input.next(), $openForests, $times);
       |  if ($openForests.isFull()) {
       |    $emitBlocks();
       |    if (shouldStop()) return;
       |  }
       |}
       |${if (batches.eventTimes.isEmpty) "" else s"$times.tell();"}
     """.stripMargin
  }

  override def doConsume(ctx: CodegenContext, input: Seq[ExprCode], row: ExprCode): String = {
    ctx.currentVars = input
    val (keys, edge) = bound.splitAt(columns.size - 3)
    val ends = edge.map(_.genCode(ctx))
    val Seq(src, dst, time) = ends.map(_.value): @unchecked
    val graph = ctx.freshName("graph")
    val (keyCode, graphCode) =
      if (EdgeFeed.oneGraph(columns)) {
        val key: UnsafeRow = PaneForestsExec.constant(keys)
        ("", s"$openForests.onlyGraph(${ctx.addReferenceObj("onlyKey", key)})")
      } else {
        ctx.INPUT_ROW = null
        ctx.currentVars = input
        val key = GenerateUnsafeProjection.createCode(ctx, keys)
        (key.code.toString, s"$openForests.graph(${key.value})")
      }
    s"""
       |${ends.map(_.code).mkString("\n")}
       |$keyCode
       |${classOf[OpenGraph].getName} $graph = $graphCode;
       |if (${ends.map(_.isNull).mkString(" || ")}) {
       |  $graph.addNull();
       |} else {
       |  $graph.add($src, $dst, $time);
       |}
       |if ($openForests.isFull()) {
       |  $emitBlocks();
       |}
     """.stripMargin
  }

  override protected def withNewChildInternal(newChild: SparkPlan): PaneForestsExec = copy(child = newChild)
}

private object PaneForestsExec {

  /** The row of expressions that need none. */
  def constant(expressions: Seq[Expression]): UnsafeRow =
    UnsafeProjection.create(expressions)(InternalRow.empty).copy()
}

/** Makes the state of a task; generated code has one of these among its references. */
private[operator] final class ForestOpener(
    panes: Panes,
    strings: Boolean,
    forState: Boolean,
    segments: Option[Segments],
    schema: StructType
) extends Serializable {
  def open(): OpenForests = new OpenForests(panes, strings, forState, segments, schema)
}

/** Plans [[PaneForests]] as [[PaneForestsExec]]. */
private[operator] object PaneForestsStrategy extends SparkStrategy {

  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case Generate(forests: PaneForests, unrequired, false, _, output, child)
        if unrequired.distinct.size == child.output.size =>
      val PaneForests(columns, panes, _, forState, segments) = forests
      // What the whole statement holds is known here at last, such as a common table expression.
      if (forState) StreamChecks.checkSource(child)
      val input = WatermarkInStage.mark(child)
      Seq(PaneForestsExec(columns, panes, forState, segments, output, planLater(input)))
    case watermark: EventTimeWatermark =>
      StreamChecks.checkFollowers(watermark)
      Nil
    case WatermarkInStage(watermark) => Seq(WatermarkInStageExec(planLater(watermark)))
    case _                           => Nil
  }
}
