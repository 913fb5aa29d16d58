package io.github.sparkbic.index.format

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

/** The encodings of the state: what is written is read, and what cannot be read is refused. */
class BinaryFormatSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  test("numbers of any size survive") {
    forAll { (signed: Seq[Long], unsigned: Seq[Long], marked: Seq[(Long, Boolean)], fixed: Int) =>
      val out = new BinaryWriter(0)
      signed.foreach(out.signed)
      unsigned.foreach(out.unsigned)
      marked.foreach { case (value, mark) => out.marked(value, mark) }
      out.fixedInt(fixed)
      val in = new BinaryReader(out.toBytes)
      assert(signed.map(_ => in.signed()) == signed)
      assert(unsigned.map(_ => in.unsigned()) == unsigned)
      val marks = marked.map { _ =>
        val mark = in.hasMark
        (in.marked(), mark)
      }
      assert(marks == marked)
      assert(in.fixedInt() == fixed)
      in.expectEnd()
    }
  }

  test("columns of any width survive, at the end of the bytes and before others") {
    val columns = Gen.listOf(Gen.choose(0, 64).flatMap { bits =>
      Gen.listOf(Gen.long.map(number => if (bits == 0) 0L else number >>> (64 - bits)))
    })
    forAll(columns, Gen.long) { (columns, behind) =>
      val out = new BinaryWriter(0)
      columns.foreach(column => out.column(column.toArray, 0, column.size))
      val size = out.size
      out.signed(behind)
      val most = columns.map(column => 1 + 8 * column.size).sum
      assert(size <= most)
      for (length <- Seq(size, out.size)) {
        val in = new BinaryReader(out.toBytes, 0, length)
        val last = new BinaryReader(out.toBytes.take(length))
        columns.foreach { column =>
          val (read, readLast) = (new Array[Long](column.size), new Array[Long](column.size))
          in.column(read, column.size)
          last.column(readLast, column.size)
          assert(read.toSeq == column && readLast.toSeq == column)
        }
        if (length > size) assert(in.signed() == behind)
        in.expectEnd()
      }
    }
  }

  test("malformed bytes are refused") {
    def refusal(bytes: Int*)(read: BinaryReader => Any) =
      intercept[CorruptStateException](read(new BinaryReader(bytes.map(_.toByte).toArray))).getMessage
    assert(refusal(0x80)(_.unsigned()) == "it ends within a number")
    assert(refusal(Seq.fill(11)(0x80): _*)(_.unsigned()) == "a number is longer than 64 bits")
    assert(refusal(1, 2)(_.fixedInt()) == "it ends within a number")
    assert(refusal(9, 0)(_.count("the number of things")) == "the number of things is 9, but must be below 3")
    assert(refusal(Seq.fill(9)(0xff) :+ 1: _*)(_.count("the number of things")) ==
      "the number of things is -1, but must be below 11")
    assert(refusal(9, 1)(_.column(new Array(1), 1)) == "numbers of 9 bytes, where 8 are the most")
    assert(refusal(2, 1, 0, 1)(_.column(new Array(2), 2)) == "a part of 4 bytes has only 3")
    assert(refusal()(_.column(new Array(1), 1)) == "it ends within a number")
    assert(refusal(1)(_.skip(2)) == "a part of 2 bytes has only 1")
    assert(refusal(1)(_.expectEnd()) == "1 bytes are left over")
  }
}
