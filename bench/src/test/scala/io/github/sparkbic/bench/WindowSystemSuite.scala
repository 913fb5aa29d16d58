package io.github.sparkbic.bench

import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.{Oracle, Stream, Streams}
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

  private val exact = WindowSystem.names.filter(WindowSystem.create(_, Panes(1, 1)).isExact)

  exact.foreach { name =>
    test(s"$name: random streams") {
      forAll(Streams.stream)(s => assert(answers(WindowSystem.create(name, s.panes), s) == expected(s)))
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
