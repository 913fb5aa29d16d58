package io.github.sparkbic.index.kernels

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class LongInternerSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 100)

  // Zero is what empty slots hold, and what lies where a search puts the id it looks for.
  private val ids =
    Gen.oneOf(Gen.const(0L), Gen.oneOf(Long.MinValue, -1L, Long.MaxValue), Gen.choose(0L, 40L), Gen.long)

  test("numbers are those of first appearance, whether ids come one by one or together") {
    forAll(Gen.listOf(Gen.listOf(ids)), Gen.choose(0, 100), Gen.long) { (batches, expected, seed) =>
      val interner = new LongInterner(expected, seed)
      val all = batches.flatten.distinct
      val numbers = all.zipWithIndex.toMap
      batches.zipWithIndex.foreach { case (batch, i) =>
        val found =
          if (i % 3 == 2) batch.map(interner.intern).toArray
          else {
            // With something before it that is not to be looked at.
            val numbers = new Array[Int](batch.size)
            interner.internAll((7L +: batch).toArray, 1, batch.size, numbers)
            numbers
          }
        assert(found.toSeq == batch.map(numbers))
      }
      assert(interner.size == all.size)
      assert(interner.toArray.toSeq == all)
      all.foreach(id => assert(interner.find(id) == numbers(id) && interner.id(numbers(id)) == id))
      (41L to 60L).filterNot(numbers.contains).foreach(id => assert(interner.find(id) == -1))
    }
  }

  test("a vertex takes at most 27 bytes, however many there are") {
    val interner = new LongInterner
    (1 to 20000).foreach { id =>
      interner.intern(id.toLong)
      assert(interner.bytes <= 27L * id + 168)
    }
  }
}
