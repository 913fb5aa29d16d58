package io.github.sparkbic.operator.state

import java.lang.ref.WeakReference

import org.apache.spark.sql.bic.CacheMemory
import org.apache.spark.util.SizeEstimator
import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.forests.PaneForestBuilder

/** What the cache keeps, and for whom. */
class LiveGraphsSuite extends AnyFunSuite {
  import LiveGraphsSuite._

  private val Plenty = 1000L

  private def slot(graph: Int) = LiveGraphs.Slot("query", "operator", Seq(graph))

  private def stamp(bytes: Int*): Array[Byte] = bytes.map(_.toByte).toArray

  test("an entry is for whoever shows its stamp, and only once") {
    val live = new UnboundedGraphs[String]
    live.put(slot(1), stamp(1, 2), "one", 10, Plenty)
    live.put(slot(2), stamp(1, 2), "two", 10, Plenty)
    assert(live.size == (2, 20))
    assert(live.take(slot(3), stamp(1, 2)).isEmpty)
    assert(live.take(slot(1), stamp(1, 2)).contains("one"))
    assert(live.take(slot(1), stamp(1, 2)).isEmpty)
    assert(live.size == (1, 10))
  }

  test("an entry whose stamp the store does not hold is dropped") {
    val live = new UnboundedGraphs[String]
    live.put(slot(1), stamp(1, 2), "one", 10, Plenty)
    assert(live.take(slot(1), stamp(1, 3)).isEmpty)
    assert(live.take(slot(1), stamp(1, 2)).isEmpty)
    assert(live.size == (0, 0))
  }

  test("the entry put last replaces the one before") {
    val live = new UnboundedGraphs[String]
    live.put(slot(1), stamp(1), "old", 10, Plenty)
    live.put(slot(1), stamp(2), "new", 30, Plenty)
    assert(live.size == (1, 30))
    assert(live.take(slot(1), stamp(2)).contains("new"))
  }

  test("beyond the limit the least recently used entries go, and an entry larger than it is not kept") {
    val live = new UnboundedGraphs[String]
    (1 to 4).foreach(n => live.put(slot(n), stamp(n), s"$n", 10, 40))
    assert(live.take(slot(1), stamp(1)).contains("1"))
    live.put(slot(1), stamp(5), "1 again", 10, 40)
    live.put(slot(5), stamp(5), "5", 20, 40)
    assert(live.size == (3, 40))
    assert(live.take(slot(2), stamp(2)).isEmpty && live.take(slot(3), stamp(3)).isEmpty)
    live.put(slot(6), stamp(6), "6", 41, 40)
    assert(live.take(slot(6), stamp(6)).isEmpty)
    assert(live.take(slot(1), stamp(5)).contains("1 again"))
    assert(live.take(slot(4), stamp(4)).contains("4") && live.take(slot(5), stamp(5)).contains("5"))
    live.put(slot(7), stamp(7), "7", 1, 0)
    assert(live.size == (0, 0))
  }

  test("entries take no more than the memory that is granted, and go when it is taken back") {
    val memory = new Steps(10)
    val live = new LiveGraphs[String](memory.of)
    memory.free = 3
    (1 to 4).foreach(n => live.put(slot(n), stamp(n), s"$n", 9, Plenty))
    assert(live.size == (3, 27) && memory.held == 30)
    assert(live.take(slot(1), stamp(1)).isEmpty && live.take(slot(2), stamp(2)).contains("2"))
    memory.takeBack()
    assert(live.size == (2, 18) && memory.held == 20)
    memory.takeBack()
    assert(live.size == (1, 9) && live.take(slot(3), stamp(3)).isEmpty)
    live.put(slot(5), stamp(5), "5", 11, Plenty)
    assert(live.size == (1, 9), "a graph larger than all memory is not kept, and no other goes for it")
    memory.free = 3
    live.put(slot(6), stamp(6), "6", 40, Plenty)
    assert(
      live.size == (1, 9) && memory.held == 10,
      "no memory is held for a graph that it is too little for"
    )
    live.put(slot(7), stamp(7), "7", 31, Plenty)
    assert(live.size == (2, 40) && memory.held == 40)
  }

  test(
    "a limit bounds the graphs of its own query, and the memory those of all, the least recently used first"
  ) {
    val memory = new Steps(10)
    memory.free = 7
    val live = new LiveGraphs[String](memory.of)
    def of(query: String, graph: Int) = LiveGraphs.Slot(query, "operator", Seq(graph))
    (1 to 3).foreach(n => live.put(of("large", n), stamp(n), s"$n", 10, Plenty))
    (1 to 4).foreach(n => live.put(of("small", n), stamp(n), s"$n", 10, 20))
    assert(live.size == (5, 50))
    assert(live.take(of("small", 2), stamp(2)).isEmpty && live.take(of("large", 1), stamp(1)).contains("1"))
    live.put(of("large", 1), stamp(1), "1 again", 10, Plenty)
    live.put(of("none", 1), stamp(1), "1", 10, 0)
    live.put(LiveGraphs.Slot("small", "other operator", Seq(1)), stamp(1), "1", 20, 20)
    assert(live.size == (6, 70))
    memory.takeBack()
    memory.takeBack()
    assert(live.size == (4, 50) && live.take(of("large", 2), stamp(2)).isEmpty)
    assert((3 to 4).forall(n => live.take(of("small", n), stamp(n)).contains(s"$n")))
    assert(live.take(of("large", 1), stamp(1)).contains("1 again"))
  }

  test("what the JVM clears is gone with its stamp, and counts no more") {
    val live = new UnboundedGraphs[String]
    val stamps = (1 to 3).map { n =>
      val own = stamp(n)
      live.put(slot(n), own, s"$n", 10, Plenty)
      new WeakReference(own)
    }
    assert(live.size == (3, 30))
    live.clear()
    assert(live.take(slot(1), stamp(1)).isEmpty)
    live.put(slot(2), stamp(9), "2 again", 5, Plenty)
    assert(live.size == (1, 5))
    assert(live.take(slot(2), stamp(9)).contains("2 again"))
    System.gc()
    assert(stamps.forall(_.get == null))
  }

  test("a graph that holds the bytes of its stamp is kept within what the two of them take") {
    val shape = StateShape("recency", Panes(4, 1), strings = false)
    val state = ValueGraph.create(shape, 7)
    val builder = new PaneForestBuilder()
    (0L until 50000L).foreach(v => builder.add(v * 1000003, v / 2 * 1000003))
    state.counts.add(0, 50000)
    state.pending.add(0, builder.result())
    val input = state.take(1).buffered
    while (state.cursorToFeed().advance(input, 1)) {}
    val value = state.toBytes
    val both = SizeEstimator.estimate(Array[AnyRef](state, value))
    assert(both < SizeEstimator.estimate(state) + value.length / 2, "the graph holds these bytes")

    val limit = CacheLimit(Some(both), minBytes = 0)
    val live = new UnboundedGraphs[StreamedGraph]
    class Store extends GraphStore[ValueGraph](slot(1), Some(value), limit, live) {
      override def watermarkMillis: Long = 0
      override protected def restored(): ValueGraph = state
      override def save(changed: Boolean, counters: Counters): Unit =
        keep(value, value.length.toLong, counters)
    }
    new Store().save(changed = true, new Counters)
    assert(new Store().restoredBytes.isEmpty)
  }
}

object LiveGraphsSuite {

  /** Memory that is granted, and taken back, in steps. */
  private final class Steps(step: Long) extends CacheMemory {
    private var taken: () => Unit = _
    private var steps = 0
    var free = 0

    def of(onTaken: () => Unit): CacheMemory = {
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
