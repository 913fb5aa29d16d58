package io.github.sparkbic.operator.question

import io.github.sparkbic.index.{NamesOracle, Stream, TimedEdge}
import io.github.sparkbic.index.NamesOracle.Named

/** An edge in time, the micro-batch in which it comes, and how often. */
final case class Come(batch: Int, edge: TimedEdge, times: Int)

/** One graph from scratch, with windows of one length: what a question makes its rows of, and where it tells them. */
trait ScratchGraph {
  def edges: Seq[Come]
  def stream: Stream

  /** Each window with an edge: start, end, and the smallest vertex of the component of each vertex. */
  def windows: Seq[(Long, Long, Map[Long, Long])]

  /** The pairs that the graph is asked for in a micro-batch. */
  def pairsIn(batch: Int): Seq[(Long, Long)]

  def show(vertex: Long): String

  /** The micro-batch in which windows with this end close. */
  def due(end: Long): Option[Int]

  def add(batch: Int, start: Long, end: Long, values: Seq[String]): Unit

  /** Adds a row to the micro-batch in which the window closes. */
  final def close(start: Long, end: Long, values: Seq[String]): Unit =
    due(end).foreach(add(_, start, end, values))

  final def edgesOf(start: Long, end: Long): Seq[Come] =
    edges.filter(come => come.edge.time >= start && come.edge.time < end)

  /** Where rows come early: the micro-batches with edges of the graph while a window is open, each with the window's edges
    * until then.
    */
  final def whileOpen(start: Long, end: Long): Seq[(Int, Seq[TimedEdge])] = {
    val inWindow = edgesOf(start, end)
    edges.map(_.batch).distinct.sorted.filter(batch => due(end).forall(batch < _)).map { batch =>
      batch -> inWindow.filter(_.batch <= batch).map(_.edge)
    }.filter(_._2.nonEmpty)
  }

  final def named(stable: Boolean): Seq[Named] =
    if (stable) NamesOracle.stable(stream) else NamesOracle.smallest(stream)
}
