package io.github.sparkbic.operator

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{BaseGenericInternalRow, Expression, Generator}
import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, ExprCode, FalseLiteral}
import org.apache.spark.sql.catalyst.expressions.codegen.Block._
import org.apache.spark.sql.catalyst.util.ArrayData
import org.apache.spark.sql.types.{StringType, StructType}

/** Makes a row of each item of arrays that have one length. Where a later array is null, so are all its items.
  *
  * Spark's own `explode` copies every row that it makes, and keeps all rows of an array in a list. Here one row object
  * moves along the arrays, and the code that Spark generates for this node reads the primitives from it.
  *
  * @param elementSchema a column for each array; a string is held as its bytes
  */
private[operator] final case class Unpack(children: Seq[Expression], elementSchema: StructType)
    extends Generator {

  override def eval(input: InternalRow): Iterator[InternalRow] =
    items(children.map(_.eval(input).asInstanceOf[ArrayData]).toArray)

  /** Generated code calls this method. */
  def items(arrays: Array[ArrayData]): Iterator[InternalRow] = new Unpack.Items(arrays, elementSchema)

  override protected def doGenCode(ctx: CodegenContext, ev: ExprCode): ExprCode = {
    val arrays = children.map(_.genCode(ctx))
    val unpack = ctx.addReferenceObj("unpack", this)
    val values = arrays.map(array => s"${array.isNull} ? null : ${array.value}").mkString(", ")
    val code = arrays.map(_.code).reduce(_ + _) +
      code"scala.collection.Iterator<InternalRow> ${ev.value} = $unpack.items(new ArrayData[] {$values});"
    ev.copy(code = code, isNull = FalseLiteral)
  }

  override def prettyName: String = "bic_unpack"

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[Expression]): Unpack =
    copy(children = newChildren)
}

private object Unpack {

  /** The items at one position after the other, always in the same row. */
  private final class Items(arrays: Array[ArrayData], schema: StructType)
      extends BaseGenericInternalRow
      with Iterator[InternalRow] {
    private val count = arrays(0).numElements()
    private var at = -1

    override def hasNext: Boolean = at + 1 < count

    override def next(): InternalRow =
      if (hasNext) {
        at += 1
        this
      } else Iterator.empty.next()

    override def numFields: Int = arrays.length
    override def isNullAt(ordinal: Int): Boolean = arrays(ordinal) == null
    override def getLong(ordinal: Int): Long = arrays(ordinal).getLong(at)

    override protected def genericGet(ordinal: Int): Any =
      if (isNullAt(ordinal)) null
      else
        schema(ordinal).dataType match {
          case _: StringType => arrays(ordinal).getUTF8String(at)
          case other         => arrays(ordinal).get(at, other)
        }

    override def setNullAt(ordinal: Int): Unit = update(ordinal, null)
    override def update(ordinal: Int, value: Any): Unit =
      throw new UnsupportedOperationException("a row of items is read only")
  }
}
