package io.github.sparkbic.index.recency

import scala.collection.compat._

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic.index.{Oracle, Streams, TestEdges, TimedEdge}
import io.github.sparkbic.index.Streams.{configAsDrawn, shrinkStream}
import io.github.sparkbic.index.TestEdges.SingleEdges
import io.github.sparkbic.index.contract.Panes

/** From when on edges connect a pair, and copies of an index, beside a search from scratch over all starts. */
class SuffixSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 150)

  /** The latest pane from which on these edges, each with its pane, connect the pair. */
  private def since(edges: Seq[(Long, TimedEdge)], source: Long, target: Long): Long =
    edges.map(_._1).distinct.sorted(Ordering[Long].reverse).find { first =>
      Oracle.connected(Oracle.components(edges.filter(_._1 >= first).map(_._2)), source, target)
    }.getOrElse(RecencyIndex.Never)

  private def check(index: RecencyIndex, panes: Panes, edges: Seq[(Long, TimedEdge)]): Unit = {
    assert(RecencyProbe.violation(index).isEmpty)
    val newest = edges.map(_._1).maxOption.getOrElse(0L)
    val held = edges.filter(_._1 > newest - panes.perWindow)
    val vertices = edges.takeRight(12).flatMap(e => Seq(e._2.src, e._2.dst)).distinct.take(6) :+ 424242L
    for (source <- vertices; target <- vertices)
      assert(index.connectedSince(source, target) == since(held, source, target), s"$source – $target")
    val places = vertices.map(index.placeOf).toArray
    held.map(_._1).distinct.foreach { start =>
      val wanted = Oracle.components(held.filter(_._1 >= start).map(_._2))
      val found = index.components(start, places)
      val smallest = found.smallest
      vertices.zip(places).foreach { case (vertex, place) =>
        val component = found.componentOf(place)
        assert((if (component < 0) None else Some(smallest(component))) == wanted.get(vertex))
      }
    }
  }

  private def feed(index: RecencyIndex, panes: Panes, edges: Seq[TimedEdge], kind: Long): Unit =
    edges.groupBy(e => panes.paneOf(e.time)).toSeq.sortBy(_._1).foreach { case (pane, ofPane) =>
      if (kind % 2 == 0) ofPane.foreach(e => index.insert(pane, e.src, e.dst))
      else index.insert(pane, TestEdges.any(kind, ofPane))
    }

  test("a copy goes on by itself, and both know from when on edges connect a pair") {
    forAll(
      Gen.oneOf(Streams.stream, Streams.phases),
      Streams.config,
      Gen.choose(0.0, 1.0),
      Gen.choose(0L, 7L)
    ) {
      (stream, config, cut, kind) =>
        val panes = stream.panes
        val index = RecencyIndex(panes.perWindow, config)
        // Cut between two panes.
        val time = stream.sorted.drop((stream.edges.size * cut).toInt).headOption.fold(Long.MaxValue)(_.time)
        val (before, after) = stream.sorted.partition(e => panes.paneOf(e.time) < panes.paneOf(time))
        def paned(edges: Seq[TimedEdge]) = edges.map(e => panes.paneOf(e.time) -> e)
        feed(index, panes, before, kind)
        val copy = index.copy
        check(copy, panes, paned(before))
        feed(copy, panes, after, kind + 1)
        check(copy, panes, paned(before ++ after))
        check(index, panes, paned(before))
        val other = after.map(e => e.copy(src = e.dst ^ 1))
        feed(index, panes, other, kind)
        check(index, panes, paned(before ++ other))
        check(copy, panes, paned(before ++ after))
    }
  }
}
