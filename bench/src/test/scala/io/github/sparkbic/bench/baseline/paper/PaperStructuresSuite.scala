package io.github.sparkbic.bench.baseline.paper

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

/** The parts of [[BicPaper]] against the definitions of the paper, on random chunks. */
class PaperStructuresSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 500)

  /** The edges of each slide interval; self-loops are among them, and intervals without edges. */
  private val chunks: Gen[Seq[Seq[(Int, Int)]]] = for {
    vertices <- Gen.choose(2, 12)
    size <- Gen.choose(2, 8)
    edge = Gen.zip(Gen.choose(0, vertices - 1), Gen.choose(0, vertices - 1))
    count = Gen.frequency(1 -> Gen.const(0), 4 -> Gen.choose(1, 3))
    chunk <- Gen.listOfN(size, count.flatMap(Gen.listOfN(_, edge)))
  } yield chunk

  private def built(edges: Seq[Seq[(Int, Int)]]): (Chunk, Auft) = {
    val c = new Chunk(edges.size, 0)
    edges.zipWithIndex.foreach { case (each, j) =>
      each.foreach { case (u, v) => c.add(j, c.vertices.intern(u.toLong), c.vertices.intern(v.toLong)) }
    }
    (c, Auft.compute(c))
  }

  /** Each vertex of the edges with the smallest vertex of its component. */
  private def components(edges: Seq[(Int, Int)]): Map[Int, Int] =
    edges.foldLeft(edges.flatMap(e => Seq(e._1, e._2)).map(v => v -> v).toMap) { case (found, (u, v)) =>
      val (a, b) = (found(u) min found(v), found(u) max found(v))
      found.map { case (w, component) => w -> (if (component == b) a else component) }
    }

  test("Snapshot isolation: find in a snapshot tells the components of its slide intervals") {
    forAll(chunks) { edges =>
      val (c, b) = built(edges)
      (1 until edges.size).foreach { j =>
        val expected = components(edges.drop(j).flatten)
        val roots = expected.keySet.map(v => v -> b.find(c.vertices.find(v.toLong), j)).toMap
        for (v <- expected.keySet; w <- expected.keySet)
          assert((roots(v) == roots(w)) == (expected(v) == expected(w)))
        (0 until c.vertices.size).foreach { n =>
          assert(b.find(n, j) >= 0 == expected.contains(c.vertices.id(n).toInt))
        }
      }
    }
  }

  test("Algorithm 3: the intervals of a vertex tell its root in each snapshot that has it, and in no other") {
    forAll(chunks) { edges =>
      val (c, b) = built(edges)
      val list = new RootIntervals
      for (j <- 1 until edges.size; v <- 0 until c.vertices.size if b.contains(v, j)) {
        list.compute(b, j, v)
        val found = (0 until list.size).flatMap(i => (list.start(i) to list.end(i)).map(_ -> list.root(i)))
        assert(found.sorted == (j until edges.size).map(each => each -> b.find(v, each)).filter(_._2 >= 0))
      }
    }
  }

  test("intervals are disjoint, rise, hold what was inserted, and are as few as overlaps allow") {
    val interval = Gen.zip(Gen.choose(1, 20), Gen.choose(0, 5)).map { case (start, more) =>
      start -> (start + more)
    }
    forAll(Gen.listOf(interval)) { inserted =>
      val got =
        inserted.foldLeft(Intervals.Empty) { case (all, (start, end)) => Intervals.insert(all, start, end) }
      assert(got.toSeq.grouped(2).forall(each => each(0) <= each(1)))
      assert(got.toSeq.drop(1).dropRight(1).grouped(2).forall(each => each(0) < each(1)))
      (0 to 27).foreach { j =>
        assert(Intervals.contain(got, j) == inserted.exists { case (start, end) => start <= j && j <= end })
      }
      // Each interval is a whole group of overlapping ones.
      got.toSeq.grouped(2).foreach { each =>
        assert(inserted.forall { case (start, end) =>
          end < each(0) || start > each(1) || start >= each(0) && end <= each(1)
        })
      }
    }
  }

  test("the edges of a chunk by slide interval, without those of the first") {
    forAll(chunks) { edges =>
      val (c, _) = built(edges)
      val stored = (0 until c.size).map { j =>
        (c.begin(j) until c.end(j)).map(e =>
          c.vertices.id(c.u(e)).toInt -> c.vertices.id(c.v(e)).toInt
        )
      }
      assert(stored == Nil +: edges.drop(1))
    }
  }
}
