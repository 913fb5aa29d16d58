package io.github.sparkbic.operator

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.{Generate, LogicalPlan}
import org.apache.spark.sql.catalyst.util.ArrayData
import org.apache.spark.sql.execution.{SparkPlan, SparkStrategy, UnaryExecNode}
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.apache.spark.sql.types.LongType

/** [[Unpack]] as a physical operator for arrays of numbers: some 5 ns a row.
  *
  * The columns beside the arrays are written once for all items of the arrays. For each item only its numbers are written,
  * into the same row again.
  *
  * @param kept   the columns beside the arrays
  * @param arrays of one length; where a later array is null, so are all its items
  */
private[operator] final case class UnpackExec(
    kept: Seq[Attribute],
    arrays: Seq[Expression],
    items: Seq[Attribute],
    child: SparkPlan
) extends UnaryExecNode {

  override def output: Seq[Attribute] = kept ++ items

  override def producedAttributes: AttributeSet = AttributeSet(items)

  override def nodeName: String = "BicUnpack"

  override protected def stringArgs: Iterator[Any] = items.iterator.map(_.name)

  override lazy val metrics: Map[String, SQLMetric] =
    Map("numOutputRows" -> SQLMetrics.createMetric(sparkContext, "number of output rows"))

  override protected def doExecute(): RDD[InternalRow] = {
    val rows = metrics("numOutputRows")
    val input = child.output
    val first = kept.size
    // Places for the items, with room for a number each.
    val template = kept ++ items.map(_ => Literal(0L))
    val bound = BindReferences.bindReferences(arrays, AttributeSeq(input)).toArray
    child.execute().mapPartitions { packed =>
      val project = UnsafeProjection.create(template, input)
      packed.flatMap { row =>
        val columns = bound.map(_.eval(row).asInstanceOf[ArrayData])
        rows += columns(0).numElements().toLong
        new UnpackExec.Items(project(row), first, columns)
      }
    }
  }

  override protected def withNewChildInternal(newChild: SparkPlan): UnpackExec = copy(child = newChild)
}

private object UnpackExec {

  /** A row for each item of the arrays, always the same object. */
  private final class Items(row: UnsafeRow, first: Int, arrays: Array[ArrayData])
      extends Iterator[InternalRow] {
    private val count = arrays(0).numElements()
    private var at = 0
    arrays.indices.filter(arrays(_) == null).foreach(i => row.setNullAt(first + i))

    override def hasNext: Boolean = at < count

    override def next(): InternalRow =
      if (hasNext) {
        var i = 0
        while (i < arrays.length) {
          if (arrays(i) != null) row.setLong(first + i, arrays(i).getLong(at))
          i += 1
        }
        at += 1
        row
      } else Iterator.empty.next()
  }
}

/** Plans [[Unpack]] as [[UnpackExec]] where all items are numbers. */
private[operator] object UnpackStrategy extends SparkStrategy {

  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case node @ Generate(unpack: Unpack, _, false, _, items, child)
        if unpack.elementSchema.forall(_.dataType == LongType) =>
      Seq(UnpackExec(node.requiredChildOutput, unpack.children, items, planLater(child)))
    case _ => Nil
  }
}
