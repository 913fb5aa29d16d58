package io.github.sparkbic.operator.state

import scala.util.Random

import org.apache.spark.sql.Row
import org.apache.spark.sql.test.SharedSparkSession
import org.scalacheck.{Gen, Shrink}
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.{Indexes, TestEdges, TimedEdge}
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.forests.PaneForest
import io.github.sparkbic.operator.{Unpacked, WindowOperator}
import io.github.sparkbic.operator.block.{Names, PackedBlock}
import io.github.sparkbic.operator.forests.Segment
import io.github.sparkbic.operator.question.{Changes, Components, ComponentStats}
import io.github.sparkbic.operator.state.AttemptsSuite.{Held, KeptByPane}

/** State kept pane by pane: what a micro-batch writes, and what becomes of bytes that are not what was written. */
class PaneStateSuite extends SharedSparkSession with ScalaCheckPropertyChecks {
  private val key = Row("a")

  // What is drawn makes sense as a whole.
  implicit private def asDrawn[A]: Shrink[A] = Shrink.shrinkAny

  /** Panes of a millisecond. */
  private def shapeOf(index: String, panes: Int) =
    StateShape(index, Panes(panes * 1000L, 1000L), strings = false, by = Seq("site"))

  private def edges(pane: Long, count: Int): PackedBlock = {
    val edges = (0 until count).map(i => TimedEdge(pane, pane * 7919 + 3L * i, pane * 104729 + 5L * i))
    PackedBlock(pane, count.toLong, TestEdges.any(pane, edges).toBytes, null)
  }

  /** One micro-batch, its answers, and the state after it. */
  private def run(
      kept: KeptByPane,
      state: Held,
      watermark: Long,
      blocks: PackedBlock*
  ): (Seq[Row], Held) = {
    val operator = new WindowOperator(kept.shape, new ComponentStats(false))
    val (store, result) = kept.attempt(state, watermark)
    val rows = operator.stream(key, blocks.iterator, store).toList
    (rows, result())
  }

  Indexes.names.foreach { index =>
    test(s"$index: a micro-batch writes about what it brings, whatever the window holds") {
      def mostWritten(panes: Int): Int = {
        val kept = new KeptByPane(shapeOf(index, panes), CacheLimit(None))
        var state = kept.empty
        val written = (0L until 2L * panes + 20).map { pane =>
          val (_, after) = run(kept, state, pane, edges(pane, 300), edges(pane, 200))
          val parts = after.parts.toSet.diff(state.parts.toSet)
          state = after
          parts.iterator.map(_._2.size).sum + after.header.fold(0)(_.size)
        }
        assert(state.parts.size >= panes && state.parts.size <= 2 * (panes + 2))
        written.max
      }
      val (small, large) = (mostWritten(2), mostWritten(60))
      info(s"at most $small bytes for a window of 2 panes, $large for one of 60")
      assert(large < 2 * small)
    }
  }

  /** Vertices by themselves, whose names occur in no other pane. */
  private def named(pane: Long, count: Int): PackedBlock = {
    val alone = new PaneForest(Array.tabulate(count)(_.toLong), Array.range(0, count))
    PackedBlock(pane, count.toLong, alone.toBytes, Names.packed((0 until count).map(i => s"$pane/$i")))
  }

  Indexes.names.foreach { index =>
    // Pane 1 is in the window [0, 3) alone, pane 3 in [2, 5).
    def betweenWindows(kept: KeptByPane): Held = {
      val (_, first) = run(kept, kept.empty, 0, named(1, 700), named(3, 700))
      run(kept, first, 3)._2
    }
    val gapped = StateShape(index, Panes(3000L, 2000L), strings = true, by = Seq("site"))

    test(s"$index: the index of a graph between two windows is let go, while edges wait") {
      val kept = new KeptByPane(gapped, CacheLimit(None))
      val graph = kept.attempt(betweenWindows(kept), 3)._1.open()
      var held = 0
      graph.cursorToFeed().index.vertices(_ => held += 1)
      assert(held == 0 && graph.pendingLinks == 0 && graph.ids.size == 700)
    }

    test(s"$index: a graph between two windows, and live again, asks for no name that it has forgotten") {
      val kept = new KeptByPane(gapped, CacheLimit(None))
      val (_, third) = run(kept, betweenWindows(kept), 4, named(5, 800))
      val (rows, _) = run(kept, third, 5)
      // The window [2, 5): start, end, vertices.
      assert(rows.head.toSeq.slice(1, 4) == Seq(2000L, 5000L, 700L))
    }

    test(s"$index: a graph in memory holds few names besides those of its window") {
      val kept = new KeptByPane(
        StateShape(index, Panes(3000L, 1000L), strings = true, by = Seq("site")),
        CacheLimit(None)
      )
      val last =
        (1L to 400L).foldLeft(kept.empty)((state, pane) => run(kept, state, pane, named(pane, 10))._2)
      val (store, _) = kept.attempt(last, 400)
      assert(store.open().ids.size < 300)
    }

    test(s"$index: the names of a burst go with its window, however few come after them") {
      val kept = new KeptByPane(
        StateShape(index, Panes(3000L, 1000L), strings = true, by = Seq("site")),
        CacheLimit(None)
      )
      val burst = run(kept, kept.empty, 0, named(0, 20000))._2
      val last = (1L to 9L).foldLeft(burst)((state, pane) => run(kept, state, pane, named(pane, 10))._2)
      val (store, _) = kept.attempt(last, 9)
      assert(store.open().ids.size < 300)
    }
  }

  test("several parts of a pane are one when it has closed") {
    val kept = new KeptByPane(shapeOf("recency", 5), CacheLimit(Some(0)))
    val (_, first) = run(kept, kept.empty, 0, edges(3, 100))
    val (_, second) = run(kept, first, 0, edges(3, 50), edges(4, 10))
    val (_, third) = run(kept, second, 3, edges(3, 120))
    assert(third.parts.keySet == Set((3L, 0), (3L, 1), (3L, 2), (4L, 0)))
    val (rows, closed) = run(kept, third, 4)
    assert(closed.parts.keySet == Set((3L, 0), (4L, 0)))
    assert(closed.parts((3L, 0)).size < third.parts.collect { case ((3L, _), bytes) => bytes.size }.sum)
    // The window [-1, 4), which has that pane alone: start, end, vertices, edges.
    assert(rows.head.toSeq.slice(1, 5) == Seq(-1000L, 4000L, edgesOf(120), 270L))
    // Nothing is left when the last window with it has been answered.
    val (_, after) = run(kept, closed, 100)
    assert(after == kept.empty)
  }

  Seq(true, false).foreach { cached =>
    test(
      s"a pane that stays open takes what its vertices take, ${if (cached) "alive" else "restored each time"}"
    ) {
      val kept = new KeptByPane(shapeOf("bic", 2), CacheLimit(if (cached) None else Some(0)))
      var state = kept.empty
      // A window that is answered now and then keeps the graph alive, or has it restored.
      val sizes = (0 until 100).map { turn =>
        state = run(kept, state, turn / 40L, edges(turn / 40L + 1, 20), edges(50, 1 + turn % 60))._2
        state.parts.collect { case ((50L, _), bytes) => bytes.size }
      }
      assert(sizes.map(_.size).max == 32)
      val whole = edges(50, 60).edgeSet.length
      assert(sizes.last.sum < 32 * whole && state.parts((50L, 0)).size < 2 * whole)
      // The window [49, 51): vertices, edges.
      val (rows, _) = run(kept, state, 51)
      val counted = rows.filterNot(_.isNullAt(1)).last
      assert(counted.getLong(3) == edgesOf(
        60,
        pane = 50
      ) && counted.getLong(4) == (0 until 100).map(1 + _ % 60).sum)
    }
  }

  private def edgesOf(count: Int, pane: Int = 3): Long = {
    val ids = (0 until count).flatMap(i => Seq(pane * 7919 + 3L * i, pane * 104729 + 5L * i))
    ids.distinct.size.toLong
  }

  test(
    "a bit flipped anywhere, an end cut off and a part that is missing are refused, with the graph's key"
  ) {
    val kept = new KeptByPane(shapeOf("bic", 4), CacheLimit(Some(0)))
    val (_, open) = run(kept, kept.empty, 0, edges(0, 5), edges(2, 5))
    val (_, state) = run(kept, open, 2)
    assert(state.parts.size == 2)

    def refusal(damaged: Held): String = intercept[IllegalStateException](run(kept, damaged, 3)).getMessage
    def damagedAt(position: Int)(damage: Seq[Byte] => Seq[Byte]): Held =
      state.parts.keys.toSeq.lift(position) match {
        case Some(part) => state.copy(parts = state.parts.updated(part, damage(state.parts(part))))
        case None       => state.copy(header = state.header.map(damage))
      }
    forAll(Gen.choose(0, 2), Gen.choose(0, Int.MaxValue)) { (position, place) =>
      val flipped = refusal(damagedAt(position) { bytes =>
        val bit = place % (8 * bytes.size)
        bytes.updated(bit / 8, (bytes(bit / 8) ^ (1 << bit % 8)).toByte)
      })
      assert(flipped.startsWith("the state of graph [a] cannot be read: "))
      val cut = refusal(damagedAt(position)(bytes => bytes.take(place % bytes.size)))
      assert(cut.startsWith("the state of graph [a] cannot be read: it has"))
    }
    assert(refusal(state.copy(parts = state.parts - ((2L, 0)))).contains("part 0 of pane 2 is missing"))
    assert(refusal(state.copy(header =
      Some(state.parts((2L, 0)))
    )).contains("the magic number of this format"))
  }

  test("parts that are exchanged, and what another graph or another query has written, are refused") {
    val shape = shapeOf("bic", 4)
    def stateOf(graph: Row) = {
      val kept = new KeptByPane(shape, CacheLimit(Some(0)), graph)
      val (_, open) = run(kept, kept.empty, 0, edges(0, 5), edges(2, 5))
      run(kept, open, 2)._2
    }
    val state = stateOf(key)
    val other = stateOf(Row("b"))
    val kept = new KeptByPane(shape, CacheLimit(Some(0)), key)
    def refusal(damaged: Held): String = intercept[IllegalStateException](run(kept, damaged, 3)).getMessage
    val (first, second) = ((0L, 0), (2L, 0))
    assert(state.parts.keySet == Set(first, second) && other.parts.keySet == state.parts.keySet)
    val exchanged = Map(first -> state.parts(second), second -> state.parts(first))
    Seq(
      state.copy(parts = exchanged),
      state.copy(parts = state.parts.updated(first, other.parts(first))),
      state.copy(header = other.header),
      other.copy(timer = state.timer)
    ).foreach { damaged =>
      assert(refusal(damaged) == "the state of graph [a] cannot be read: it was written for another graph, " +
        "another pane or another query. The checkpoint is damaged: go back to a copy of it, or give the query a new " +
        "checkpointLocation and replay the input.")
    }
    assert(run(kept, state, 3)._1.nonEmpty)
  }

  test(
    "a part that is missing where parts of a pane that waits are made one is refused with the graph's key"
  ) {
    val kept = new KeptByPane(shapeOf("bic", 4), CacheLimit(Some(0)))
    val open = (0 until 32).foldLeft(kept.empty)((state, _) => run(kept, state, 0, edges(5, 3))._2)
    val damaged = open.copy(parts = open.parts - ((5L, 3)))
    val refusal = intercept[IllegalStateException](run(kept, damaged, 0, edges(5, 3))).getMessage
    assert(refusal.startsWith(
      "the state of graph [a] cannot be read: part 3 of pane 5 is missing. "
    ))
  }

  for (index <- Indexes.names; cached <- Seq(true, false))
    test(
      s"$index: changes between windows are those of a batch, ${if (cached) "alive" else "restored each time"}"
    ) {
      forAll(Gen.choose(0L, 1L << 40), Gen.choose(1, 5), Gen.choose(0, 4), minSuccessful(60)) {
        (seed, perSlide, more) =>
          val random = new Random(seed)
          val panes = Panes((perSlide + more) * 1000L, perSlide * 1000L)
          val shape = StateShape(index, panes, strings = false, Kept.WindowBefore())
          val operator = new WindowOperator(shape, new Changes(false, 1))
          // Blocks of a millisecond each, mostly in a row, some after a gap.
          val times = (0 until 12).scanLeft(20L)((t, _) =>
            t + (if (random.nextInt(5) == 0) random.nextInt(30) else random.nextInt(3))
          )
          val blocks = times.map { time =>
            val some = Seq.fill(1 + random.nextInt(3))(TimedEdge(
              time,
              random.nextInt(8).toLong,
              random.nextInt(8).toLong
            ))
            PackedBlock(
              panes.paneOf(time * 1000),
              some.size.toLong,
              TestEdges.any(random.nextLong(), some).toBytes,
              null
            )
          }
          def shown(rows: Iterator[Row]) = rows.filterNot(_.isNullAt(1)).map(_.toString).toSeq.sorted
          val wanted = shown(operator.batch(key, Segment.Whole, blocks.iterator))
          val kept = new KeptByPane(shape, CacheLimit(if (cached) None else Some(0)))
          var state = kept.empty
          val found = (blocks.zip(times).map { case (block, time) =>
            (time - random.nextInt(3), Seq(block))
          } :+ ((1L << 40, Nil)))
            .scanLeft((0L, Seq.empty[PackedBlock])) { case ((before, _), (mark, some)) =>
              (math.max(before, mark), some)
            }.tail
            .flatMap { case (watermark, some) =>
              // A block comes in the micro-batch before its watermark, as in a stream.
              val (store, result) = kept.attempt(state, watermark - (if (some.isEmpty) 0 else 3))
              val rows = operator.stream(key, some.iterator, store).toList
              state = result()
              rows
            }
          assert(shown(found.iterator) == wanted)
          assert(state == kept.empty)
      }
    }

  test("the counters tell what the index holds and what waits") {
    val kept = new KeptByPane(shapeOf("bic", 4), CacheLimit(None))
    def held(rows: Seq[Row]): (Long, Long, Long) = {
      val counters = rows.last.getAs[Array[Long]](rows.last.size - 1)
      def of(name: String) = counters(Counters.OfStream.indexOf(name))
      (of("live_vertices"), of("live_links"), of("pending_links"))
    }
    val (first, open) = run(kept, kept.empty, 0, edges(1, 5), edges(2, 5))
    val (none, noLinks, all) = held(first)
    assert(none == 0 && noLinks == 0 && all > 5)
    val (second, half) = run(kept, open, 2)
    val (vertices, live, pending) = held(second)
    assert(live > 0 && pending > 0 && live + pending == all)
    val (third, _) = run(kept, half, 3)
    val (more, links, waiting) = held(third)
    assert(more > vertices && links == all && waiting == 0)
  }

  Indexes.names.foreach { index =>
    Seq(1, 3).foreach { panes =>
      test(s"$index: a header does not grow with the panes that were, windows of $panes panes") {
        val kept = new KeptByPane(shapeOf(index, panes), CacheLimit(None))
        var state = kept.empty
        val sizes = (0L until 300L).map { pane =>
          state = run(kept, state, pane, edges(pane, 2))._2
          state.header.get.size
        }
        assert(sizes.last <= sizes(20) + 16)
      }
    }
  }

  test("edges of a pane that waits are counted, though nothing that the index holds is of use any more") {
    val kept = new KeptByPane(shapeOf("bic", 1), CacheLimit(None))
    val (_, open) = run(kept, kept.empty, 0, edges(0, 3), edges(1, 4))
    val (first, half) = run(kept, open, 1)
    val (second, after) = run(kept, half, 2)
    // Start, end, vertices, edges.
    assert(first.head.getLong(4) == 3 && second.head.getLong(4) == 4)
    assert(after == kept.empty)
  }

  test("a graph that stays alive forgets the names that no window to come holds, and no others") {
    val kept = new KeptByPane(shapeOf("bic", 2).copy(strings = true), CacheLimit(None))
    val operator = new WindowOperator(kept.shape, new Components(true, 1))
    def names(pane: Long) = (0 until 9000).map(i => f"$pane%02d-$i")
    def star(pane: Long): PackedBlock = {
      val forest = new PaneForest(Array.tabulate(9000)(_.toLong), new Array(9000))
      PackedBlock(pane, 9000, forest.toBytes, Names.packed(names(pane)))
    }
    var state = kept.empty
    (0L until 12L).foreach { pane =>
      val (store, after) = kept.attempt(state, pane)
      val found = operator.stream(key, Iterator(star(pane)), store).filterNot(_.isNullAt(1))
        .flatMap(Unpacked.answers(_, bounds = 3)).map(row => row.getString(3) -> row.getString(4)).toMap
      val panes = math.max(0L, pane - 2) until pane
      assert(found == panes.map(names).flatMap(some => some.map(_ -> some.head)).toMap)
      state = after()
    }
    val (store, _) = kept.attempt(state, 12)
    assert(store.restoredBytes.isEmpty && store.open().ids.size < 80000)
  }
}
