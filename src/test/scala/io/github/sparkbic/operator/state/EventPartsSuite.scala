package io.github.sparkbic.operator.state

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.types.{LongType, StructField, StructType}
import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.index.TimedEdge
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.operator.block.{EventRows, NameColumn, Names, PackedBlock}
import io.github.sparkbic.operator.question.AsOf

/** Events that wait in the layout `panes`: what a micro-batch writes and reads of them. */
class EventPartsSuite extends AnyFunSuite {
  private val columns = StructType(Seq("id", "vertex").map(StructField(_, LongType)))
  private val question = AsOf(strings = false, columns, 1, None, None, waits = true, Seq(0))

  // Panes of a millisecond.
  private val graph = new StoredGraph(
    StateShape("recency", Panes(4000, 1000), strings = false, Kept.Events, Seq("site")),
    inPanes = true,
    // Each micro-batch reads what the micro-batch before has written.
    CacheLimit(Some(0))
  )

  private def events(pane: Long, ids: Long*): PackedBlock = {
    val rows = new EventRows
    val project = UnsafeProjection.create(columns)
    ids.foreach(id => rows.add(project(InternalRow(id, 7L))))
    PackedBlock(pane, 0, null, null, events = rows.toColumn)
  }

  /** The ids of the events that are answered, and the state. */
  private def run(state: Held, watermark: Long)(blocks: PackedBlock*): (Seq[Long], Held) = {
    val (rows, after) = graph.run(question, state, watermark, blocks: _*)
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
    assert(run(third, 9)() == (Seq(6L), Held()))
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
    val (rows, _) = graph.run(question, header, 1, Names.numbered(3, Seq(TimedEdge(3, 1, 2))))
    val counted = rows.last.getAs[Array[Long]](rows.last.size - 1)
    assert(counted(Counters.All.indexOf("waiting_events")) == 4)
  }

  test("events of other columns than those that wait are refused when they come, though none is due") {
    val (_, state) = run(Held(), 0)(events(5, 1))
    val other = question.copy(columns = StructType(columns.reverse))
    assert(graph.refusal(other, state, 1, events(7, 2)).startsWith(
      "events with the columns struct<id:bigint,vertex:bigint> wait in it, but the events of the query have struct<vertex"
    ))
  }
}
