package io.github.sparkbic.index

import org.scalacheck.{Arbitrary, Gen}
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

/** The building blocks of the state: what is written is read, and what cannot be read is refused. */
class FormatSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  private val edges: Gen[List[(Long, Long)]] = {
    val vertex =
      Gen.oneOf(Gen.choose(0L, 30L), Arbitrary.arbitrary[Long], Gen.oneOf(Long.MinValue, Long.MaxValue, -1L))
    Gen.listOf(Gen.zip(vertex, vertex))
  }

  private def forestOf(edges: Seq[(Long, Long)]): PaneForest = {
    val builder = new PaneForestBuilder()
    edges.foreach { case (u, v) => builder.add(u, v) }
    builder.result()
  }

  private def componentsOf(forest: PaneForest): Map[Long, Long] =
    Oracle.components(forest.ids.indices.map(i => TimedEdge(0, forest.ids(i), forest.ids(forest.parents(i)))))

  private def oracle(edges: Seq[(Long, Long)]): Map[Long, Long] =
    Oracle.components(edges.map { case (u, v) => TimedEdge(0, u, v) })

  test("numbers of any size survive") {
    forAll { (signed: Seq[Long], unsigned: Seq[Long], fixed: Int) =>
      val out = new BinaryWriter(0)
      signed.foreach(out.signed)
      unsigned.foreach(out.unsigned)
      out.fixedInt(fixed)
      val in = new BinaryReader(out.toBytes)
      assert(signed.map(_ => in.signed()) == signed)
      assert(unsigned.map(_ => in.unsigned()) == unsigned)
      assert(in.fixedInt() == fixed)
      in.expectEnd()
    }
  }

  test("a forest joins what its edges join, with fewer links than vertices, in both encodings") {
    forAll(edges) { edges =>
      val forest = forestOf(edges)
      assert(forest.size == edges.flatMap(e => Seq(e._1, e._2)).distinct.size)
      assert(componentsOf(forest) == oracle(edges))
      assert(componentsOf(PaneForest.fromBytes(forest.toBytes)) == oracle(edges))
      val out = new BinaryWriter()
      forest.save(out)
      val in = new BinaryReader(out.toBytes)
      assert(componentsOf(PaneForest.restore(in)) == oracle(edges))
      in.expectEnd()
    }
  }

  test("forests united are the forest of the united edges") {
    forAll(edges, edges) { (some, others) =>
      val builder = new PaneForestBuilder()
      builder.add(forestOf(some))
      builder.add(forestOf(others))
      assert(componentsOf(builder.result()) == oracle(some ++ others))
    }
  }

  test("malformed bytes are refused") {
    def refusal(bytes: Int*)(read: BinaryReader => Any) =
      intercept[CorruptStateException](read(new BinaryReader(bytes.map(_.toByte).toArray))).getMessage
    assert(refusal(0x80)(_.unsigned()) == "it ends within a number")
    assert(refusal(Seq.fill(11)(0x80): _*)(_.unsigned()) == "a number is longer than 64 bits")
    assert(refusal(1, 2)(_.fixedInt()) == "it ends within a number")
    assert(refusal(9, 0)(_.count("the number of things")) == "the number of things is 9, but must be below 3")
    assert(refusal(1)(_.slice(2)) == "a part of 2 bytes has only 1")
    assert(refusal(1)(_.expectEnd()) == "1 bytes are left over")
    assert(refusal(2, 2, 0)(VertexTable.restore) == "the vertices are not in rising order")
    assert(refusal(1, 2, 4)(PaneForest.restore) == "a pane forest of 1 vertices has a link to vertex 2")
  }

  test("positions by rising number, equal ones in their order, for few and many, dense and far apart") {
    val random = new java.util.SplittableRandom(7)
    for (count <- Seq(0, 1, 2, 31, 32, 33, 300, 4095, 4096, 10000); bits <- Seq(0, 1, 7, 20, 40, 63, 64)) {
      val numbers = Array.fill(count)(if (bits == 0) 5L else random.nextLong() >> (64 - bits))
      val wanted = numbers.indices.sortBy(i => (numbers(i), i))
      assert(RadixSort.order(numbers).toSeq == wanted, s"$count numbers of $bits bits")
    }
    forAll((numbers: Seq[Long]) =>
      assert(RadixSort.order(numbers.toArray).toSeq == numbers.indices.sortBy(i => (numbers(i), i)))
    )
  }

  test("an interner numbers ids by their first appearance, whatever the seed, and through growth") {
    forAll { (ids: Seq[Long], seed: Long) =>
      val interner = new LongInterner(0, seed)
      val many = ids ++ (0L until 100L) ++ ids
      assert(many.map(interner.intern) == many.map(many.distinct.indexOf(_)))
      assert(interner.toArray.toSeq == many.distinct)
      assert(many.forall(id => interner.id(interner.find(id)) == id))
      assert(interner.find(Iterator.from(1000).map(_.toLong).find(!many.contains(_)).get) == -1)
    }
  }
}
