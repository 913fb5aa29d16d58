package io.github.sparkbic.operator.block

import scala.collection.mutable

import org.apache.spark.unsafe.types.UTF8String
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.{BinaryReader, BinaryWriter}

/** The dictionary of string ids beside a plain map: equal strings have one number, different ones never the same. */
class VertexNamesSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  /** Few letters, so that strings come again, are prefixes of one another, and may be empty. */
  private val word = Gen.frequency(
    8 -> Gen.listOf(Gen.oneOf("a", "b", "ä", "語", "\u0000")).map(_.take(6).mkString),
    1 -> Gen.choose(0, 3000).map(n => s"550e8400-e29b-41d4-a716-${n % 50}$n")
  )

  private def utf8(text: String): UTF8String = UTF8String.fromString(text)

  test("numbers rise, stay while a name is held, are never used again, and survive saving") {
    forAll(Gen.listOf(Gen.listOf(word)), Gen.long) { (rounds, seed) =>
      val chance = new scala.util.Random(seed)
      var names = new VertexNames
      val expected = mutable.Map.empty[String, Long]
      var next = 0L
      rounds.foreach { words =>
        val table = new NameTable(seed)
        words.foreach(word => table.intern(utf8(word)))
        assert(table.size == words.distinct.size)
        val numbers = names.internAll(VertexNames.pack(table))
        words.distinct.zip(numbers).foreach { case (word, number) =>
          assert(number == expected.getOrElseUpdate(word, { next += 1; next - 1 }))
        }
        assert(names.size == expected.size)
        expected.foreach { case (word, number) =>
          assert(names.find(utf8(word)).contains(number) && names.name(number) == utf8(word))
        }
        val kept = expected.filter(_ => chance.nextInt(3) > 0)
        names.retain(visit => kept.values.foreach { number => visit(number); visit(number) })
        expected.filterInPlace((word, _) => kept.contains(word))
        assert(!names.holds(next) && (0L until next).forall(n =>
          names.holds(n) == expected.values.exists(_ == n)
        ))
        assert(words.forall(word => names.find(utf8(word)) == expected.get(word)))
        val out = new BinaryWriter()
        names.save(out)
        if (chance.nextBoolean()) names = VertexNames.restore(new BinaryReader(out.toBytes))
      }
    }
  }

  test("many names: the table grows, and each is found by a copy of itself") {
    val table = new NameTable
    val count = 100000
    (0 until count).foreach(i => assert(table.intern(utf8(s"user-$i")) == i))
    (0 until count).foreach { i =>
      assert(table.find(utf8(s"user-$i")) == i && table.name(i).toString == s"user-$i")
    }
    assert(table.find(utf8("user-")) == -1 && table.size == count)
  }
}
