package io.github.sparkbic.index

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.index.TestEdges.SingleEdges
import io.github.sparkbic.index.contract.{IndexConfig, Panes, WindowComponents}

/** The costs of an index follow its window, and neither the most that a window ever held nor the square of a path. */
class BurstSuite extends AnyFunSuite {
  private val vertices = 5000

  // Components and contractions visit all numbers.
  for (name <- Indexes.names; isDense <- Seq(false, true); perWindow <- Seq(1, 3, 10))
    test(s"$name: many ids, dense $isDense, are forgotten, in windows of $perWindow panes") {
      val random = new Random(perWindow)
      val ids = Array.tabulate(vertices)(i => if (isDense) i.toLong else random.nextLong())
      val config = IndexConfig(seed = perWindow.toLong, smallestDense = 512, smallestSparse = 512)
      val index = Indexes.create(name, Panes(perWindow.toLong, 1), config)
      def numbers = Answers.numbers(index)
      val last = 6L * perWindow + 20
      var wasDense = false
      for (pane <- 0L to last) {
        // Very many vertices in the panes of one window, and one edge a pane after it.
        if (pane < perWindow)
          (1 until vertices).foreach(i => index.insert(pane, ids(i), ids(random.nextInt(i))))
        index.insert(pane, pane * 7919, pane * 7919 + 1)
        index.closePane(pane)
        wasDense |= numbers.map.range.length > 0
        assert(Answers.violation(index).isEmpty)
        val isHeld = pane < 2 * perWindow - 1
        assert(index.connected(pane - perWindow + 1, ids(1), ids(vertices - 1)) == isHeld)
        if (pane >= 4 * perWindow) assert(numbers.top <= config.smallestSparse, s"after pane $pane")
      }
      assert(wasDense == isDense)
      val u = last * 7919
      assert(Answers.components(index, last - perWindow + 1).filter(_._1 >= u) == Map(u -> u, u + 1 -> u))
      assert(numbers.map.range.length == 0 && numbers.map.table.capacity <= 16 * config.smallestSparse)
    }

  test("the work for components grows with the length of a path, not with its square") {
    // Were each vertex to climb to the root, a run would take hours.
    val length = 2000000
    val parents = Array.tabulate(length + 1)(place => if (place == 0) 0 else math.min(length, place + 1))
    for (threads <- Seq(1, 3); places <- Seq(null, Array(3, 3, 0, length - 1))) {
      val found = WindowComponents(parents.clone(), _ => fail("no vertex is read"), threads, places)
      assert(found.largest == length && found.components == 1)
    }
  }
}
