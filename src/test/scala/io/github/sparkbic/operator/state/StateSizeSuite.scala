package io.github.sparkbic.operator.state

import java.util.SplittableRandom

import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.index.Indexes
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.forests.PaneForestBuilder
import io.github.sparkbic.operator.block.PackedBlock

/** How many bytes of state a live link takes, in the middle of a long stream of random edges. */
class StateSizeSuite extends AnyFunSuite {
  private val Vertices = 20000
  private val EdgesPerPane = 4000
  private val PanesPerWindow = 20

  /** A state whose index has seen five windows and a half. */
  private def state(index: String, id: Int => Long): ValueGraph = {
    val shape = StateShape(index, Panes(PanesPerWindow.toLong, 1), strings = false)
    val random = new SplittableRandom(1)
    val state = new ValueGraph(shape, 7)
    val last = PanesPerWindow * 11 / 2
    (0 to last).foreach { pane =>
      val builder = new PaneForestBuilder()
      // Squares make some vertices busier than others.
      def vertex() = id((math.pow(random.nextDouble(), 2) * Vertices).toInt)
      (0 until EdgesPerPane).foreach(_ => builder.add(vertex(), vertex()))
      state.add(PackedBlock(pane.toLong, EdgesPerPane.toLong, builder.toBytes(), null))
    }
    val input = state.take(last.toLong + 1).buffered
    while (state.cursorToFeed().advance(input, last.toLong + 1)) {}
    state
  }

  private val scrambled: Int => Long = n => {
    val h = (n + 1) * 0x9e3779b97f4a7c15L
    (h ^ (h >>> 29)) * 0xbf58476d1ce4e5b9L
  }

  // A tenth above the sizes measured; all indexes have one saved form.
  private val targets = for {
    index <- Indexes.names
    (kind, id, target) <- Seq[(String, Int => Long, Double)](
      ("dense", n => n.toLong, 6.1),
      ("random", scrambled, 13.1)
    )
  } yield (index, kind, id, target)

  targets.foreach { case (index, kind, id, target) =>
    test(s"$index: at most $target bytes a live link where ids are $kind") {
      val saved = state(index, id)
      val bytes = saved.save().length
      val size = saved.indexSize
      val each = bytes.toDouble / size.links
      info(f"$bytes%,d bytes, ${size.vertices}%,d vertices, ${size.links}%,d links: $each%.1f a link")
      assert(size.vertices > Vertices / 2 && each <= target)
    }
  }
}
