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

  /** The pairs that the graph is asked for. */
  def pairs: Seq[(Long, Long)]

  def show(vertex: Long): String

  /** The micro-batch in which windows with this end close. */
  def due(end: Long): Option[Int]

  def add(batch: Int, start: Long, end: Long, values: Seq[String]): Unit

  /** Adds a row to the micro-batch in which the window closes. */
  final def close(start: Long, end: Long, values: Seq[String]): Unit =
    due(end).foreach(add(_, start, end, values))

  final def edgesOf(start: Long, end: Long): Seq[Come] =
    edges.filter(come => come.edge.time >= start && come.edge.time < end)

  final def named(stable: Boolean): Seq[Named] =
    if (stable) NamesOracle.stable(stream) else NamesOracle.smallest(stream)
}
