package io.github.sparkbic.operator

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.{Generate, LogicalPlan}
import org.apache.spark.sql.catalyst.util.ArrayData
import org.apache.spark.sql.execution.{SparkPlan, SparkStrategy, UnaryExecNode}
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.apache.spark.sql.types.LongType
import org.apache.spark.unsafe.Platform

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
      def arraysOf(row: InternalRow): Array[Array[Long]] = {
        val columns = bound.map(_.eval(row).asInstanceOf[ArrayData])
        rows += columns(0).numElements().toLong
        columns.map(column => if (column == null) null else column.toLongArray())
      }
      new UnpackExec.Rows(packed, first, project(_), arraysOf)
    }
  }

  override protected def withNewChildInternal(newChild: SparkPlan): UnpackExec = copy(child = newChild)
}

private object UnpackExec {

  /** A row for each item of the arrays, one packed row after the other; the same object for all items of a packed row.
    *
    * @param first   the column of the first array
    * @param project gives the row of a packed row, with room for an item of each array
    */
  final class Rows(
      packed: Iterator[InternalRow],
      first: Int,
      project: InternalRow => UnsafeRow,
      arraysOf: InternalRow => Array[Array[Long]]
  ) extends Iterator[InternalRow] {
    private var row: UnsafeRow = _
    // The arrays that are there, and where their items belong in the row.
    private var arrays = Array.empty[Array[Long]]
    private var offsets = Array.empty[Long]
    private var count = 0
    private var at = 0

    override def hasNext: Boolean = at < count || advance()

    override def next(): InternalRow =
      if (hasNext) {
        var i = 0
        while (i < arrays.length) {
          Platform.putLong(row.getBaseObject, offsets(i), arrays(i)(at))
          i += 1
        }
        at += 1
        row
      } else Iterator.empty.next()

    /** Goes to the next packed row with items, if there is one. */
    private def advance(): Boolean = {
      while (at == count && packed.hasNext) turnTo(packed.next())
      at < count
    }

    private def turnTo(next: InternalRow): Unit = {
      val all = arraysOf(next)
      row = project(next)
      val start = row.getBaseOffset + UnsafeRow.calculateBitSetWidthInBytes(row.numFields)
      val (there, missing) = all.indices.partition(all(_) != null)
      missing.foreach(i => row.setNullAt(first + i))
      // The projection does not write the bits that say what is null, since no column of its own is.
      there.foreach(i => row.setLong(first + i, 0L))
      arrays = there.map(all(_)).toArray
      offsets = there.map(i => start + 8L * (first + i)).toArray
      count = all(0).length
      at = 0
    }
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
