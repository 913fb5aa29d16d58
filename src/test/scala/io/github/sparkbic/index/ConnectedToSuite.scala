package io.github.sparkbic.index

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.Streams.{asDrawn, configAsDrawn, nameAsDrawn, shrinkStream}
import io.github.sparkbic.index.TestEdges.SingleEdges
import io.github.sparkbic.index.contract.{ConnectedVertices, IndexConfig, PaneInput, Panes, WindowCursor}
import io.github.sparkbic.index.recency.RecencyIndex

/** Since when are vertices connected with a marked vertex, beside components from scratch of each suffix of each window? */
class ConnectedToSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  import ConnectedToSuite._

  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 150)

  /** Which vertices of a stream are marked, in which order: none, a few with some that never occur, or all. */
  private val marking: Gen[Stream => Seq[Long]] = for {
    seed <- Gen.long
    part <- Gen.oneOf(0.0, 0.1, 0.5, 1.0)
  } yield { stream =>
    val random = new scala.util.Random(seed)
    random.shuffle(stream.vertices.filter(_ => random.nextDouble() < part) ++ Seq(987654321987654321L, -7L))
  }

  private val streams = Gen.oneOf(Streams.stream, Streams.phases)

  private def inputs(panes: Panes, edges: Seq[TimedEdge]): Seq[PaneInput] =
    edges.groupBy(e => panes.paneOf(e.time)).toSeq.sortBy(_._1).flatMap { case (pane, ofPane) =>
      ofPane.grouped(ofPane.size / 2 + 1).map(some => new PaneInput(pane, TestEdges.any(pane, some)))
    }

  test("every window of an index, restored now and then, and of several lengths where the index has them") {
    var rows, marked = 0
    forAll(streams, Streams.config, Streams.indexName, marking, Gen.choose(2, 9)) {
      (stream, config, name, marking, restoredAfter) =>
        val own = stream.panes
        val shorter =
          if (name == RecencyIndex.Name && own.window > own.slide) Seq(own.slide) else Nil
        val panes = Panes(own.window, own.slide, own.startTime, shorter)
        val marks = marking(stream)
        val input = inputs(panes, stream.edges).iterator.buffered
        val paned = stream.edges.map(e => panes.paneOf(e.time) -> e)
        var cursor = new WindowCursor(panes, Indexes.create(name, panes, config))
        var windows = 0
        var horizon = if (input.hasNext) input.head.pane else 0L
        while (input.hasNext || cursor.isLive) {
          horizon += restoredAfter
          while (cursor.advance(input, horizon)) {
            windows += 1
            val edges = paned.filter(e => e._1 >= cursor.window && e._1 < cursor.windowEnd)
            val wanted = oracle(edges, marks)
            assert(answer(cursor.index.connectedTo(marks.toArray), cursor.window, marks) == wanted)
            rows += wanted.size
            marked += wanted.count { case (vertex, (_, mark)) => vertex == mark }
          }
          val copy = Answers.restored(name, panes, Answers.saved(cursor.index), config)
          cursor = new WindowCursor(panes, copy, firstOpen = cursor.fed, newest = cursor.newestPane)
        }
        assert(windows == (panes.window +: shorter).map(Oracle.windows(stream, _).size).sum)
    }
    assert(rows > 2 * marked && marked > 1000, s"$rows rows, $marked of marked vertices")
  }

  test(
    "recency: edges in any order, of panes that are not closed, and all windows that end with the newest pane"
  ) {
    forAll(streams, Streams.config, marking) { (stream, config, marking) =>
      val panes = stream.panes
      val marks = marking(stream)
      val index = RecencyIndex(panes.perWindow, config)
      var fed = Seq.empty[(Long, TimedEdge)]
      var newest = Long.MinValue
      stream.edges.grouped(7).zipWithIndex.foreach { case (some, i) =>
        some.groupBy(e => panes.paneOf(e.time)).toSeq.sortBy(e => (e._1 ^ i) & 3).foreach {
          case (pane, edges) if newest == Long.MinValue || pane > newest - panes.perWindow =>
            index.insert(pane, TestEdges.any(i.toLong, edges))
            newest = math.max(newest, pane)
            fed = (fed ++ edges.map(pane -> _)).filter(_._1 > newest - panes.perWindow)
          case _ =>
        }
        val found = index.connectedTo(marks.toArray)
        (newest - panes.perWindow + 1 to newest).foreach { start =>
          assert(answer(found, start, marks) == oracle(fed.filter(_._1 >= start), marks))
        }
      }
    }
  }

  Indexes.names.foreach { name =>
    test(s"$name: windows of a billion panes, and a mark that is given twice") {
      val panes = Panes(1L << 30, 1)
      val index = Indexes.create(name, panes, IndexConfig(seed = 1))
      val first = 1L << 40
      index.insert(first, 1, 2)
      index.insert(first + 5, 2, 3)
      index.insert(first + (1L << 29), 3, 3)
      index.insert(first + (1L << 29), 4, 5)
      index.closePane(first + (1L << 30) - 1)
      val marks = Seq(5L, 3L, 9L, 3L)
      val latest = first + (1L << 29)
      assert(answer(index.connectedTo(marks.toArray), first, marks) == Map(
        1L -> (first -> 3L),
        2L -> (first + 5 -> 3L),
        3L -> (latest -> 3L),
        4L -> (latest -> 5L),
        5L -> (latest -> 5L)
      ))
    }

    test(s"$name: no vertex where no marked vertex occurs, in an index without edges neither") {
      val index = Indexes.create(name, Panes(10, 5))
      assert(index.connectedTo(Array(1L)).size == 0)
      index.insert(0, 1, 2)
      index.closePane(1)
      assert(index.connectedTo(Array(3L, Long.MinValue)).size == 0)
      assert(index.connectedTo(Array.emptyLongArray).size == 0)
      assert(index.connectedTo(Array(3L, 1L)).size == 2)
      index.closePane(100)
      assert(index.connectedTo(Array(3L, 1L)).size == 0)
    }
  }
}

object ConnectedToSuite {

  /** Each vertex that an edge, each with its pane, connects with a mark: since which pane, and with which mark. */
  private def oracle(edges: Seq[(Long, TimedEdge)], marks: Seq[Long]): Map[Long, (Long, Long)] =
    edges.map(_._1).distinct.sorted(Ordering[Long].reverse).foldLeft(Map.empty[Long, (Long, Long)]) {
      (known, first) =>
        val components = Oracle.components(edges.filter(_._1 >= first).map(_._2))
        val markOf = marks.reverse.flatMap(mark => components.get(mark).map(_ -> mark)).toMap
        components.collect {
          case (vertex, component) if markOf.contains(component) => vertex -> (first -> markOf(component))
        } ++ known
    }

  /** What is found for the window from pane `window` on, in the form of the oracle. */
  private def answer(found: ConnectedVertices, window: Long, marks: Seq[Long]): Map[Long, (Long, Long)] = {
    val rows = (0 until found.size).filter(found.since(_) >= window)
    val all = rows.map(i => found.vertex(i) -> (found.since(i) -> marks(found.mark(i)))).toMap
    Predef.assert(all.size == rows.size, "a vertex is there twice")
    all
  }
}
