package io.github.sparkbic.index.vertices

import org.scalatest.funsuite.AnyFunSuite

class VertexNumbersSuite extends AnyFunSuite {

  private def enter(vertices: VertexNumbers, ids: Seq[Long], pane: Int): Unit =
    ids.grouped(128).foreach { some =>
      val keys = some.map(vertices.keys.keyOf).toArray
      vertices.enterAll(keys, keys.length, pane, new Array[Int](keys.length))
    }

  for (peak <- Seq(100, 20000, 300000); stay <- Seq(6, 60, 600))
    test(
      s"$peak vertices become $stay: renumbered, they have the numbers from zero on, and the old ones lead there"
    ) {
      (1 to 5).foreach { seed =>
        val vertices = new VertexNumbers(new VertexKeys(seed * 7919L))
        enter(vertices, (0L until peak.toLong).filter(_ >= stay), 0)
        val staying = (0L until stay.toLong)
        enter(vertices, staying, 10)
        // A pass that is under way has left some behind.
        vertices.sweepAsPaid(0)
        vertices.floor = 10
        val before = staying.map(vertices.find(_, 10))
        val moved = vertices.renumber()
        val after = staying.map(vertices.find(_, 10))
        assert(vertices.size == stay && vertices.top == stay)
        assert(after.sorted == (0 until stay))
        assert(before.map(moved(_)) == after)
        assert(moved.count(_ >= 0) == stay)
      }
    }

  for (count <- Seq(5000, 200000)) test(s"the tables of $count vertices that are gone become few and small") {
    val keys = new VertexKeys(7919L)
    val directory = new VertexDirectory
    val noted = new VertexSweep {
      override def expired(node: Int): Unit = ()
    }

    /** Sweeps all tables, and counts their places. */
    def places(floor: Int): Int = {
      val swept = Iterator.continually(directory.sweep(floor, noted))
      swept.scanLeft((0, true)) { case ((sum, _), places) => (sum + math.abs(places), places > 0) }
        .find(!_._2).get._1
    }
    (0 until count).foreach { i =>
      val key = keys.keyOf(i.toLong)
      assert(directory.touchNewest(key, 0) < 0)
      directory.add(key, i, 0)
    }
    assert(places(0) > count && directory.size == count)
    // Each pass merges tables that are side by side.
    (1 to 10).foreach(places(_))
    assert(directory.size == 0 && places(10) <= 64)
  }
}
