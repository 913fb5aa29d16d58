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
}
