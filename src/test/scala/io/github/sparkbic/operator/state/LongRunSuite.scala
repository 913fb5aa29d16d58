package io.github.sparkbic.operator.state

import org.apache.spark.sql.Row
import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.index.Indexes
import io.github.sparkbic.index.contract.{IndexSize, Panes}
import io.github.sparkbic.index.forests.PaneForestBuilder

/** What becomes of the state of a graph that never rests. */
class LongRunSuite extends AnyFunSuite {
  Indexes.names.foreach { name =>
    test(s"$name: with tumbling windows the counts of panes are forgotten, though an edge always waits") {
      val tumbling = StateShape(name, Panes(10, 10), strings = false)
      def add(state: ValueGraph, pane: Long): Unit = {
        val builder = new PaneForestBuilder()
        builder.add(1, 2)
        state.counts.add(pane, 1)
        state.pending.add(pane, builder.result())
      }
      var bytes = Array.empty[Byte]
      val sizes = (0L until 500L).map { pane =>
        val state = if (pane == 0) ValueGraph.create(tumbling, 7) else ValueGraph.restore(tumbling, 7, bytes)
        add(state, pane)
        // Pane `pane` is open yet, those before it are closed.
        val input = state.take(pane).buffered
        while (state.cursorToFeed().advance(input, pane)) {}
        bytes = state.toBytes
        bytes.length
      }
      assert(!ValueGraph.restore(tumbling, 7, bytes).counts.isCounted(0))
      assert(sizes.last <= sizes(20) + 8)
    }
  }

  test("a pane of very many parts, whose vertices sum up to more than an Int, can be read again") {
    val shape = StateShape("bic", Panes(4000, 1000), strings = false)
    val place = new StatePlace("", Row(0))
    val graph = PaneGraph.create(shape, place)
    val entry = Iterator.fill(3)(IndexSize(1 << 30, (1 << 30) - 1))
      .foldLeft(PaneEntry())((sum, part) => sum.plus(part, 1000))
    graph.counts.add(7, 5)
    graph.parts.panes.put(7L, entry)
    val restored = PaneGraph.restore(shape, place, graph.toHeader(new java.util.Random(1))).parts.panes
    assert(restored(7L).parts == 3 && restored(7L).vertices >= entry.vertices)
  }
}
