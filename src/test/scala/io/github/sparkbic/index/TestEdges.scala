package io.github.sparkbic.index

import scala.collection.mutable.ArrayBuffer

import io.github.sparkbic.index.contract.{ConnectivityIndex, EdgeSet, EdgeSink}
import io.github.sparkbic.index.forests.{EdgeSets, LooseEdges, PaneForest, PaneForestBuilder}
import io.github.sparkbic.index.format.BinaryWriter

/** Edges in the forms in which they come from an input task, and back. */
object TestEdges {

  def forest(edges: Iterable[TimedEdge]): PaneForest = {
    val builder = new PaneForestBuilder()
    edges.foreach(e => builder.add(e.src, e.dst))
    builder.result()
  }

  def loose(edges: Iterable[TimedEdge]): LooseEdges = {
    val ends = edges.flatMap(e => Seq(e.src, e.dst)).toArray
    LooseEdges.of(ends, ends.length)
  }

  /** One form or another, by a number: a forest, loose edges, or either of them as it is read from bytes. */
  def any(number: Long, edges: Iterable[TimedEdge]): EdgeSet = number & 3 match {
    case 0 => forest(edges)
    case 1 => loose(edges)
    case 2 => EdgeSets.fromBytes(EdgeSets.toBytes(forest(edges)))
    case _ => EdgeSets.fromBytes(EdgeSets.toBytes(loose(edges)))
  }

  /** Feeds an index single edges: each is a set of its own. */
  implicit final class SingleEdges(private val index: ConnectivityIndex) extends AnyVal {
    def insert(pane: Long, src: Long, dst: Long): Unit = index.insert(pane, new Single(src, dst))
  }

  private final class Single(src: Long, dst: Long) extends EdgeSet {
    override def size: Int = 2
    override def links: Int = 1
    override def feed(sink: EdgeSink): Unit = sink.addEdges(Array(src, dst), 2)
    override def renumbered(numbers: Array[Long]): EdgeSet =
      new Single(numbers(src.toInt), numbers(dst.toInt))
    override def save(out: BinaryWriter): Unit = loose(Seq(TimedEdge(0, src, dst))).save(out)
  }

  /** The edges that an index is given, all at time 0. */
  def links(edges: EdgeSet): Seq[TimedEdge] = {
    val taken = ArrayBuffer.empty[TimedEdge]
    edges.feed(new EdgeSink {
      override def addEdges(ends: Array[Long], count: Int): Unit =
        (0 until count by 2).foreach(i => taken += TimedEdge(0, ends(i), ends(i + 1)))
      override def addForest(ids: Array[Long], parents: Array[Int]): Unit =
        ids.indices.foreach(i => taken += TimedEdge(0, ids(i), ids(parents(i))))
    })
    taken.toSeq
  }
}
