package io.github.sparkbic.index.vertices

import org.scalatest.funsuite.AnyFunSuite

class PaidSweepSuite extends AnyFunSuite {

  for ((vertices, price) <- Seq(1 -> 64 * 8, 1000 -> 0))
    test(s"a table of $vertices vertices is swept once all of the last one is paid for, and not before") {
      val keys = new VertexKeys(7919L)
      val directory = new VertexDirectory
      var gone = 0
      val noted = new VertexSweep {
        override def expired(node: Int): Unit = gone += 1
      }
      val sweep = new PaidSweep(directory, noted)
      var added = 0
      def add(pane: Int): Unit = {
        val key = keys.keyOf(added.toLong)
        assert(directory.touchNewest(key, pane) < 0)
        directory.add(key, added, pane)
        added += 1
      }
      (0 until vertices).foreach(_ => add(1))
      add(0)
      // A single table, every sweep of which ends a pass.
      val places = -directory.sweep(0, noted)
      assert(places > vertices && gone == 0)
      val costs = if (price > 0) price else places * 8
      assert(costs >= 64 * 8)

      sweep.sweep(1)
      assert(gone == 0, "nothing was paid")
      sweep.pay(1)
      sweep.sweep(1)
      assert(gone == 1)
      add(0)
      sweep.pay(costs - 1)
      sweep.sweep(1)
      assert(gone == 1, "the last table was not paid for")
      sweep.pay(1)
      sweep.sweep(1)
      assert(gone == 2)
    }
}
