package io.github.sparkbic.index.forests

import scala.util.Random

import org.scalacheck.{Arbitrary, Gen}
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.{TestEdges, TimedEdge}
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}

/** Sets of edges: the same bytes whatever the order, few bytes, and bytes that are none. The simulator reads what it writes. */
class EdgeSetsSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 100)

  private val edges: Gen[List[(Long, Long)]] = {
    val vertex =
      Gen.oneOf(Gen.choose(0L, 30L), Arbitrary.arbitrary[Long], Gen.oneOf(Long.MinValue, Long.MaxValue, -1L))
    Gen.listOf(Gen.zip(vertex, vertex))
  }

  private def timed(edges: Seq[(Long, Long)]) = edges.map { case (u, v) => TimedEdge(0, u, v) }

  private def forestOf(edges: Seq[(Long, Long)]): PaneForest = TestEdges.forest(timed(edges))

  private def looseOf(edges: Seq[(Long, Long)]): LooseEdges = TestEdges.loose(timed(edges))

  test("the vertices of several sets are counted once each, but for a few in a hundred") {
    val random = new Random(11)
    for (vertices <- Seq(1, 300, 20000, 1000000); count <- Seq(40, 5000)) {
      val sets =
        Seq.fill(8)(Seq.fill(count)(random.nextInt(vertices) * 7919L -> random.nextInt(vertices) * 7919L))
      val wanted = sets.flatten.flatMap { case (u, v) => Seq(u, v) }.toSet.size
      val counted = EdgeSets.vertices(sets.map(looseOf))
      val most = math.max(2, wanted / (if (count > 1000) 50 else 10))
      assert(math.abs(counted - wanted) <= most, s"of $vertices, $count")
    }
  }

  test("edges in any order have the same bytes: Spark compares what a repeated task makes") {
    forAll(edges, Gen.long) { (edges, seed) =>
      val shuffled = new Random(seed).shuffle(edges)
      assert(EdgeSets.toBytes(looseOf(edges)).sameElements(EdgeSets.toBytes(looseOf(shuffled))))
      assert(EdgeSets.toBytes(forestOf(edges)).sameElements(EdgeSets.toBytes(forestOf(shuffled))))
    }
  }

  test("edges on positions are saved as the edges of the vertices there, also a second time") {
    forAll(Gen.listOf(Gen.zip(Gen.choose(0, 99), Gen.choose(0, 99))), Gen.long) { (edges, seed) =>
      val vertices = new Random(seed).shuffle((0 until 100).map(_ * 7919L - 50)).toArray
      val wanted = looseOf(edges.map { case (u, v) => vertices(u) -> vertices(v) })
      val renumbered = looseOf(edges.map { case (u, v) => u.toLong -> v.toLong }).renumbered(vertices)
      for (_ <- 0 until 2) assert(EdgeSets.toBytes(renumbered).sameElements(EdgeSets.toBytes(wanted)))
      assert(TestEdges.links(renumbered) == TestEdges.links(wanted))
    }
  }

  test("a vertex among those of a large component takes a byte, whatever is linked to what") {
    val builder = new PaneForestBuilder()
    (0L until 1000L).foreach(i => builder.add(1000000 + 50 * (i * 7 % 1000), 1000000 + 50 * (i * 3 % 1000)))
    (1L to 999L).foreach(i => builder.add(1000000, 1000000 + 50 * i))
    val forest = builder.result()
    assert(forest.size == 1000)
    val out = new BinaryWriter
    forest.save(out)
    assert(out.size <= 1000 + 8)
  }

  private def refusal(bytes: Int*)(read: BinaryReader => Any): String =
    intercept[CorruptStateException](read(new BinaryReader(bytes.map(_.toByte).toArray))).getMessage

  test("malformed sets of edges are refused") {
    def ofForest(bytes: Int*) = refusal(bytes: _*)(PaneForest.read)
    assert(ofForest(1, 1, 4) == "a pane forest begins with no component")
    assert(ofForest(1, 1, 5, 1) == "a component of a pane forest is 1, but must be below 1")
    assert(ofForest(2, 1, 5, 0, 0) == "vertex 1 comes after vertex 1, not in rising order")
    assert(ofForest(2, 2, 5, 0, 2) == "a pane forest has more or less than its 2 components")
    assert(ofForest(2, 1, 5, 0, 3, 0) == "a pane forest has more or less than its 1 components")
    assert(ofForest(1, 2) == "the number of components is 2, but must be below 2")
    assert(ofForest(2) == "the number of vertices is 2, but must be below 2")
    assert(ofForest(1, 1, 0x85) == "it ends within a number")
    def ofSet(bytes: Int*) = refusal(bytes: _*)(in => EdgeSets.fromBytes(in.raw(bytes.size)))
    assert(ofSet(0, 1, 1, 5, 0, 9) == "1 bytes are left over")
    assert(ofSet(2, 0) == "the kind of a set of edges is 2, but must be below 2")
    assert(ofSet(1, 1, 1, 2, 5, 2, 9) == "1 bytes are left over")
    assert(ofSet(1, 9, 1, 2, 5, 2) == "the number of loose edges is 9, but must be below 6")
    assert(ofSet(1, 1, 2, 2, 5, 2) == "the number of sources is 2, but must be below 2")
    assert(ofSet(1, 1, 1, 3, 5, 2) == "a part of 3 bytes has only 2")
    // What is behind the numbers of loose edges is checked where they are restored from a state.
    assert(refusal(1, 1, 1, 1, 5)(EdgeSets.restore) == "it ends within a number")
    assert(refusal(1, 1, 1, 2, 5, 9)(EdgeSets.restore) == "numbers of 9 bytes, where 8 are the most")
    assert(refusal(1, 1, 1, 5, 5, 0, 1, 2, 7)(EdgeSets.restore) == "1 bytes are left over")
  }
}
