package io.github.sparkbic.operator.paths

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types.StructType
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.{PathOracle, TimedEdge}

/** Paths in random graphs are those of a search from scratch. */
class ShortestPathsSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 400, sizeRange = 120)

  // Few vertices make many paths of one length, many vertices make long paths. A hub has half of the edges, or more.
  private val graphs: Gen[List[TimedEdge]] = for {
    vertices <- Gen.oneOf(Gen.choose(1, 6), Gen.choose(5, 60))
    near <- Gen.choose(1, vertices)
    hubs <- Gen.choose(0, 1)
    end = Gen.frequency(1 -> Gen.choose(0L, vertices - 1L), hubs -> Gen.const(0L))
    ends = Gen.zip(end, Gen.choose(0L, near.toLong))
    edges <- Gen.listOf(Gen.zip(ends, Gen.choose(0L, 3L), Gen.oneOf(true, false)))
  } yield edges.map { case ((v, step), time, turned) =>
    val w = (v + step) % vertices
    if (turned) TimedEdge(time, w, v) else TimedEdge(time, v, w)
  }

  private def paths(edges: Seq[TimedEdge], pairs: Seq[(Long, Long)]): Seq[Option[Seq[TimedEdge]]] = {
    val all = new WindowEdges(strings = false, new StructType)
    edges.foreach(e => all.add(InternalRow(e.src, e.dst, e.time), null))
    val search = new ShortestPaths(all)
    def id(number: Int) = all.vertices.vertex(number).asInstanceOf[Long]
    pairs.map { case (source, target) =>
      val pair = InternalRow(source, target)
      Option(search.between(all.vertices.find(pair, 0), all.vertices.find(pair, 1)))
        .map(_.toSeq.map { case (source, target, edge) => TimedEdge(all.time(edge), id(source), id(target)) })
    }
  }

  test("the paths of all pairs, one after the other") {
    forAll(graphs) { edges =>
      val occurring = edges.flatMap(e => Seq(e.src, e.dst)).distinct
      val pairs = for (s <- occurring.take(8); t <- occurring.takeRight(8) :+ 99L) yield (s, t)
      paths(edges, pairs).zip(pairs).foreach { case (path, (s, t)) =>
        assert(path == PathOracle.path(edges, s, t), s"from $s to $t")
      }
    }
    assert(paths(Nil, Seq((0L, 1L))) == Seq(None))
  }

  test("a long chain with a chord: the chord, and not the chain") {
    val chain = (0L until 5000L).map(i => TimedEdge(i, i, i + 1))
    val found = paths(chain :+ TimedEdge(7, 4990, 10), Seq((0L, 5000L), (5000L, 0L), (0L, 0L)))
    val wanted = chain.take(10) ++ Seq(TimedEdge(7, 4990, 10)) ++ chain.drop(4990)
    assert(found == Seq(Some(wanted), Some(wanted.reverse), Some(Nil)))
  }
}
