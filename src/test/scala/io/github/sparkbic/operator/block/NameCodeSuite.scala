package io.github.sparkbic.operator.block

import java.nio.charset.StandardCharsets.UTF_8
import java.util.{Arrays, UUID}

import scala.collection.compat._

import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.UTF8String
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}

/** Codes of names: every sequence of bytes comes back, and only the same name has the same code. */
class NameCodeSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  private val uuid = Gen.zip(Gen.long, Gen.long).map { case (high, low) => new UUID(high, low).toString }

  /** A UUID with one byte changed, be it to what it is. */
  private val nearUuid = for {
    text <- uuid
    at <- Gen.choose(0, 35)
    byte <- Gen.oneOf(Gen.choose(-128, 127).map(_.toByte), Gen.oneOf("09afAFgG/:`@-_".toSeq).map(_.toByte))
  } yield text.getBytes(UTF_8).updated(at, byte)

  private val marked = for {
    mark <- Gen.oneOf(0xfe, 0xff)
    rest <- Gen.oneOf(Gen.listOf(Gen.oneOf(0xfe, 0xff, 0)), Gen.listOfN(16, Gen.choose(0, 255)))
  } yield (mark +: rest).map(_.toByte).toArray

  private val name: Gen[Array[Byte]] = Gen.frequency(
    4 -> uuid.map(_.getBytes(UTF_8)),
    4 -> nearUuid,
    1 -> uuid.map(_.toUpperCase.getBytes(UTF_8)),
    1 -> uuid.map(_.replace("-", "").getBytes(UTF_8)),
    1 -> uuid.map(text => UUID.fromString(text).toString.drop(1).getBytes(UTF_8)),
    3 -> marked,
    2 -> Gen.listOf(Gen.oneOf("a", "ä", "語", "\u0000", "-")).map(_.mkString.getBytes(UTF_8)),
    1 -> Gen.const(Array.emptyByteArray),
    1 -> Gen.choose(69990, 70000).map(n => ("é" * n).getBytes(UTF_8))
  )

  private def string(bytes: Array[Byte]): UTF8String = UTF8String.fromBytes(bytes)

  test("a code is decoded to the name; a UUID in lower case takes 17 bytes, no other name less") {
    forAll(name, Gen.choose(0, 9)) { (bytes, from) =>
      val code = NameCode.of(string(bytes))
      assert(NameCode.isCode(code, 0, code.length) && code.length <= bytes.length + NameCode.MaxGrowth)
      assert(NameCode.decoded(code, 0, code.length) == string(bytes))
      val around = Array.fill(from + bytes.length + 9)('7'.toByte)
      val shifted = UTF8String.fromBytes(around.patch(from, bytes, bytes.length), from, bytes.length)
      val (base, offset) = (shifted.getBaseObject, shifted.getBaseOffset)
      assert(NameCode.put(base, offset, shifted.numBytes, around, from) == code.length)
      assert(around.slice(from, from + code.length).sameElements(code))
      assert(NameCode.decoded(around, from, code.length) == string(bytes))
      val isUuid = new String(bytes, UTF_8).matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
      assert(if (isUuid) code.length == 17 else code.length >= bytes.length)
      // Outside of the heap.
      val memory = Platform.allocateMemory(bytes.length.toLong + 8)
      try {
        Platform.copyMemory(bytes, Platform.BYTE_ARRAY_OFFSET.toLong, null, memory, bytes.length.toLong)
        assert(NameCode.of(UTF8String.fromAddress(null, memory, bytes.length)).sameElements(code))
      } finally Platform.freeMemory(memory)
    }
  }

  test("codes are equal where names are, and compare as names do") {
    forAll(Gen.oneOf(Gen.zip(name, name), nearUuid.map(near => (near, near)))) { case (a, b) =>
      val (x, y) = (NameCode.of(string(a)), NameCode.of(string(b)))
      assert(x.sameElements(y) == a.sameElements(b))
      val order = NameCode.compare(x, 0, x.length, x ++ y, x.length, y.length)
      assert(math.signum(order) == math.signum(Arrays.compareUnsigned(a, b)))
      val bytes = x ++ y ++ new Array[Byte](8)
      val (p, q) = (NameCode.prefix(bytes, 0, x.length), NameCode.prefix(bytes, x.length, y.length))
      assert((p == q) == a.padTo(8, 0.toByte).take(8).sameElements(b.padTo(8, 0.toByte).take(8)))
      assert(p == q || (p < q) == order < 0)
      val shared = Iterator.from(0).find(i => i >= x.length || i >= y.length || x(i) != y(i)).get
      (1 to shared).foreach { n =>
        val (p, q) = (NameCode.prefix(bytes, 0, x.length, n), NameCode.prefix(bytes, x.length, y.length, n))
        assert(p == q || (p < q) == order < 0)
      }
    }
  }

  test("every byte at every place of a UUID is taken for what it is") {
    val text = "01234567-89ab-cdef-abcd-ef9876543210".getBytes(UTF_8)
    for (at <- text.indices; byte <- -128 to 127) {
      val near = text.updated(at, byte.toByte)
      val digit = "0123456789abcdef".indexOf(byte) >= 0
      val isUuid = if (text(at) == '-') byte == '-' else digit
      val code = NameCode.of(string(near))
      assert((code.length == 17) == isUuid, s"byte $byte at $at")
      assert(NameCode.decoded(code, 0, code.length) == string(near), s"byte $byte at $at")
    }
  }

  test("what is the code of no name is refused") {
    val marked = Seq(Array(0xfe), Array(0xff), Array(0xff, 'a'.toInt), 0xfe +: Array.fill(17)(0))
    val text = "01234567-89ab-cdef-abcd-ef9876543210".getBytes(UTF_8)
    (marked.map(_.map(_.toByte)) :+ text).foreach { bytes =>
      assert(!NameCode.isCode(bytes, 0, bytes.length))
      def saved(before: Long*): Array[Byte] = {
        val out = new BinaryWriter
        (before :+ bytes.length.toLong).foreach(out.unsigned)
        out.raw(bytes)
        out.toBytes
      }
      Seq[() => Any](
        () => VertexNames.restore(new BinaryReader(saved(1, 0, 0, 1))),
        () => new VertexNames().internAll(new BinaryReader(saved(1, 0, 1)))
      ).foreach { read =>
        val refusal = intercept[CorruptStateException](read()).getMessage
        assert(refusal == s"the ${bytes.length} bytes of a vertex name are no code of a name")
      }
    }
  }

  test("packed names that are cut off, left over, or too few for the vertices are refused") {
    val packed = Names.packed(Seq("a", "01234567-89ab-cdef-abcd-ef9876543210", ""))
    def read(bytes: Array[Byte], positions: Long*) =
      new VertexNames().internAll(new BinaryReader(bytes), positions.foreach(_))
    def refusal(bytes: Array[Byte], positions: Long*): String =
      intercept[CorruptStateException](read(bytes, positions: _*)).getMessage
    assert(read(packed, 0, 2).sameElements(0L to 2L))
    assert(refusal(packed, 0, 3) == "vertex 3 of 3 has no name")
    assert(refusal(packed, -1, 2) == "vertex -1 of 3 has no name")
    assert(refusal(packed, 0, Long.MaxValue) == s"vertex ${Long.MaxValue} of 3 has no name")
    assert(refusal(packed :+ 0.toByte, 0) == "1 bytes are left over")
    packed.indices.foreach(length => assert(refusal(packed.take(length), 0).nonEmpty))
  }

  test("vertex numbers that would fill the heap are refused") {
    val limit = VertexNames.numberLimit
    assert(limit > 1000000 && limit * 52 <= Runtime.getRuntime.maxMemory / 2)
    def tooLarge(number: Long) =
      s"a vertex has the number $number, but in this heap numbers must be below $limit"
    def noDifference(step: Long) = s"a difference of vertex numbers is $step, but must be below $limit"
    Seq(
      -1L -> noDifference(-1),
      limit - 6 -> tooLarge(limit),
      Long.MaxValue -> noDifference(Long.MaxValue)
    ).foreach { case (second, refusal) =>
      val out = new BinaryWriter
      // Two names, the first of them with the number 5.
      Seq(2L, 5L, second).foreach(out.unsigned)
      out.raw(new Array[Byte](8))
      val e = intercept[CorruptStateException](VertexNames.restore(new BinaryReader(out.toBytes)))
      assert(e.getMessage == refusal)
    }
  }
}
