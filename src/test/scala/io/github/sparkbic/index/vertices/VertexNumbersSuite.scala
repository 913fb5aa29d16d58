package io.github.sparkbic.index.vertices

import java.lang.management.ManagementFactory

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.index.contract.IndexConfig
import io.github.sparkbic.index.kernels.LongInterner

/** The cost of numbers; the suites of the law show that a vertex keeps its number as long as it is held. */
class VertexNumbersSuite extends AnyFunSuite {
  private val config = IndexConfig(seed = 11, smallestDense = 256, smallestSparse = 1 << 20)

  /** Enters ids 0, 1, 2 … as `idOf` makes them, so many a pane; the vertices of the last `perWindow` panes are held. */
  private def enterRising(panes: Int, perPane: Int, perWindow: Int)(idOf: Long => Long): VertexNumbers = {
    val vertices = new VertexNumbers(config)
    for (pane <- 0 until panes) {
      vertices.firstPane = pane - perWindow + 1
      (0 until perPane).grouped(128).foreach { some =>
        val ids = some.map(i => idOf(pane.toLong * perPane + i)).toArray
        vertices.enterAll(ids, 0, ids.length, pane, new Array[Int](ids.length))
      }
    }
    vertices
  }

  /** Were all numbers passed for each new vertex, or the map rebuilt, it would take from ten seconds to an hour. */
  private def inTime[T](body: => T): T = {
    def seconds = ManagementFactory.getThreadMXBean.getCurrentThreadCpuTime / 1e9
    val start = seconds
    val result = body
    assert(seconds - start < 5)
    result
  }

  private val kinds = Seq[(String, Long => Long)](
    "dense" -> (n => n),
    "every fourth" -> (n => 4 * n),
    "scattered" -> (n => n * 0x9e3779b97f4a7c15L)
  )

  for ((kind, idOf) <- kinds; perWindow <- Seq(1, 20, 200))
    test(s"$kind ids that rise with time: no quadratic rebuilds and sweeps in windows of $perWindow panes") {
      val vertices = inTime(enterRising(250, 4000, perWindow)(idOf))
      assert(vertices.top <= 1.3 * perWindow * 4000 + 500, "numbers of expired vertices are not used again")
    }

  test("few vertices a pane, far below the high-water mark, do not sweep all numbers each time") {
    val vertices = enterRising(1, 50000, 1)(identity)
    inTime {
      for (pane <- 1 to 1000000) {
        vertices.firstPane = pane
        vertices.enterAll(Array(pane * 1000003L), 0, 1, pane, new Array[Int](1))
      }
    }
    assert(vertices.top <= 57000)
  }

  test("an array that ids were dense enough for while the first window fills is kept as they grow") {
    // Every sixth id: fewer than an array is chosen for once vertices have expired.
    val vertices = new VertexNumbers(IndexConfig(seed = 1, smallestDense = 256))
    var arrays = 0
    (1 to 20).foreach { pane =>
      val ids = Array.tabulate(1000)(i => 6L * (1000 * pane + i))
      ids.grouped(100).foreach(some => vertices.enterAll(some, 0, some.length, pane, new Array[Int](100)))
      vertices.review()
      if (vertices.map.range.length > 0) arrays += 1
    }
    assert(arrays == 20, "panes after which there was an array")
  }

  test("ids that have become dense since the table last grew get an array, which takes half the time") {
    // The table grows at 6,144 ids, too few for an array, and next at 12,288.
    val ids = new Random(1).shuffle((0L until 65536L).toVector).take(12000).toArray
    val vertices = new VertexNumbers(IndexConfig(seed = 1, smallestDense = 256))
    ids.grouped(100).foreach(some => vertices.enterAll(some, 0, some.length, 1, new Array[Int](100)))
    assert(vertices.map.range.length > 0)
  }

  test("ids that are counted up make the array longer, and need no table") {
    val vertices = new VertexNumbers(config)
    (0L until 40000L).grouped(100).foreach { some =>
      vertices.enterAll(some.toArray, 0, some.length, 1, new Array[Int](100))
      if (some.head >= 10000)
        assert(vertices.map.table.size == 0 && vertices.map.range.offsetOf(some.last) >= 0)
    }
    assert((0L until 40000L).map(vertices.find(_, 1)).distinct.size == 40000)
    // Far above the range, and below.
    vertices.enterAll(Array(1L << 40, -1L), 0, 2, 1, new Array[Int](2))
    assert((0L until 40000L).concat(Seq(1L << 40, -1L)).map(vertices.find(_, 1)).distinct.size == 40002)
  }

  test("a vertex takes at most 27 bytes of an interner, however many there are") {
    val interner = new LongInterner
    (1 to 20000).foreach { id =>
      interner.intern(id.toLong)
      assert(interner.bytes <= 27L * id + 168)
    }
  }
}
