package io.github.sparkbic.bench

import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.{Oracle, Stream, Streams, TimedEdge}
import io.github.sparkbic.index.Streams.shrinkStream
import io.github.sparkbic.index.contract.Panes

/** One law for the indexes and all baselines: the answers of every window are the oracle's. */
class WindowSystemSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 300, sizeRange = 100)

  private type Answer = (Long, Map[(Long, Long), Boolean])
  private type Answers = Seq[Answer]

  private def pairs(stream: Stream): Seq[(Long, Long)] = {
    val some = stream.vertices.take(14) :+ 1234567L
    for (s <- some; t <- some) yield (s, t)
  }

  private def expected(stream: Stream): Answers = Oracle.windows(stream).map { case (start, _, components) =>
    start -> pairs(stream).map(p => p -> Oracle.connected(components, p._1, p._2)).toMap
  }

  /** Asks each pair twice in every window with an edge. */
  private def answers(system: WindowSystem, stream: Stream): Answers = windowByWindow(system, stream).toSeq

  private def windowByWindow(system: WindowSystem, stream: Stream): Iterator[Answer] = {
    val panes = stream.panes
    val input = stream.sorted.iterator.buffered
    Oracle.windows(stream).iterator.map { case (start, end, _) =>
      while (input.hasNext && input.head.time < end) {
        val e = input.next()
        system.insert(panes.paneOf(e.time), e.src, e.dst)
      }
      system.complete(panes.paneOf(start))
      val first = pairs(stream).map(p => p -> system.connected(p._1, p._2)).toMap
      pairs(stream).foreach(p => assert(system.connected(p._1, p._2) == first(p)))
      start -> first
    }
  }

  private def stream(window: Long, slide: Long, edges: String): Stream = {
    val edge = "(-?\\d+):(-?\\d+)-(-?\\d+)".r
    val parsed =
      edge.findAllMatchIn(edges).map(m => TimedEdge(m.group(1).toLong, m.group(2).toLong, m.group(3).toLong))
    Stream(parsed.toSeq, Panes(window, slide))
  }

  private val exact = WindowSystem.names.filter(WindowSystem.create(_, Panes(1, 1)).isExact)

  exact.foreach { name =>
    test(s"$name: random streams") {
      forAll(Streams.stream)(s => assert(answers(WindowSystem.create(name, s.panes), s) == expected(s)))
    }

    def check(stream: Stream, source: Long, target: Long)(windows: (Long, Boolean)*): Unit = {
      val got = answers(WindowSystem.create(name, stream.panes), stream)
      assert(got == expected(stream))
      windows.foreach { case (start, answer) =>
        assert(got.toMap.apply(start)((source, target)) == answer, start)
      }
    }

    test(s"$name: a window that is no multiple of the slide") {
      val edges = "0:0-1 1:0-2 2:2-3 3:4-5 4:5-6 5:7-8 6:8-9 7:9-10"
      check(stream(3, 2, edges), 0, 3)(0L -> true)
    }

    test(s"$name: a gap") {
      check(
        stream(3, 1, "0:0-1 3:2-0 4:2-1 5:7-8 6:8-9"),
        0,
        1
      )(0L -> true, 1L -> false, 2L -> true, 3L -> true)
    }

    test(s"$name: a gap longer than the window") {
      check(
        stream(2, 1, "0:1-0 5:2-0 6:2-1 7:5-6 8:6-7"),
        0,
        1
      )(0L -> true, 4L -> false, 5L -> true, 6L -> false)
    }

    test(s"$name: a repeated edge expires once per arrival") {
      check(
        stream(3, 1, "0:0-3 1:4-2 2:3-0 3:5-1 4:4-6 5:7-8"),
        0,
        3
      )(0L -> true, 1L -> true, 2L -> true, 3L -> false)
    }

    test(s"$name: self-loops join nothing") {
      check(stream(5, 1, "0:0-2 1:0-1 2:2-1 3:1-1 4:0-0 5:0-0 6:1-1 7:0-0 8:5-6"), 0, 1)(3L -> false)
      check(stream(5, 1, "0:0-2 1:0-1 2:2-1 3:1-1 4:0-0 5:0-0 6:1-1 7:0-0 8:5-6"), 0, 0)(3L -> true)
    }

    test(s"$name: a self-loop of a vertex whose other edge is older") {
      check(stream(3, 1, "1:0-1 2:0-9 2:1-1 3:1-5 4:7-8"), 0, 5)(1L -> true, 2L -> false)
    }

    test(s"$name: a vertex of loops alone, of which one expires after the other") {
      check(stream(2, 1, "0:7-7 0:7-7 1:7-7 3:1-2"), 7, 7)(0L -> true, 1L -> true, 2L -> false)
    }

    test(s"$name: vertex -1") {
      check(stream(2, 1, "0:1-2 1:0-1 2:-1-2 3:-1-0"), -1, 2)(1L -> true, 2L -> true, 3L -> false)
    }

    test(s"$name: two systems with different windows in one JVM, in turns") {
      forAll(Streams.stream, Streams.stream) { (a, b) =>
        val first = windowByWindow(WindowSystem.create(name, a.panes), a)
        val second = windowByWindow(WindowSystem.create(name, b.panes), b)
        val both = first.map(Some(_)).zipAll(second.map(Some(_)), None, None).toSeq
        assert(both.flatMap(_._1) == expected(a))
        assert(both.flatMap(_._2) == expected(b))
      }
    }

    test(s"$name: a stream shorter than a window, and its last windows") {
      check(stream(10, 5, "0:1-2 1:2-3 6:4-3"), 1, 4)(-5L -> false, 0L -> true, 5L -> false)
    }
  }

  Seq[(String, () => WindowSystem)](
    "union-find" -> (() => new baseline.FlatUnionFind()),
    "union-find-directory" -> (() => new baseline.DirectoryUnionFind()),
    "union-find-range" -> (() => new baseline.RangeUnionFind())
  ).foreach { case (name, create) =>
    test(s"$name: right while nothing has expired, and never denies a connection") {
      forAll(Streams.stream) { s =>
        val everything = s.copy(panes = Panes(100000, 100000, -50000))
        assert(answers(create(), everything) == expected(everything))
        answers(create(), s).zip(expected(s)).foreach { case ((_, got), (_, wanted)) =>
          wanted.foreach { case (pair, answer) => if (answer) assert(got(pair)) }
        }
      }
    }
  }
}
