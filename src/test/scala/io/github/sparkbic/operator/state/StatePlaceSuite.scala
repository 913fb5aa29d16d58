package io.github.sparkbic.operator.state

import java.math.{BigDecimal => JBigDecimal}
import java.time.{Instant, LocalDate}

import org.apache.spark.sql.Row
import org.scalatest.funsuite.AnyFunSuite

/** The place of a value: the same for equal keys in every JVM, and another one for all else. */
class StatePlaceSuite extends AnyFunSuite {
  private def bytes(text: String) = text.getBytes("UTF-8")

  test("equal keys have one place, as other objects and other collections too") {
    def key(items: collection.Seq[Any]) = Row(bytes("eu"), 7, Row(items, 1.5), null, LocalDate.of(2026, 1, 2))
    val place = StatePlace.graph("q", key(Seq(1, 2)))
    assert(StatePlace.graph("q", key(Vector(1, 2))) == place)
    assert(StatePlace.graph("q", key(scala.collection.mutable.ArrayBuffer(1, 2))) == place)
    assert(StatePlace.graph("q", Row(-0.0, 7)) == StatePlace.graph("q", Row(0.0, 7L)))
  }

  test("graphs, queries, panes, parts and what is kept beside them have places of their own") {
    val keys = Seq(
      Row(0),
      Row(1),
      Row(bytes("1")),
      Row(bytes("a"), bytes("b")),
      Row(Row(bytes("a"), bytes("b"))),
      Row(bytes("ab")),
      Row(new JBigDecimal("1.50")),
      Row(Instant.EPOCH),
      Row(null)
    )
    val places = keys.flatMap { key =>
      val (one, other) = (StatePlace.graph("q", key), StatePlace.graph("r", key))
      Seq(one, StatePlace.Beside.hash(one), other) ++ (for (pane <- -2L to 2L; part <- 0 to 2)
        yield StatePlace.Part(pane, part).hash(one))
    }
    // A number and its text may share a place, since the types of a query's keys never change.
    assert(places.distinct.size == places.size - 2 - 1 - 15)
  }

  test("the place of a key does not change from release to release") {
    assert(StatePlace.graph("", Row(0)) == StatePlace.graph("", Row(0L)))
    assert(StatePlace.graph("91dc", Row(bytes("eu"), 7)) == -181134941)
  }
}
