package io.github.sparkbic.index

import scala.collection.mutable

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.Streams.{asDrawn, shrinkStream}
import io.github.sparkbic.index.contract.{ConnectivityIndex, PaneInput, Panes, WindowCursor}
import io.github.sparkbic.index.forests.PaneForest
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter}

/** The law of [[ConnectivityIndex]], over random streams, for every index there is. */
class IndexLawSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 400, sizeRange = 100)

  /** What an index said of a window, in full. */
  private type Answer = (Long, Long, Map[Long, Long], Map[(Long, Long), Boolean])

  private def pairs(stream: Stream): Seq[(Long, Long)] = {
    val some = stream.vertices.take(14) :+ 1234567L
    for (s <- some; t <- some) yield (s, t)
  }

  private def expected(stream: Stream): Seq[Answer] = Oracle.windows(stream).map {
    case (start, end, components) =>
      (start, end, components, pairs(stream).map(p => p -> Oracle.connected(components, p._1, p._2)).toMap)
  }

  private def answer(index: ConnectivityIndex, stream: Stream, window: Long): Answer = {
    val components = mutable.Map.empty[Long, Long]
    val answers = pairs(stream).map(p => p -> index.connected(window, p._1, p._2)).toMap
    index.components(window) { (vertex, component) =>
      assert(components.put(vertex, component).isEmpty, s"vertex $vertex was visited twice")
    }
    // Once more, now that the components have been asked for: the order of questions must not matter.
    pairs(stream).foreach(p => assert(index.connected(window, p._1, p._2) == answers(p)))
    (
      stream.panes.timeOf(window),
      stream.panes.timeOf(window + stream.panes.perWindow),
      components.toMap,
      answers
    )
  }

  private def blocks(stream: Stream): Seq[PaneInput] =
    stream.sorted.groupBy(e => stream.panes.paneOf(e.time)).toSeq.sortBy(_._1).map { case (pane, edges) =>
      new PaneInput(pane, TestEdges.any(pane, edges))
    }

  private def restored(name: String, panes: Panes, index: ConnectivityIndex): ConnectivityIndex = {
    val out = new BinaryWriter()
    index.save(out)
    val in = new BinaryReader(out.toBytes)
    val copy = Indexes.restore(name, panes, in)
    in.expectEnd()
    copy
  }

  Indexes.names.foreach { name =>
    test(s"$name: pane forests through the cursor give the oracle's windows, components and answers") {
      forAll(Streams.stream) { stream =>
        val cursor = new WindowCursor(stream.panes, Indexes.create(name, stream.panes))
        val input = blocks(stream).iterator.buffered
        val got = Iterator
          .continually(cursor.advance(input, Long.MaxValue))
          .takeWhile(identity)
          .map(_ => answer(cursor.index, stream, cursor.window))
          .toSeq
        assert(got == expected(stream))
      }
    }

    test(s"$name: it visits the vertices of the window that ends now") {
      forAll(Streams.stream) { stream =>
        val panes = stream.panes
        val cursor = new WindowCursor(panes, Indexes.create(name, panes))
        val input = blocks(stream).iterator.buffered
        while (cursor.advance(input, Long.MaxValue)) {
          val visited = mutable.Set.empty[Long]
          cursor.index.vertices(visited += _)
          val held = stream.edges.filter { e =>
            val pane = panes.paneOf(e.time)
            pane >= cursor.window && pane < cursor.window + panes.perWindow
          }
          assert(held.forall(e => visited(e.src) && visited(e.dst)))
          assert(visited.subsetOf(stream.vertices.toSet))
        }
      }
    }

    test(s"$name: raw edges, asked at every window, empty ones too") {
      forAll(Streams.stream) { stream =>
        val panes = stream.panes
        val index = Indexes.create(name, panes)
        val input = stream.sorted.iterator.buffered
        if (input.hasNext) {
          val last = panes.paneOf(stream.sorted.last.time)
          val wanted = expected(stream).map(a => a._1 -> a).toMap
          Iterator.iterate(
            panes.firstWindowWith(panes.paneOf(input.head.time))
          )(_ + panes.perSlide).takeWhile(_ <= last).foreach { w =>
            while (input.hasNext && panes.paneOf(input.head.time) < w + panes.perWindow) {
              val e = input.next()
              index.insert(panes.paneOf(e.time), e.src, e.dst)
            }
            index.closePane(w + panes.perWindow - 1)
            val got = answer(index, stream, w)
            wanted.get(got._1) match {
              case Some(answer) => assert(got == answer)
              case None         => assert(got._3.isEmpty && !got._4.values.exists(identity))
            }
          }
        }
      }
    }

    test(
      s"$name: saved and restored after every step of a moving horizon, it goes on as if nothing had happened"
    ) {
      forAll(Streams.stream, Gen.choose(1, 9)) { (stream, step) =>
        var cursor = new WindowCursor(stream.panes, Indexes.create(name, stream.panes))
        val input = blocks(stream).iterator.buffered
        val got = mutable.ArrayBuffer.empty[Answer]
        var horizon = if (input.hasNext) input.head.pane else 0L
        while (input.hasNext || cursor.isLive) {
          horizon += math.max(1, step) // shrinking may have made it zero
          while (cursor.advance(input, horizon)) {
            val before = answer(cursor.index, stream, cursor.window)
            got += before
            assert(answer(restored(name, stream.panes, cursor.index), stream, cursor.window) == before)
          }
          val index = restored(name, stream.panes, cursor.index)
          cursor = new WindowCursor(stream.panes, index, fed = cursor.closed, newest = cursor.newestPane)
        }
        assert(got.toSeq == expected(stream))
      }
    }

    test(s"$name: forests in which parents come long after their children, as earlier versions saved them") {
      val panes = Panes(10, 10)
      val count = 1000
      val toLast = Array.fill(count)(count - 1)
      val toNext = Array.tabulate(count)(i => math.min(i + 1, count - 1))
      val index = Indexes.create(name, panes)
      for ((parents, i) <- Seq(toLast, toNext).zipWithIndex)
        index.insert(0, new PaneForest(Array.tabulate(count)(_ + 5000L * i), parents))
      index.closePane(0)
      assert(Answers.components(index, 0) ==
        (0L until count.toLong).flatMap(v => Seq(v -> 0L, (5000 + v) -> 5000L)).toMap)
    }

    test(s"$name: it visits the vertices of edges that came last, before their pane is closed") {
      val index = Indexes.create(name, Panes(10, 5))
      index.insert(0, 1, 2)
      val visited = mutable.Set.empty[Long]
      index.vertices(visited += _)
      assert(visited == Set(1L, 2L))
    }

    for (first <- Seq(0L, 1L << 40); restoredAt <- Seq(-1, 3))
      test(
        s"$name: windows of very many panes from $first on, of which none is without an edge, restored after $restoredAt: " +
          "what is 2^31 panes old does not come back"
      ) {
        val panes = Panes(1L << 30, 1)
        val step = 1L << 29
        var index = Indexes.create(name, panes)
        (0 until 60).foreach { i =>
          val pane = first + i * step
          index.insert(pane, 1000L + i, 1001L + i)
          index.closePane(pane)
          val held = math.max(0, i - 1)
          assert(Answers.components(index, pane - panes.perWindow + 1) ==
            (held to i + 1).map(v => (1000L + v) -> (1000L + held)).toMap)
          if (i == restoredAt) index = restored(name, panes, index)
        }
      }
  }
}
