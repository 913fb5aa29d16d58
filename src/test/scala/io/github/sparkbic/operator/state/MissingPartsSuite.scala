package io.github.sparkbic.operator.state

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection
import org.apache.spark.sql.types.{LongType, StructType}
import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.index.TimedEdge
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.operator.block.{EventRows, Names, PackedBlock, VertexIds}
import io.github.sparkbic.operator.question._

/** The layout `panes`: values of the state that are missing, damaged or of other places are refused by what they are. */
class MissingPartsSuite extends AnyFunSuite {
  import StatePlace.{Beside, Graph, Part}

  private val pairs =
    new LocalQueries(QuerySet(Seq(Row(1L, 2L), Row(1L, 3L)), 2)(QuerySet.pairs(early = true)))
  private val stats = new ComponentStats(sizes = false)
  private val early = PairsConnected(pairs, LongType, since = false, early = true)
  private val stable = Components(strings = false, 1, updatesOnly = true, stable = true)
  private val asOf = {
    val columns = new StructType().add("id", LongType).add("vertex", LongType)
    AsOf(strings = false, columns, 1, None, None, waits = true, Seq(0))
  }

  private def edge(pane: Long, src: Long): PackedBlock =
    Names.numbered(pane, Seq(TimedEdge(pane, src, src + 1)))

  private def event(pane: Long): PackedBlock = {
    val rows = new EventRows
    rows.add(UnsafeProjection.create(asOf.columns)(InternalRow(pane, 7L)))
    PackedBlock(pane, 0, null, null, events = rows.toColumn)
  }

  /** A graph, in windows of four panes of a millisecond, after micro-batches of some blocks each. */
  private final class Case(question: Question, batches: Seq[(Long, Seq[PackedBlock])], key: Row = Row("a")) {
    val graph = new StoredGraph(
      StateShape("recency", Panes(4000L, 1000L), strings = false, question.kept, Seq("site")),
      inPanes = true,
      CacheLimit(Some(0)),
      key
    )
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
    val one = new Case(asOf, Seq(0L -> Seq(event(5), event(6))))
    one.check(6)(one.state.values.keys.toSeq: _*)(
      Seq(Part(5, -1) -> None) -> "part 0 of the waiting events of pane 5 is missing. ",
      Seq(Part(5, -1) -> one(Part(6, -1))) -> elsewhere
    )
  }
}
