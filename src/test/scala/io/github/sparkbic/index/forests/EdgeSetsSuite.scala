package io.github.sparkbic.index.forests

import scala.util.Random

import org.scalacheck.{Arbitrary, Gen}
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.{Oracle, TestEdges, TimedEdge}
import io.github.sparkbic.index.contract.{EdgeSet, EdgeSink, IndexSize}
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}

/** Sets of edges: what is written is read, and what cannot be read is refused. */
class EdgeSetsSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 100)

  private val edges: Gen[List[(Long, Long)]] = {
    val vertex =
      Gen.oneOf(Gen.choose(0L, 30L), Arbitrary.arbitrary[Long], Gen.oneOf(Long.MinValue, Long.MaxValue, -1L))
    Gen.listOf(Gen.zip(vertex, vertex))
  }

  private def timed(edges: Seq[(Long, Long)]): Seq[TimedEdge] = edges.map { case (u, v) =>
    TimedEdge(0, u, v)
  }

  private def forestOf(edges: Seq[(Long, Long)]): PaneForest = TestEdges.forest(timed(edges))

  private def looseOf(edges: Seq[(Long, Long)]): LooseEdges = TestEdges.loose(timed(edges))

  private def componentsOf(edges: EdgeSet): Map[Long, Long] = Oracle.components(TestEdges.links(edges))

  private def oracle(edges: Seq[(Long, Long)]): Map[Long, Long] = Oracle.components(timed(edges))

  test(
    "a forest joins what its edges join, with fewer links than vertices, and so it does when it is read again"
  ) {
    forAll(edges) { edges =>
      val forest = forestOf(edges)
      assert(forest.size == edges.flatMap(e => Seq(e._1, e._2)).distinct.size)
      assert(componentsOf(forest) == oracle(edges))
      assert(componentsOf(EdgeSets.fromBytes(forest.toBytes)) == oracle(edges))
      val out = new BinaryWriter()
      forest.save(out)
      assert(out.toBytes.sameElements(forest.toBytes))
      assert(EdgeSets.sizeOf(forest.toBytes) == IndexSize(forest.size, forest.links))
      val in = new BinaryReader(out.toBytes)
      assert(componentsOf(EdgeSets.restore(in)) == oracle(edges))
      in.expectEnd()
    }
  }

  private def sorted(edges: Seq[TimedEdge]): Seq[(Long, Long)] = edges.map(e => e.src -> e.dst).sorted

  test("loose edges are all the edges, each as often as it came, and are so when they are read again") {
    forAll(edges, edges) { (edges, others) =>
      val loose = looseOf(edges)
      assert(sorted(TestEdges.links(loose)) == edges.sorted)
      assert(loose.links == edges.size && loose.sources == edges.map(_._1).distinct.size)
      assert(loose.size >= oracle(edges).size)
      val vertices = Set.newBuilder[Long]
      loose.vertices(vertices += _)
      assert(vertices.result() == oracle(edges).keySet)

      val bytes = loose.toBytes
      assert(sorted(TestEdges.links(EdgeSets.fromBytes(bytes))) == edges.sorted)
      assert(EdgeSets.sizeOf(bytes) == IndexSize(loose.size, loose.links))
      val out = new BinaryWriter()
      loose.save(out)
      forestOf(others).save(out)
      looseOf(others).save(out)
      val in = new BinaryReader(out.toBytes)
      assert(sorted(TestEdges.links(EdgeSets.restore(in))) == edges.sorted)
      assert(componentsOf(EdgeSets.restore(in)) == oracle(others))
      assert(sorted(TestEdges.links(EdgeSets.restore(in))) == others.sorted)
      in.expectEnd()
    }
  }

  test("the bytes of loose edges") {
    val bytes = Seq(1, 3, 2, 10, 0x90, 3, 1, 0, 0, 5, 1, 1, 20, 0).map(_.toByte).toArray
    val edges = Seq(TimedEdge(0, 200, 199), TimedEdge(0, 200, 210), TimedEdge(0, 205, 205))
    assert(TestEdges.links(EdgeSets.fromBytes(bytes)) == edges)
    assert(TestEdges.loose(edges.reverse).toBytes.length == bytes.length)
  }

  test("the vertices of several sets are counted once each, but for a few in a hundred") {
    val random = new Random(11)
    for (vertices <- Seq(1, 300, 20000, 1000000); count <- Seq(40, 5000)) {
      val sets =
        Seq.fill(8)(Seq.fill(count)(random.nextInt(vertices) * 7919L -> random.nextInt(vertices) * 7919L))
      val wanted = sets.flatten.flatMap { case (u, v) => Seq(u, v) }.toSet.size
      val counted = EdgeSets.vertices(sets.map(looseOf))
      assert(
        math.abs(counted - wanted) <= math.max(2, wanted / (if (count > 1000) 50 else 10)),
        s"of $vertices, $count"
      )
    }
  }

  test("edges in any order have the same bytes: Spark compares what a repeated task makes") {
    forAll(edges, Gen.long) { (edges, seed) =>
      val shuffled = new Random(seed).shuffle(edges)
      assert(looseOf(edges).toBytes.sameElements(looseOf(shuffled).toBytes))
      assert(forestOf(edges).toBytes.sameElements(forestOf(shuffled).toBytes))
    }
  }

  test("edges of positions, in whatever form, are edges of what is there") {
    forAll(edges) { edges =>
      val ids = oracle(edges).keys.toArray
      val atPositions = edges.map { case (u, v) => ids.indexOf(u).toLong -> ids.indexOf(v).toLong }
      assert(componentsOf(forestOf(atPositions).renumbered(ids)) == oracle(edges))
      assert(sorted(TestEdges.links(looseOf(atPositions).renumbered(ids))) == edges.sorted)
      val ends = edges.flatMap { case (u, v) => Seq(u, v) }.toArray
      val numbered = LooseEdges.of(ends, ends.length, ids.indexOf(_))
      assert(numbered.toBytes.sameElements(looseOf(atPositions).toBytes))
    }
  }

  test("loose edges of several runs, of which each is sorted by itself") {
    val count = LooseEdges.Run + 1003
    // Arrays of primitives, since boxed edges would take seconds.
    val ends = new Array[Long](2 * count)
    ends.indices.foreach(i => ends(i) = if (i % 2 == 0) i / 2 * 7919L % 1000 else i / 2)
    val loose = LooseEdges.of(ends, ends.length)
    assert(loose.sources == 2000)
    val found = new java.util.BitSet
    EdgeSets.fromBytes(loose.toBytes).feed(new EdgeSink {
      override def addEdges(ends: Array[Long], count: Int): Unit = (0 until count by 2).foreach { i =>
        if (ends(i) == ends(i + 1) * 7919 % 1000) found.set(ends(i + 1).toInt)
      }
      override def addForest(ids: Array[Long], parents: Array[Int]): Unit = fail("loose edges are no forest")
    })
    assert(found.cardinality == count && found.length == count)
    assert(loose.toBytes.length < 4.1 * count)
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

  test("sets of edges merged, in whatever forms, are the forest of all their edges") {
    forAll(edges, edges) { (some, others) =>
      for (a <- Seq(forestOf(some), looseOf(some)); b <- Seq(forestOf(others), looseOf(others)))
        assert(componentsOf(EdgeSets.merged(Seq(a, b))) == oracle(some ++ others))
    }
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
