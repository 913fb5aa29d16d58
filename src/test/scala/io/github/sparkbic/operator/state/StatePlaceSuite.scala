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
    val place = new StatePlace("q", key(Seq(1, 2))).graph
    assert(new StatePlace("q", key(Vector(1, 2))).graph == place)
    assert(new StatePlace("q", key(scala.collection.mutable.ArrayBuffer(1, 2))).graph == place)
    assert(new StatePlace("q", Row(-0.0, 7)).graph == new StatePlace("q", Row(0.0, 7L)).graph)
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
      val (one, other) = (new StatePlace("q", key), new StatePlace("r", key))
      Seq(one.graph, one.kept, other.graph) ++ (for (pane <- -2L to 2L; part <- 0 to 2)
        yield one.part(pane, part))
    }
    // A number and its text may share a place, since the types of a query's keys never change.
    assert(places.distinct.size == places.size - 2 - 1 - 15)
  }

  test("the place of a key does not change from release to release") {
    assert(new StatePlace("", Row(0)).graph == new StatePlace("", Row(0L)).graph)
    assert(new StatePlace("91dc", Row(bytes("eu"), 7)).graph == -181134941)
  }
}
