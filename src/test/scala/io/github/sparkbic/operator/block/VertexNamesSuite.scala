package io.github.sparkbic.operator.block

import java.nio.charset.StandardCharsets.UTF_8
import java.util.UUID

import scala.collection.compat._
import scala.collection.mutable

import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.UTF8String
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.contract.WindowComponents
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter}
import io.github.sparkbic.operator.Unpacked

/** The dictionary of string ids beside a plain map: equal strings have one number, different ones never the same. */
class VertexNamesSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  // Few letters, so that strings come again, are prefixes of one another, and may be empty; or about as long as a cell.
  private val word = Gen.frequency(
    8 -> Gen.listOf(Gen.oneOf("a", "b", "ä", "語", "\u0000")).map(_.take(6).mkString),
    1 -> Gen.choose(0, 3000).map(n => s"550e8400-e29b-41d4-a716-${n % 50}$n"),
    3 -> Gen.zip(Gen.oneOf("x", "y"), Gen.choose(14, 41)).map { case (letter, length) => letter * length }
  )

  private def utf8(text: String): UTF8String = UTF8String.fromString(text)

  test("a number is one name's while the name is held, the lowest free one is next, and both survive saving") {
    forAll(Gen.listOf(Gen.listOf(word)), Gen.long) { (rounds, seed) =>
      val chance = new scala.util.Random(seed)
      var names = new VertexNames
      val expected = mutable.Map.empty[String, Long]
      rounds.foreach { words =>
        val table = new NameTable(seed)
        words.foreach(Names.intern(table, _))
        assert(table.size == words.distinct.size)
        val numbers =
          names.internAll(new BinaryReader(PackedNames.toBytes(table, Array.range(0, table.size))))
        words.distinct.zip(numbers).foreach { case (word, number) =>
          val lowest = Iterator.from(0).map(_.toLong).find(n => !expected.values.exists(_ == n)).get
          assert(number == expected.getOrElseUpdate(word, lowest))
        }
        assert(names.size == expected.size)
        expected.foreach { case (word, number) =>
          assert(Names.find(names, word) == number && names.name(number) == utf8(word))
        }
        val kept = expected.filter(_ => chance.nextInt(3) > 0)
        names.retain(visit => kept.values.foreach { number => visit(number); visit(number) })
        expected --= expected.keySet.toSeq.filterNot(kept.contains)
        val most = 1 + words.size + expected.values.foldLeft(0L)(math.max)
        assert((-1L to most).forall(n => names.isKnown(n) == expected.values.exists(_ == n)))
        assert(words.forall(word => Names.find(names, word) == expected.getOrElse(word, -1L)))
        val out = new BinaryWriter()
        names.save(out)
        if (chance.nextBoolean()) names = VertexNames.restore(new BinaryReader(out.toBytes))
      }
    }
  }

  test("a column has the name of each number, and a name that comes again at once is there once") {
    forAll(Gen.nonEmptyListOf(Gen.oneOf(word, Gen.uuid.map(_.toString))), Gen.long) { (words, seed) =>
      val chance = new scala.util.Random(seed)
      val names = new VertexNames
      val table = new NameTable(seed)
      words.foreach(Names.intern(table, _))
      val numbers = names.internAll(new BinaryReader(PackedNames.toBytes(table, Array.range(0, table.size))))
      val asked = Array.fill(1 + chance.nextInt(20))(chance.nextInt(numbers.length)).flatMap(i =>
        Seq.fill(1 + chance.nextInt(3))(i)
      )
      val column = names.column(asked.map(numbers(_))).asInstanceOf[Array[Byte]]
      assert(NameColumn.count(column) == asked.length)
      for (areMost <- Seq(false, true)) {
        val columns = names.columns(numbers, areMost)
        assert(columns(asked.map(_.toLong)).asInstanceOf[Array[Byte]].sameElements(column))
      }
      val found = asked.indices.map(Unpacked.name(column, _))
      assert(found == asked.toSeq.map(i => utf8(words.distinct(i))))
      val runs = asked.indices.filter(i => i == 0 || asked(i) != asked(i - 1))
      assert(column.length == 8 * asked.length + runs.map(i => NameCode.of(found(i)).length).sum)
    }
  }

  test("the smallest name of a component, whatever all names begin with") {
    val beginning = Gen.oneOf("", "", "account-", "x" * 70)
    forAll(Gen.nonEmptyListOf(Gen.oneOf(word, Gen.uuid.map(_.toString))), beginning, Gen.long) {
      (words, beginning, seed) =>
        val names = new VertexNames
        val table = new NameTable(seed)
        words.foreach(word => Names.intern(table, beginning + word))
        val numbers =
          names.internAll(new BinaryReader(PackedNames.toBytes(table, Array.range(0, table.size))))
        val chance = new scala.util.Random(seed)
        val parents = Array.tabulate(numbers.length + 1)(place => place - chance.nextInt(math.max(1, place)))
        val found = WindowComponents(parents, place => numbers(place - 1), threads = 1)
        val expected = (1 until found.places).groupBy(found.componentOf).map { case (c, places) =>
          c -> places.map(found.vertex).minBy(names.name(_).toString)(Names.byBytes)
        }
        assert(names.smallest(found).toSeq == expected.toSeq.sorted.map(_._2))
    }
  }

  test("many names: each is found by a copy of itself, and takes at most 24 bytes more than its own") {
    def uuid(i: Int) = new UUID(i.toLong * i, i.toLong).toString
    for (name <- Seq[Int => String](i => s"user-$i", uuid, i => s"user-$i@mail.example.com")) {
      val table = new NameTable
      var bytes = 0L
      (0 until 100000).foreach { i =>
        assert(Names.intern(table, name(i)) == i)
        bytes += name(i).length
        // A small table also has room for the first names.
        assert(table.memory <= bytes + 24L * i + 2048)
      }
      for (i <- 0 until 100000) assert(table.find(utf8(name(i))) == i && table.codes.name(i) == utf8(name(i)))
      assert(table.find(utf8("user-")) == -1 && table.size == 100000)
    }
  }

  test("a name takes the bytes behind what all names begin with, and one for its number in a state") {
    def uuid(i: Int) = UUID.nameUUIDFromBytes(s"$i".getBytes(UTF_8)).toString
    for ((least, name) <- Seq[(Int, Int => String)](4 -> (i => s"account-${i + 1000}"), 16 -> uuid)) {
      val packed = Names.packed((0 until 1000).map(name))
      val names = new VertexNames
      names.internAll(new BinaryReader(packed))
      val state = new BinaryWriter
      names.save(state)
      assert(packed.length <= 1000 * least + 30 && state.size <= packed.length + 1000)
    }
  }

  /** Sixteen bytes whose first half is the seed hide the second half from the hash. */
  private val seedOfCollisions =
    Platform.getLong("collide!".getBytes(UTF_8), Platform.BYTE_ARRAY_OFFSET.toLong)

  test("names with the same hash stay apart: they differ at the end or in the middle, or begin another") {
    val numbered = (10000000 until 10000300).map(n => s"collide!$n")
    val others = (2 to 5).reverse.map("collide!" * _)
    Seq(numbered, numbered.map(_ + ", and the same from here on"), others).foreach { names =>
      val hashes = names.map(name => NameTable.hashOf(name.getBytes(UTF_8), 0, name.length, seedOfCollisions))
      assert(hashes.distinct.size == 1, "the names were made to collide")
      val oneByOne, together = new NameTable(seedOfCollisions)
      names.foreach(Names.intern(oneByOne, _))
      internTogether(together, names ++ names.reverse)
      Seq(oneByOne, together).foreach { table =>
        assert(table.size == names.size)
        names.zipWithIndex.foreach { case (name, i) =>
          assert(table.find(utf8(name)) == i && table.codes.name(i) == utf8(name))
        }
        assert(table.find(utf8(names.head.replace("10000000", "99999999") + "!")) == -1)
      }
    }
  }

  test("the hash tells names of all short lengths apart, whatever lies around them") {
    val text = "0123456789" * 8
    val names = for (from <- 0 to 9; length <- 0 to 40) yield text.substring(from, from + length)
    val hashes = names.distinct.map(name => NameTable.hashOf(name.getBytes(UTF_8), 0, name.length, 1L))
    assert(hashes.distinct.size == hashes.size)
    val whole = text.getBytes(UTF_8)
    for (from <- 0 to 9; length <- 0 to 40) {
      val alone = NameTable.hashOf(whole.slice(from, from + length), 0, length, 1L)
      assert(NameTable.hashOf(whole, from, length, 1L) == alone)
    }
  }

  private def internTogether(table: NameTable, words: Seq[String]): Unit = {
    val batch = new NameBatch
    words.grouped(100).foreach { some =>
      some.foreach(word => batch.add(utf8(word)))
      table.internAll(batch)
      batch.clear()
    }
  }
}
