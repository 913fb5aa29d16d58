package io.github.sparkbic.index

import scala.collection.mutable.ArrayBuffer

import io.github.sparkbic.index.contract.{ConnectivityIndex, EdgeSet, IndexSize}
import io.github.sparkbic.index.forests.{LooseEdges, PaneForest, PaneForestBuilder}
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

  /** One form or the other, so that of several panes some have this one and some that one. */
  def any(pane: Long, edges: Iterable[TimedEdge]): EdgeSet =
    if ((pane & 1) == 0) forest(edges) else loose(edges)

  /** The links that an index is given. */
  def links(edges: EdgeSet): Seq[TimedEdge] = {
    val collector = new EdgeCollector
    collector.insert(0, edges)
    collector.edges.toSeq
  }

  private class EdgeCollector extends ConnectivityIndex {
    val edges: ArrayBuffer[TimedEdge] = ArrayBuffer.empty
    override def insert(pane: Long, src: Long, dst: Long): Unit = edges += TimedEdge(pane, src, dst)
    override def insert(pane: Long, forest: PaneForest): Unit =
      edges ++= forest.ids.indices.map(i => TimedEdge(pane, forest.ids(i), forest.ids(forest.parents(i))))
    override def closePane(pane: Long): Unit = fail
    override def connected(windowStart: Long, source: Long, target: Long): Boolean = fail
    override def components(windowStart: Long)(visit: (Long, Long) => Unit): Unit = fail
    override def vertices(visit: Long => Unit): Unit = fail
    override def save(out: BinaryWriter): IndexSize = fail
    private def fail: Nothing = throw new UnsupportedOperationException("only edges are inserted here")
  }
}
