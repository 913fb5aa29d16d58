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
  private val word = Gen.oneOf(
    Gen.const(Array.emptyByteArray),
    Gen.stringOf(Gen.alphaChar).map(_.getBytes),
    Gen.uuid.map(_.toString.getBytes),
    // The marks of codes.
    Gen.oneOf(0xfe, 0xff).map(mark => Array(mark.toByte, 'a'.toByte))
  ).map(UTF8String.fromBytes)

  private def rows(names: Seq[(UTF8String, UTF8String)]): Seq[(UTF8String, UTF8String)] = {
    def column(of: Seq[UTF8String]) = {
      val column = new NameColumn.Builder(of.size, expected = 1)
      of.indices.foreach { i =>
        val code = NameCode.of(of(i))
        if (i > 0 && of(i) == of(i - 1)) column.repeat() else column.add(code, 0, code.length)
      }
      column.toBytes
    }
    val fields = Seq("vertex", "component").map(StructField(_, StringType))
    val unpack =
      Unpack(fields.indices.map(BoundReference(_, BinaryType, nullable = false)), StructType(fields))
    val found = unpack.eval(InternalRow(column(names.map(_._1)), column(names.map(_._2))))
    found.map(row => row.getUTF8String(0).copy -> row.getUTF8String(1).copy).toList
  }

  test("each row has the names of its position") {
    val pairs =
      Gen.nonEmptyListOf(word).flatMap(few => Gen.nonEmptyListOf(Gen.zip(Gen.oneOf(few), Gen.oneOf(few))))
    forAll(pairs)(names => assert(rows(names) == names))
  }

  test("a name after an empty name, which begins where the name begins") {
    val names = Seq("a" -> "", "b" -> "c", "b" -> "").map { case (vertex, component) =>
      UTF8String.fromString(vertex) -> UTF8String.fromString(component)
    }
    assert(rows(names) == names)
  }
}
