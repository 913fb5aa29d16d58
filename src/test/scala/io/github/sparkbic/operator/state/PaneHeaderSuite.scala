package io.github.sparkbic.operator.state

import java.util.Random

import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.format.CorruptStateException

/** The header of a graph that is kept pane by pane. */
class PaneHeaderSuite extends AnyFunSuite {
  private val random = new Random(1)

  private def shapeOf(panes: Int) = StateShape("bic", Panes(panes * 1000L, 1000L), strings = false)

  test("a header of integral ids is refused by a query of strings") {
    val shape = shapeOf(4)
    val saved = PaneHeader.create().save(shape, 7, random)
    val refusal = intercept[CorruptStateException](PaneHeader.restore(shape.copy(strings = true), 7, saved))
    assert(refusal.getMessage == "its vertex ids are integral, those of the query are not")
  }

  test("no header is that of another state, though all that it tells is the same") {
    val shape = shapeOf(1)
    val header = PaneHeader.create()
    assert(header.save(shape, 7, random).toSeq != header.save(shape, 7, random).toSeq)
  }
}
