package io.github.sparkbic.operator.state

import scala.util.Random

import org.apache.spark.sql.Row
import org.apache.spark.sql.test.SharedSparkSession

import io.github.sparkbic.index.{Indexes, Oracle, TestEdges, TimedEdge}
import io.github.sparkbic.index.contract.{IndexSize, Panes}
import io.github.sparkbic.index.forests.{EdgeSets, PaneForest}
import io.github.sparkbic.index.format.CorruptStateException
import io.github.sparkbic.operator.block.{Names, PackedBlock}
import io.github.sparkbic.operator.question.ComponentStats

/** State kept pane by pane: what a micro-batch writes, and what stays in memory. */
class PaneStateSuite extends SharedSparkSession {

  /** Panes of a millisecond. */
  private def graphOf(
      index: String,
      panes: Int,
      alive: Boolean = true,
      strings: Boolean = false,
      slide: Int = 1
  ): StoredGraph = new StoredGraph(
    StateShape(index, Panes(panes * 1000L, slide * 1000L), strings, by = Seq("site")),
    inPanes = true,
    CacheLimit(if (alive) None else Some(0))
  )

  private def edges(pane: Long, count: Int): PackedBlock = {
    def edge(i: Int) = TimedEdge(pane, pane * 7919 + 3L * i, pane * 104729 + 5L * i)
    Names.numbered(pane, (0 until count).map(edge))
  }

  private def verticesOf(count: Int, pane: Long): Long =
    (0 until count).flatMap(i => Seq(pane * 7919 + 3L * i, pane * 104729 + 5L * i)).distinct.size.toLong

  /** One micro-batch, its answers, and the state after it. */
  private def run(graph: StoredGraph, state: Held, watermark: Long, blocks: PackedBlock*): (Seq[Row], Held) =
    graph.run(new ComponentStats(false), state, watermark, blocks: _*)

  private def after(graph: StoredGraph, state: Held, panes: Range)(blocks: Int => Seq[PackedBlock]): Held =
    panes.foldLeft(state)((state, pane) => run(graph, state, pane.toLong, blocks(pane): _*)._2)

  Indexes.names.foreach { index =>
    test(s"$index: a micro-batch writes about what it brings, whatever the window holds") {
      def mostWritten(panes: Int): Int = {
        val graph = graphOf(index, panes)
        var state = Held()
        var header = 0
        val written = (0L until 2L * panes + 20).map { pane =>
          val (_, after) = run(graph, state, pane, edges(pane, 300), edges(pane, 200))
          if (pane == panes + 10) header = after.header.get.size
          val values = after.values.toSet.diff(state.values.toSet)
          state = after
          values.iterator.map(_._2.size).sum
        }
        assert(state.parts.size >= panes && state.parts.size <= 2 * (panes + 2))
        // A header does not grow with the panes that were.
        assert(state.header.get.size <= header + 16)
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
    val names = Names.packed((0 until count).map(i => s"$pane/$i"))
    PackedBlock(pane, count.toLong, EdgeSets.toBytes(alone), names)
  }

  for (index <- Indexes.names) {
    test(s"$index: between two windows the index is let go, and a live graph asks for no forgotten name") {
      // Pane 1 is in the window [0, 3) alone, pane 3 in [2, 5).
      def between(graph: StoredGraph): Held =
        run(graph, run(graph, Held(), 0, named(1, 700), named(3, 700))._2, 3)._2
      val one = graphOf(index, 3, strings = true, slide = 2)
      val waiting = one.attempt(between(one), 3)._1.graph
      var held = 0
      waiting.cursorToFeed().index.vertices(_ => held += 1)
      assert(held == 0 && waiting.pendingLinks == 0 && Names.held(waiting.ids) == 700)

      val other = graphOf(index, 3, strings = true, slide = 2)
      val (_, third) = run(other, between(other), 4, named(5, 800))
      val (rows, _) = run(other, third, 5)
      // The window [2, 5): start, end, vertices.
      assert(rows.head.toSeq.slice(1, 4) == Seq(2000L, 5000L, 700L))
    }

    test(s"$index: a graph in memory holds few names besides those of its window, after a burst as well") {
      Seq(0 -> 400, 20000 -> 9).foreach { case (burst, last) =>
        val graph = graphOf(index, 3, strings = true)
        val first = run(graph, Held(), 0, named(0, burst + 1))._2
        val state = after(graph, first, 1 to last)(pane => Seq(named(pane.toLong, 10)))
        assert(Names.held(graph.attempt(state, last.toLong)._1.graph.ids) < 300)
      }
    }
  }

  Seq(true, false).foreach { alive =>
    test(s"a pane that stays open takes what its vertices take, ${if (alive) "alive" else "restored"}") {
      val graph = graphOf("bic", 2, alive)
      var state = Held()
      // A window that is answered now and then keeps the graph alive, or has it restored.
      val sizes = (0 until 100).map { turn =>
        state = run(graph, state, turn / 40L, edges(turn / 40L + 1, 20), edges(50, 1 + turn % 60))._2
        state.parts.collect { case ((50L, _), bytes) => bytes.size }
      }
      assert(sizes.map(_.size).max == 32)
      val whole = edges(50, 60).edgeSet.length
      assert(sizes.last.sum < 32 * whole && state.parts((50L, 0)).size < 2 * whole)
      // The window [49, 51): vertices, edges.
      val counted = run(graph, state, 51)._1.filterNot(_.isNullAt(1)).last
      assert(counted.getLong(3) == verticesOf(60, 50))
      assert(counted.getLong(4) == (0 until 100).map(1 + _ % 60).sum)
    }
  }

  private val random = new Random(3)

  /** Loose edges of each task in pane 3. */
  private def tasks(count: Int, vertices: Int): Seq[Seq[TimedEdge]] =
    Seq.fill(count, 200)(TimedEdge(3, random.nextInt(vertices).toLong, random.nextInt(vertices).toLong))

  private def loose(tasks: Seq[Seq[TimedEdge]]): Seq[PackedBlock] =
    tasks.map(edges => PackedBlock(3, edges.size.toLong, EdgeSets.toBytes(TestEdges.loose(edges)), null))

  private def places(parts: Range) = parts.map((3L, _)).toSet

  // Vertices, the tasks of two micro-batches, and the parts after them and when the pane has closed.
  Seq(
    ("stay as they are where edges have vertices of their own", 100000, Seq(8), Seq(8), 8),
    ("are one when their pane has closed where edges share their vertices", 300, Seq(4, 4), Seq(1, 2), 1),
    ("are one where there would be very many", 1000000, Seq(30, 10), Seq(30, 1), 1)
  ).foreach { case (what, vertices, counts, open, closed) =>
    test(s"parts of loose edges $what") {
      val graph = graphOf("recency", 5, alive = false)
      val sent = counts.map(tasks(_, vertices))
      val states = sent.scanLeft(Held())((state, some) => run(graph, state, 0, loose(some): _*)._2).tail
      assert(states.map(_.parts.keySet) == open.map(parts => places(0 until parts)))
      val (rows, after) = run(graph, states.last, 4)
      assert(after.parts.keySet == places(0 until closed))
      if (open.last == closed) assert(after.parts == states.last.parts)
      val wanted = Oracle.components(sent.flatten.flatten)
      assert(rows.head.getLong(3) == wanted.size && rows.head.getLong(5) == wanted.values.toSet.size)
      // The parts stay until no window holds the pane.
      val (later, last) = run(graph, after, 7)
      assert(last.parts == after.parts)
      assert(later.head.toSeq.slice(3, 6) == rows.head.toSeq.slice(3, 6))
      assert(run(graph, last, 8)._2 == Held())
    }
  }

  private def header(shape: StateShape)(change: PaneGraph => Unit): Array[Byte] = {
    val graph = new PaneGraph(shape, 7)
    graph.begin(new Values)
    change(graph)
    graph.toHeader
  }

  test("a header is never that of another state, and refused with wrong parts") {
    val shape = graphOf("bic", 4).shape
    val empty = header(shape)(_ => ())
    assert(empty.toSeq != header(shape)(_ => ()).toSeq)
    def restored(entry: PaneEntry): EdgeParts =
      new PaneGraph(shape, 7, Some(header(shape)(_.parts.panes.put(3L, entry)))).parts
    assert(Seq(1, 32).map(parts => restored(PaneEntry(parts, Seq(2, 1), 50)).partsOf(3L)) == Seq(1, 32))
    Seq(0, 33, Int.MaxValue - 1).foreach { parts =>
      val refusal = intercept[CorruptStateException](restored(PaneEntry(parts, Seq(2, 1), 50))).getMessage
      assert(refusal == s"pane 3 has $parts parts, where 1 to 32 are possible")
    }
    // Parts whose vertices sum up to more than an Int.
    val large = PaneEntry(3, Seq(3L << 30, 3L << 30), 3000)
    assert(restored(large).panes(3L) == large)
    assert(restored(large).sizeUntil(8) == IndexSize(Int.MaxValue, Int.MaxValue))
  }

  // As a restart after a join with a longer interval has it: no window is answered twice, and what is fed stays closed.
  for {
    index <- Indexes.names
    inPanes <- Seq(false, true)
    compares <- Seq(false, true)
    limit <- Seq(None, Some(0L))
  } test(s"a watermark that goes back: $index, in panes $inPanes, windows compared $compares, cache $limit") {
    val kept = if (compares) Kept.WindowBefore() else Kept.Nothing
    val shape = StateShape(index, Panes(5000, 2000), strings = false, kept)
    val graph = new StoredGraph(shape, inPanes, CacheLimit(limit, minBytes = 0))
    // The watermark goes back from 8 to 3. Windows end with odd panes, so pane 7 has been fed only where windows are apart.
    val batches = Seq((0L, 0L to 9L), (8L, Seq(8L)), (3L, Seq(4L, 7L, 8L, 9L)), (5L, Nil), (40L, Nil))
    var state = Held()
    val rows = batches.flatMap { case (watermark, panes) =>
      val edges = panes.map(pane => Names.numbered(pane, Seq(TimedEdge(pane, pane, pane + 1))))
      val (rows, after) = run(graph, state, watermark, edges: _*)
      state = after
      rows
    }
    val (counters, answers) = rows.partition(_.isNullAt(1))
    val ofPane7 = if (compares) 2L else 1L
    assert(counters.map(_.getAs[Array[Long]](counters.head.size - 1)(1)).sum == 3 - ofPane7, "late edges")
    // Start of the window and edges. Where windows are compared, the one after the last edge is answered, too.
    val found = answers.map(row => (row.getLong(1) / 1000, row.getLong(4))).filter(_._2 > 0)
    val last = Seq((4L, 6 + ofPane7), (6L, 6 + ofPane7), (8L, 5L))
    assert(found == Seq((-4L, 1L), (-2L, 3L), (0L, 5L), (2L, 5L)) ++ last)
  }
}
