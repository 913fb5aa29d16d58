package io.github.sparkbic.operator.state

import org.apache.spark.sql.Row
import org.apache.spark.sql.bic.StorageMemory
import org.apache.spark.sql.streaming.TestGroupState
import org.apache.spark.util.SizeEstimator
import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.index.{TestEdges, TimedEdge}
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.forests.EdgeSets
import io.github.sparkbic.index.format.CorruptStateException
import io.github.sparkbic.index.format.StateLayout.{LeastWithToken, TokenSize}
import io.github.sparkbic.operator.WindowOperator
import io.github.sparkbic.operator.block.{Names, PackedBlock}
import io.github.sparkbic.operator.question.ComponentStats

/** What the cache keeps. The simulator shows that a graph is given to whom it belongs, once. */
class LiveGraphsSuite extends AnyFunSuite {
  import LiveGraphsSuite._

  private val Plenty = 1000L

  private def slot(graph: Int) = LiveGraphs.Slot(("query", "operator"), Seq(graph))

  private val graph =
    (0 to 11).map(_ => new ValueGraph(StateShape("recency", Panes(4, 1), strings = false), 7))

  private def stamp(bytes: Int*): Array[Byte] = bytes.map(_.toByte).toArray

  test("entries take no more than the memory that is granted, and go when it is taken back") {
    val memory = new Steps(10)
    val live = new LiveGraphs(memory.of)
    memory.free = 3
    (1 to 4).foreach(n => live.put(slot(n), stamp(n), graph(n), 9, Plenty))
    assert(live.size == (3, 27) && memory.held == 30)
    assert(live.take(slot(1), stamp(1)).isEmpty && live.take(slot(2), stamp(2)).contains(graph(2)))
    memory.takeBack()
    assert(live.size == (2, 18) && memory.held == 20)
    memory.takeBack()
    assert(live.size == (1, 9) && live.take(slot(3), stamp(3)).isEmpty)
    live.put(slot(5), stamp(5), graph(5), 11, Plenty)
    assert(live.size == (1, 9), "a graph larger than all memory is not kept, and no other goes for it")
    memory.free = 3
    live.put(slot(6), stamp(6), graph(6), 40, Plenty)
    assert(live.size == (1, 9) && memory.held == 10, "too little for a graph, so none is held for it")
    live.put(slot(7), stamp(7), graph(7), 31, Plenty)
    assert(live.size == (2, 40) && memory.held == 40)
  }

  test("a limit bounds the graphs of its own query, and the memory the least recently used of all") {
    val memory = new Steps(10)
    memory.free = 7
    val live = new LiveGraphs(memory.of)
    def of(query: String, graph: Int) = LiveGraphs.Slot((query, "operator"), Seq(graph))
    (1 to 3).foreach(n => live.put(of("large", n), stamp(n), graph(n), 10, Plenty))
    (1 to 4).foreach(n => live.put(of("small", n), stamp(n), graph(n), 10, 20))
    assert(live.size == (5, 50))
    assert(live.take(of("small", 2), stamp(2)).isEmpty)
    assert(live.take(of("large", 1), stamp(1)).contains(graph(1)))
    live.put(of("large", 1), stamp(1), graph(10), 5, Plenty)
    live.put(of("large", 1), stamp(1), graph(11), 10, Plenty)
    live.put(of("none", 1), stamp(1), graph(1), 10, 0)
    live.put(LiveGraphs.Slot(("small", "other operator"), Seq(1)), stamp(1), graph(1), 20, 20)
    assert(live.size == (6, 70))
    memory.takeBack()
    memory.takeBack()
    assert(live.size == (4, 50) && live.take(of("large", 2), stamp(2)).isEmpty)
    assert((3 to 4).forall(n => live.take(of("small", n), stamp(n)).contains(graph(n))))
    assert(live.take(of("large", 1), stamp(1)).contains(graph(11)))
  }

  test("a live graph holds none of the bytes of its state, and counts as what it takes") {
    val shape = StateShape("recency", Panes(4, 1), strings = false)
    val state = new ValueGraph(shape, 7)
    state.begin(new Values)
    val forest = TestEdges.forest((0L until 50000L).map(v => TimedEdge(0, v * 1000003, v / 2 * 1000003)))
    state.add(PackedBlock(0, 50000, EdgeSets.toBytes(forest), null))
    StoredGraph.close(state, 1)
    val value = state.save()
    val during = SizeEstimator.estimate(state)
    state.end()
    assert(SizeEstimator.estimate(state) <= during - value.length)

    val stamp = ValueGraph.stampOf(value)
    val both = SizeEstimator.estimate(Array[AnyRef](state, stamp))
    val live = new UnboundedGraphs
    live.put(slot(1), stamp, state, LiveGraphs.bytesOf(state, stamp, value.length.toLong), limit = both)
    assert(live.size == (1, both))
  }

  test("damage of a large value is told while the graph is alive, too") {
    val shape = StateShape("bic", Panes(10000L, 5000L), strings = false)
    val edges = Names.numbered(0, (0L until 2000L).map(v => TimedEdge(0, v * 1000003, v)))
    for (at <- Seq(20, 2000, LeastWithToken)) {
      val stores = new GraphStores(shape, CacheLimit(Some(1L << 30), minBytes = 0))
      val live = new UnboundedGraphs
      def storeOf(state: TestGroupState[Array[Byte]]) = stores.ofValue(Row("a"), state, live)
      val state = StoredGraph.groupState(None, watermark = 1, isDue = false)
      new WindowOperator(shape, new ComponentStats(sizes = false))
        .stream(Row("a"), Iterator(edges), storeOf(state)).toList
      val bytes = state.get
      assert(bytes.length > LeastWithToken + TokenSize)
      bytes(at) = (bytes(at) ^ 4).toByte
      val store = storeOf(StoredGraph.groupState(Some(bytes), watermark = 2, isDue = false))
      assert(store.restoredBytes.isEmpty, "the graph is alive")
      // Its token says nothing of the other bytes.
      assert(intercept[CorruptStateException](store.graph).getMessage == "its checksum is wrong")
    }
  }
}

object LiveGraphsSuite {

  /** Memory that is granted, and taken back, in steps. */
  private final class Steps(step: Long) extends StorageMemory(step, () => ()) {
    private var taken: () => Unit = _
    private var steps = 0
    var free = 0

    def of(onTaken: () => Unit): StorageMemory = {
      taken = onTaken
      this
    }

    override def held: Long = steps * step

    override def grow(bytes: Long): Unit = {
      val wanted = ((bytes + step - 1) / step).toInt
      if (wanted <= free) {
        free -= wanted
        steps += wanted
      }
    }

    def takeBack(): Unit = {
      steps -= 1
      taken()
    }
  }
}
