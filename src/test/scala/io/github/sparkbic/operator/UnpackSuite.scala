package io.github.sparkbic.operator

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.BoundReference
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.operator.block.{NameCode, NameColumn}

/** Rows of columns of names, which lie in one buffer: a name may be there from the row before. */
class UnpackSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  private val word =
    Gen.oneOf(Gen.const(""), Gen.stringOf(Gen.alphaChar), Gen.uuid.map(_.toString), Gen.const("\uffff"))

  private def rows(names: Seq[(String, String)]): Seq[(String, String)] = {
    def column(of: Seq[String]) = {
      val column = new NameColumn.Builder(of.size, expected = 1)
      of.indices.foreach { i =>
        val code = NameCode.of(UTF8String.fromString(of(i)))
        if (i > 0 && of(i) == of(i - 1)) column.repeat() else column.add(code, 0, code.length)
      }
      column.toBytes
    }
    val fields = Seq("vertex", "component").map(StructField(_, StringType))
    val unpack =
      Unpack(fields.indices.map(BoundReference(_, BinaryType, nullable = false)), StructType(fields))
    val found = unpack.eval(InternalRow(column(names.map(_._1)), column(names.map(_._2))))
    found.map(row => row.getString(0) -> row.getString(1)).toList
  }

  test("each row has the names of its position") {
    val pairs =
      Gen.nonEmptyListOf(word).flatMap(few => Gen.nonEmptyListOf(Gen.zip(Gen.oneOf(few), Gen.oneOf(few))))
    forAll(pairs)(names => assert(rows(names) == names))
  }

  test("a name after an empty name, which begins where the name begins") {
    val names = Seq("a" -> "", "b" -> "c", "b" -> "")
    assert(rows(names) == names)
  }
}
