package io.github.sparkbic.operator

import java.util.Arrays

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.catalyst.util.ArrayData
import org.apache.spark.sql.execution.{SparkPlan, UnaryExecNode}
import org.apache.spark.sql.types.StructType
import org.apache.spark.unsafe.Platform

import io.github.sparkbic.operator.block.{NameCode, NameColumn}

/** Makes a row of each item of arrays of BIGINT and of [[NameColumn]]s, which have one length. Where a later one is null, so
  * are all its items. A session without [[OperatorStrategy]] runs this generator, and any other runs [[UnpackExec]].
  *
  * @param elementSchema a column for each array, one of strings for each column of names, and one of structs for each block
  *                      of events ([[io.github.sparkbic.operator.block.EventRows]])
  */
private[operator] final case class Unpack(children: Seq[Expression], elementSchema: StructType)
    extends Generator
    with CodegenFallback {

  @transient private lazy val rows = items(Nil, Nil)

  override def eval(input: InternalRow): Iterator[InternalRow] = rows(input)

  /** The items of a row beside other columns of the row.
    * @param input the columns of the row, if the expressions are not bound
    */
  private[operator] def items(
      others: Seq[Attribute],
      input: Seq[Attribute]
  ): InternalRow => Iterator[InternalRow] = {
    val nulls = elementSchema.map(field => Literal(null, field.dataType))
    val first = UnsafeProjection.create(others ++ nulls, input)
    val columns = children.map(BindReferences.bindReference(_, input))
    val areNames = elementSchema.map(!_.dataType.isInstanceOf[StructType]).toArray
    row => new Unpack.Items(first(row), columns.map(_.eval(row)).toArray, areNames)
  }

  override def prettyName: String = "bic_unpack"

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[Expression]): Unpack =
    copy(children = newChildren)
}

private object Unpack {

  /** The items at one position after the other, always in the same row. The other columns are written once, and each item
    * over the item before.
    *
    * @param first    the other columns, and a null in place of each item
    * @param areNames whether the values of a column are codes of names, not bytes of structs
    */
  private final class Items(first: UnsafeRow, values: Array[Any], areNames: Array[Boolean])
      extends Iterator[InternalRow] {
    private val columns = values.map {
      case array: ArrayData => array.toLongArray()
      case names            => names
    }
    private val count = columns(0) match {
      case names: Array[Byte] => NameColumn.count(names)
      case array              => array.asInstanceOf[Array[Long]].length
    }
    private val others = first.numFields - columns.length
    private val row = new UnsafeRow(first.numFields)
    private var buffer = first.getBytes
    private var at = 0
    // By column: the place of the value written last in the column, where it begins in the buffer, and its length there.
    private val places = new Array[Long](columns.length)
    private val begins, lengths = new Array[Int](columns.length)
    row.pointTo(buffer, first.getSizeInBytes)

    override def hasNext: Boolean = at < count

    override def next(): InternalRow = {
      var end = first.getSizeInBytes
      var c = 0
      while (c < columns.length) {
        columns(c) match {
          case names: Array[Byte] =>
            val place = NameColumn.place(names, at)
            // The bytes of a value that comes again may be there from the row before.
            if (place != places(c) || end != begins(c)) {
              places(c) = place
              begins(c) = end
              lengths(c) =
                write(names, NameColumn.start(names, at), NameColumn.length(names, at), areNames(c), end)
            }
            row.setLong(others + c, end.toLong << 32 | lengths(c))
            end += padded(lengths(c))
          case array: Array[Long] => row.setLong(others + c, array(at))
          case _                  =>
        }
        c += 1
      }
      row.pointTo(buffer, end)
      at += 1
      row
    }

    /** Writes a value to the buffer, with zeros after it up to a whole word, and gives its length. */
    private def write(bytes: Array[Byte], from: Int, length: Int, isName: Boolean, to: Int): Int = {
      val written = if (isName) NameCode.nameLength(bytes, from, length) else length
      val end = to.toLong + padded(written)
      if (end > buffer.length) enlarge(end)
      if (written > 0) Platform.putLong(buffer, Platform.BYTE_ARRAY_OFFSET + end - 8, 0L)
      if (isName) NameCode.decode(bytes, from, length, buffer, to)
      else System.arraycopy(bytes, from, buffer, to, length)
      written
    }

    private def padded(length: Int): Int = (length + 7) & -8

    private def enlarge(size: Long): Unit = {
      buffer = Arrays.copyOf(buffer, math.min(2 * size, Int.MaxValue & -8L).toInt)
      row.pointTo(buffer, first.getSizeInBytes)
    }
  }
}

/** [[Unpack]] as a physical operator. Spark's own operator for generators copies every row that it makes, and keeps all rows
  * of an array in a list.
  *
  * @param others the other columns of a row
  */
private[operator] final case class UnpackExec(
    unpack: Unpack,
    others: Seq[Attribute],
    items: Seq[Attribute],
    child: SparkPlan
) extends UnaryExecNode {
  override def output: Seq[Attribute] = others ++ items
  override def producedAttributes: AttributeSet = AttributeSet(items)
  override def outputPartitioning: Partitioning = child.outputPartitioning

  override protected def doExecute(): RDD[InternalRow] =
    child.execute().mapPartitions(_.flatMap(unpack.items(others, child.output)))

  override protected def withNewChildInternal(newChild: SparkPlan): UnpackExec = copy(child = newChild)
}
