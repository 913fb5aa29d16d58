package io.github.sparkbic.operator

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{BaseGenericInternalRow, Expression, Generator, UnsafeRow}
import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, ExprCode, FalseLiteral}
import org.apache.spark.sql.catalyst.expressions.codegen.Block._
import org.apache.spark.sql.catalyst.util.ArrayData
import org.apache.spark.sql.types.{StringType, StructType}
import org.apache.spark.unsafe.types.UTF8String

import io.github.sparkbic.operator.block.NameColumn

/** Makes a row of each item of arrays and columns of names that have one length. Where a later one is null, so are all its
  * items.
  *
  * Spark's own `explode` copies every row that it makes, and keeps all rows of an array in a list. Here one row object
  * moves along the arrays, and the code that Spark generates for this node reads the primitives from it.
  *
  * @param elementSchema a column for each array, one of strings for each column of names, and one of structs for each block
  *                      of events ([[io.github.sparkbic.operator.block.EventRows]])
  */
private[operator] final case class Unpack(children: Seq[Expression], elementSchema: StructType)
    extends Generator {

  override def eval(input: InternalRow): Iterator[InternalRow] =
    items(children.map(_.eval(input).asInstanceOf[AnyRef]).toArray)

  /** Generated code calls this method. */
  def items(columns: Array[AnyRef]): Iterator[InternalRow] = new Unpack.Items(columns, elementSchema)

  override protected def doGenCode(ctx: CodegenContext, ev: ExprCode): ExprCode = {
    val arrays = children.map(_.genCode(ctx))
    val unpack = ctx.addReferenceObj("unpack", this)
    val values = arrays.map(array => s"${array.isNull} ? null : ${array.value}").mkString(", ")
    val code = arrays.map(_.code).reduce(_ + _) +
      code"scala.collection.Iterator<InternalRow> ${ev.value} = $unpack.items(new Object[] {$values});"
    ev.copy(code = code, isNull = FalseLiteral)
  }

  override def prettyName: String = "bic_unpack"

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[Expression]): Unpack =
    copy(children = newChildren)
}

private object Unpack {

  /** The items at one position after the other, always in the same row. */
  private final class Items(columns: Array[AnyRef], schema: StructType)
      extends BaseGenericInternalRow
      with Iterator[InternalRow] {
    private val count = columns(0) match {
      case names: Array[Byte] => NameColumn.count(names)
      case _                  => array(0).numElements()
    }
    private var at = -1

    override def hasNext: Boolean = at + 1 < count

    override def next(): InternalRow =
      if (hasNext) {
        at += 1
        this
      } else Iterator.empty.next()

    private def array(ordinal: Int): ArrayData = columns(ordinal).asInstanceOf[ArrayData]

    override def numFields: Int = columns.length
    override def isNullAt(ordinal: Int): Boolean = columns(ordinal) == null
    override def getLong(ordinal: Int): Long = array(ordinal).getLong(at)
    override def getUTF8String(ordinal: Int): UTF8String =
      NameColumn.name(columns(ordinal).asInstanceOf[Array[Byte]], at)

    override def getStruct(ordinal: Int, fields: Int): InternalRow = {
      val row = new UnsafeRow(fields)
      NameColumn.point(row, columns(ordinal).asInstanceOf[Array[Byte]], at)
      row
    }

    override protected def genericGet(ordinal: Int): Any =
      if (isNullAt(ordinal)) null
      else
        schema(ordinal).dataType match {
          case _: StringType      => getUTF8String(ordinal)
          case struct: StructType => getStruct(ordinal, struct.size)
          case other              => array(ordinal).get(at, other)
        }

    override def setNullAt(ordinal: Int): Unit = update(ordinal, null)
    override def update(ordinal: Int, value: Any): Unit =
      throw new UnsupportedOperationException("a row of items is read only")
  }
}
