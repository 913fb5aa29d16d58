package io.github.sparkbic.operator.paths

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.{PathOracle, TimedEdge}

/** Paths in random graphs are those of a search from scratch. */
class TimedEdgesSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 400, sizeRange = 120)

  // Few vertices make many paths of one length, many vertices make long paths.
  private val graphs: Gen[(Int, List[TimedEdge])] = for {
    vertices <- Gen.oneOf(Gen.choose(1, 6), Gen.choose(5, 60))
    near <- Gen.choose(1, vertices)
    edges <- Gen.listOf(Gen.zip(
      Gen.choose(0, vertices - 1),
      Gen.choose(0, near),
      Gen.choose(0L, 3L),
      Gen.oneOf(true, false)
    ))
  } yield {
    val made = edges.map { case (v, step, time, turned) =>
      val (a, b) = (v.toLong, (v + step).toLong % vertices)
      if (turned) TimedEdge(time, b, a) else TimedEdge(time, a, b)
    }
    (vertices, made)
  }

  private def paths(vertices: Int, edges: Seq[TimedEdge], pairs: Seq[(Int, Int)], falling: Boolean) = {
    val all = new TimedEdges
    edges.foreach(e => all.add(e.src.toInt, e.dst.toInt, e.time))
    val compare = (a: Int, b: Int) => if (falling) Integer.compare(b, a) else Integer.compare(a, b)
    all.paths(vertices, pairs, compare).map { path =>
      Option(path).map(_.toSeq.map(i => TimedEdge(all.time(i), all.source(i).toLong, all.target(i).toLong)))
    }
  }

  test("the paths of all pairs, one after the other, in either order of vertices") {
    forAll(graphs, Gen.oneOf(true, false)) { case ((vertices, edges), falling) =>
      val order = if (falling) Ordering.Long.reverse else Ordering.Long
      val occurring = edges.flatMap(e => Seq(e.src.toInt, e.dst.toInt)).distinct
      val pairs = for (s <- occurring.take(8); t <- occurring.takeRight(8)) yield (s, t)
      paths(vertices, edges, pairs, falling).zip(pairs).foreach { case (path, (s, t)) =>
        assert(path == PathOracle.path(edges, s.toLong, t.toLong)(order), s"from $s to $t")
      }
    }
  }

  test("a long chain with a chord: the chord, and not the chain") {
    val chain = (0L until 5000L).map(i => TimedEdge(i, i, i + 1))
    val found =
      paths(5001, chain :+ TimedEdge(7, 4990, 10), Seq((0, 5000), (5000, 0), (0, 0)), falling = false)
    val wanted = chain.take(10) ++ Seq(TimedEdge(7, 4990, 10)) ++ chain.drop(4990)
    assert(found == Seq(Some(wanted), Some(wanted.reverse), Some(Nil)))
  }

  test("no edges: no path") {
    assert(paths(2, Nil, Seq((0, 1)), falling = false) == Seq(None))
    assert(paths(3, Seq(TimedEdge(1, 2, 2)), Seq((0, 2), (2, 2)), falling = false) == Seq(None, Some(Nil)))
  }
}
