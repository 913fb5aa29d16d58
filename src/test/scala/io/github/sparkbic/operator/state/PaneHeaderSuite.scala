package io.github.sparkbic.operator.state

import java.util.Random

import org.apache.spark.sql.Row
import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.format.CorruptStateException

/** The header of a graph that is kept pane by pane. */
class PaneHeaderSuite extends AnyFunSuite {
  private val random = new Random(1)

  private def shapeOf(panes: Int) = StateShape("bic", Panes(panes * 1000L, 1000L), strings = false)

  private val place = new StatePlace("", Row(0))

  test("a header of integral ids is refused by a query of strings") {
    val shape = shapeOf(4)
    val saved = PaneGraph.create(shape, place).toHeader(random)
    val refusal =
      intercept[CorruptStateException](PaneGraph.restore(shape.copy(strings = true), place, saved))
    assert(refusal.getMessage == "its vertex ids are integral, those of the query are not")
  }

  test("no header is that of another state, though all that it tells is the same") {
    val graph = PaneGraph.create(shapeOf(1), place)
    assert(graph.toHeader(random).toSeq != graph.toHeader(random).toSeq)
  }
}
