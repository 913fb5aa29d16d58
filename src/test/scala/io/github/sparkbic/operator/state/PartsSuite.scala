package io.github.sparkbic.operator.state

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.types.{LongType, StructType}
import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.index.TimedEdge
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.operator.block.{EventRows, NameColumn, Names, PackedBlock, VertexIds}
import io.github.sparkbic.operator.question._

/** The layout `panes`: what a micro-batch writes and reads of events and names, and what is refused: values that are
  * missing, damaged or of other places.
  */
class PartsSuite extends AnyFunSuite {
  import StatePlace.{Beside, Graph, Part}

  private val pairs =
    new LocalQueries(QuerySet(Seq(Row(1L, 2L), Row(1L, 3L)), 2)(QuerySet.pairs(early = true)))
  private val stats = new ComponentStats(sizes = false)
  private val early = PairsConnected(pairs, LongType, since = false, early = true)
  private val stable = Components(strings = false, 1, updatesOnly = true, stable = true)
  private val columns = new StructType().add("id", LongType).add("vertex", LongType)
  private val asOf = AsOf(strings = false, columns, 1, None, None, waits = true, Seq(0))

  private def edge(pane: Long, src: Long): PackedBlock =
    Names.numbered(pane, Seq(TimedEdge(pane, src, src + 1)))

  private def events(pane: Long, ids: Long*): PackedBlock = {
    val rows = new EventRows
    val project = UnsafeProjection.create(columns)
    ids.foreach(id => rows.add(project(InternalRow(id, 7L))))
    PackedBlock(pane, 0, null, null, events = rows.toColumn)
  }

  /** A graph in panes of a millisecond. Each micro-batch reads what the micro-batch before has written. */
  private def graphOf(kept: Kept, perWindow: Int = 4, strings: Boolean = false, key: Row = Row("a")) = {
    val shape = StateShape("recency", Panes(perWindow * 1000L, 1000L), strings, kept, Seq("site"))
    new StoredGraph(shape, inPanes = true, CacheLimit(Some(0)), key)
  }

  /** A graph after micro-batches of some blocks each. */
  private final class Case(question: Question, batches: Seq[(Long, Seq[PackedBlock])], key: Row = Row("a")) {
    val graph: StoredGraph = graphOf(question.kept, key = key)
    val state: Held = batches.foldLeft(Held()) { case (state, (watermark, blocks)) =>
      graph.run(question, state, watermark, blocks: _*)._2
    }

    /** Asserts how the next micro-batch refuses the state with these values, and that it refuses any damage to `read`. */
    def check(watermark: Long, blocks: PackedBlock*)(read: StatePlace*)(
        changes: (Seq[(StatePlace, Option[Seq[Byte]])], String)*
    ): Unit = {
      assert(graph.run(question, state, watermark, blocks: _*)._1.nonEmpty)
      graph.assertDamageIsRefused(question, state, watermark, blocks: _*)(read: _*)
      changes.foreach { case (values, reason) =>
        val changed = values.foldLeft(state) { case (held, (place, bytes)) => held.updated(place, bytes) }
        assert(graph.refusal(question, changed, watermark, blocks: _*).startsWith(reason))
      }
    }

    def apply(place: StatePlace): Option[Seq[Byte]] = state.values.get(place)
  }

  private val elsewhere =
    "it was written for another graph, another pane or another query. The checkpoint is damaged: go back to a copy of it, or "

  test("parts of panes and headers") {
    val batches = Seq(0L -> Seq(edge(0, 1), edge(2, 5)), 2L -> Nil)
    val one = new Case(stats, batches)
    val other = new Case(stats, batches, key = Row("b"))
    val (first, second) = (Part(0, 0), Part(2, 0))
    assert(one.state.values.keySet == Set(Graph, first, second) && other.state.timer == one.state.timer)
    one.check(3)(Graph, first, second)(
      Seq(second -> None) -> "part 0 of pane 2 is missing. ",
      Seq(Graph -> one(second)) -> "it does not begin with the magic number of this format",
      Seq(first -> one(second), second -> one(first)) -> elsewhere,
      Seq(first -> other(first)) -> elsewhere,
      Seq(Graph -> other(Graph)) -> elsewhere,
      other.state.values.toSeq.map { case (place, bytes) => place -> Option(bytes) } -> elsewhere
    )
    // Where parts of a pane that waits are made one.
    val open = new Case(stats, (0L until 32L).map(_ -> Seq(edge(50, 3))))
    open.check(31, edge(50, 3))()(Seq(Part(50, 3) -> None) -> "part 3 of pane 50 is missing. ")
  }

  test("what only early rows read") {
    val one = new Case(early, Seq(0L -> Seq(edge(2, 1))))
    one.check(0, edge(3, 2))(Beside)(
      Seq(Part(2, 0) -> None) -> "part 0 of pane 2 is missing. ",
      Seq(Beside -> None) -> "its emitted windows are missing. "
    )
    // Without new edges, and before a window is due, only the header is read.
    val header = Held().updated(Graph, one(Graph)).copy(timer = one.state.timer)
    assert(one.graph.run(early, header, 0)._1.size == 1)
  }

  test("names of components, which are of the last window") {
    val others = KeptNames(Array(1L, 2L), Array(1L, 2L), Array(1L, 1L))
    val place = StatePlace.graph("", Row("a"))
    val swapped = others.toPart(VertexIds.create(strings = false), place).toSeq
    new Case(stable, Seq(0L -> Seq(edge(0, 1), edge(0, 5)), 1L -> Nil)).check(2)(Beside)(
      Seq(Beside -> None) -> "the names of its components are missing. ",
      Seq(Beside -> Some(swapped)) -> "its names are not those of the components of its last window. "
    )
  }

  test("events that wait") {
    val one = new Case(asOf, Seq(0L -> Seq(events(5, 5), events(6, 6))))
    one.check(6)(one.state.values.keys.toSeq: _*)(
      Seq(Part(5, -1) -> None) -> "part 0 of the waiting events of pane 5 is missing. ",
      Seq(Part(5, -1) -> one(Part(6, -1))) -> elsewhere
    )
  }

  private val ofEvents = graphOf(Kept.Events)

  /** The ids of the events that are answered, and the state. */
  private def run(state: Held, watermark: Long)(blocks: PackedBlock*): (Seq[Long], Held) = {
    val (rows, after) = ofEvents.run(asOf, state, watermark, blocks: _*)
    val event = new UnsafeRow(2)
    val ids = for {
      row <- rows
      block = row.getAs[Array[Byte]](3)
      if block != null
      i <- 0 until NameColumn.count(block)
    } yield {
      NameColumn.point(event, block, i)
      event.getLong(0)
    }
    (ids.sorted, after)
  }

  private def parts(state: Held): Set[(Long, Int)] = state.parts.keySet.toSet

  test("a micro-batch writes the events that it brings, and removes those that it answers") {
    val (none, first) = run(Held(), 0)(events(5, 1, 2), events(6, 3), events(5, 4))
    assert(none.isEmpty && parts(first) == Set((5L, -1), (6L, -1)))
    val (stillNone, second) = run(first, 1)(events(6, 5), events(9, 6))
    assert(stillNone.isEmpty && parts(second) == parts(first) ++ Set((6L, -2), (9L, -1)))
    assert(first.parts.forall { case (part, bytes) => second.parts(part) == bytes })
    val (answered, third) = run(second, 6)(events(6, 7))
    assert(answered == Seq(1, 2, 3, 4, 5, 7) && parts(third) == Set((9L, -1)))
    assert(run(third, 9)() == (Seq(6L) -> Held()))
  }

  test("what a micro-batch writes does not grow with the events that wait") {
    val (most, _) = (0 until 60).foldLeft((0, Held())) { case ((most, state), i) =>
      val (_, after) = run(state, 0)(events(1000L + i % 5, i.toLong))
      val written = after.parts.collect { case (part, bytes) if !state.parts.contains(part) => bytes.size }
      assert(written.size == 1)
      (math.max(most, written.head + after.header.get.size), after)
    }
    assert(most < 400)
  }

  test("until an event is due or comes, none is read, and all that wait are counted") {
    val (_, state) = run(Held(), 0)(events(5, 1, 2), events(6, 3), events(5, 4))
    // Without the events, which would be missed if they were read.
    val header = Held().updated(StatePlace.Graph, state.header).copy(timer = state.timer)
    val (rows, _) = ofEvents.run(asOf, header, 1, Names.numbered(3, Seq(TimedEdge(3, 1, 2))))
    val counted = rows.last.getAs[Array[Long]](rows.last.size - 1)
    assert(counted(Counters.All.indexOf("waiting_events")) == 4)
  }

  test("events of other columns than those that wait are refused when they come, though none is due") {
    val (_, state) = run(Held(), 0)(events(5, 1))
    val other = asOf.copy(columns = StructType(columns.reverse))
    assert(ofEvents.refusal(other, state, 1, events(7, 2)).startsWith(
      "events with the columns struct<id:bigint,vertex:bigint> wait in it, but the events of the query have struct<vertex"
    ))
  }

  /** Components of two vertices in pane 0, of which the smaller one is in pane 1 as well. */
  private def pairs(pane: Long, strings: Boolean): PackedBlock = {
    val edges = (0L until 300L).map(i => TimedEdge(pane, 10 * i, if (pane == 0) 10 * i + 1 else 10 * i))
    if (strings) Names.block(pane, edges) else Names.numbered(pane, edges)
  }

  for (strings <- Seq(true, false))
    test(s"names take a few bytes each, and are written when a window was answered; strings $strings") {
      val graph = graphOf(stable.kept, perWindow = 2, strings)
      val question = stable.copy(strings = strings)
      def run(state: Held, watermark: Long, blocks: PackedBlock*): Held =
        graph.run(question, state, watermark, blocks: _*)._2
      val first = run(run(Held(), 0, pairs(0, strings)), 1)
      assert(first.kept.exists(_.size < 300 * (if (strings) 45 else 6)))
      val waiting = run(first, 1, pairs(1, strings))
      assert(waiting.kept == first.kept && waiting.header != first.header)
      val second = run(waiting, 2)
      assert(second.kept.nonEmpty)
      // In the window after the last one with edges everything has vanished.
      assert(run(second, 100) == Held())
    }
}
