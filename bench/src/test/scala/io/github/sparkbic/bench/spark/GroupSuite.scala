package io.github.sparkbic.bench.spark

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.bench.baseline.ScratchComponents
import io.github.sparkbic.bench.stream.EdgeStream

/** What the benchmarks of groups know of windows, and the rival of union–find, against definitions that recompute all. */
class GroupSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  private val vertices = 40
  private val edge = Gen.zip(Gen.choose(0L, vertices - 1L), Gen.choose(0L, vertices - 1L))

  private def scratch(edges: Seq[(Long, Long)]): ScratchComponents =
    ScratchComponents.of(edges.map(_._1).toArray, edges.map(_._2).toArray, edges.indices, vertices)

  /** Sets of vertices, which edges merge one after the other. */
  private def naive(edges: Seq[(Long, Long)]): Set[Set[Long]] =
    edges.foldLeft(Set.empty[Set[Long]]) { case (sets, (src, dst)) =>
      val (joined, others) = sets.partition(set => set(src) || set(dst))
      others + (joined.flatten + src + dst)
    }

  test("union-find from scratch gives the rows of the definitions") {
    forAll(Gen.listOf(edge), Gen.listOf(edge)) { (earlier, later) =>
      val (before, now) = (naive(earlier), naive(later))
      val (was, is) = (scratch(earlier), scratch(later))
      def named(sets: Set[Set[Long]]) = sets.flatMap(set => set.map(_ -> set.min)).toMap
      def pairs(rows: (Array[Long], Array[Long])) = rows._1.toSeq.zip(rows._2)
      assert(pairs(is.rows) == named(now).toSeq.sorted)
      assert(is.stats ==
        Seq(now.toSeq.map(_.size).sum, later.size, now.size, now.map(_.size).maxOption.getOrElse(0)))
      assert(is.largest(3) == now.toSeq.map(set => (set.min, set.size.toLong)).sortBy(r =>
        (-r._2, r._1)
      ).take(3))
      // As upserts, and deletes where the component is absent.
      val kept = pairs(is.updates(was)).foldLeft(named(before)) {
        case (table, (vertex, ScratchComponents.Absent)) => table - vertex
        case (table, row)                                => table + row
      }
      assert(kept == named(now))
      assert(pairs(is.updates(was)).forall { case (v, c) =>
        named(before).getOrElse(v, ScratchComponents.Absent.toLong) != c
      })
      def rows(here: Set[Set[Long]], there: Set[Set[Long]], none: String, several: String) =
        here.flatMap { own =>
          val others = there.filter(_.exists(own)).map(_.min.toInt).toSeq.sorted
          Option.when(others.size != 1)((
            if (others.isEmpty) none else several,
            own.min.toInt,
            others,
            own.size
          ))
        }
      assert(is.changes(was).map { c =>
        val ofBefore = c.kind == "vanished" || c.kind == "split"
        val (own, others) = if (ofBefore) (c.before, c.after) else (c.after, c.before)
        (c.kind, own.head, others, c.size.toInt)
      }.toSet == rows(before, now, "vanished", "split") ++ rows(now, before, "appeared", "merged"))
    }
  }

  test("windows, their edges and their vertices, against a pass over each window") {
    val settings = for {
      edges <- Gen.choose(300, 2000)
      slide <- Gen.choose(1, 5)
      more <- Gen.choose(0, 7)
      mode <- Gen.oneOf("batch", "stream")
    } yield Options(
      stream = "uniform",
      vertices = vertices.toLong,
      edges = edges,
      window = Some((slide + more) * 100),
      slide = Some(slide * 100),
      mode = mode
    )
    forAll(settings) { options =>
      val stream = EdgeStream.uniform(vertices.toLong, options.edges, 1)
      val windows = new EdgeWindows(options)
      val last = EdgeFiles.StartMillis + (options.edges - 1) / 100
      val known = (-20L to 40L).map(n =>
        (Math.floorDiv(EdgeFiles.StartMillis, options.slideMillis) + n) * options.slideMillis
      )
        .filter(start => options.mode == "batch" || start + options.windowMillis <= last)
        .map { start =>
          start -> (0 until options.edges).filter { i =>
            val time = EdgeFiles.StartMillis + i / 100
            start <= time && time < start + options.windowMillis
          }
        }.filter(_._2.nonEmpty)
      assert(windows.starts == known.map(_._1))
      assert(known.forall { case (start, edges) => windows.edges(start) == edges })
      assert(windows.vertices(stream) == known.map { case (start, edges) =>
        start -> edges.flatMap(i => Seq(stream.sources(i), stream.targets(i))).distinct.size.toLong
      }.toMap)
      assert(windows.chosen.size == math.min(4, known.size) && windows.chosen.forall(windows.starts.contains))
    }
  }
}
