package io.github.sparkbic.index.bic

import io.github.sparkbic.index.{BinaryWriter, Fetching, ForestWriter, IndexSize, RisingSet}
import io.github.sparkbic.index.forests.PathHalving

/** Writes panes of the chunk, one after the other, as forests on ranks.
  *
  * @param longest edges of the longest pane
  */
private[bic] final class PaneSaver(ranks: VertexRanks, out: BinaryWriter, longest: Int) {
  import PaneSaver.Batch

  private val writer = new ForestWriter(out, ranks.table.size)
  // The vertices of the pane at hand, and their forest; what it says of other vertices is of panes before.
  private val members = new RisingSet(ranks.table.size)
  private val parents = new Array[Int](ranks.table.size)

  // For some edges or vertices at a time, so that one does not wait for memory after the other.
  private val vertices = new Array[Int](math.min(Batch, longest))
  private val roots = new Array[Int](vertices.length)
  private[bic] var looked = 0

  /** Returns the number of links. */
  def save(pane: EdgeLog): Int = {
    var links = 0
    var from = 0
    while (from < pane.size) {
      val count = math.min(vertices.length, pane.size - from)
      links += join(pane.segment(from / EdgeLog.SegmentSize), from & (EdgeLog.SegmentSize - 1), count)
      from += count
    }
    writer.begin(IndexSize(members.size, links))
    while (members.size > 0) drain()
    links
  }

  /** Adds so many edges; how many became links. */
  private def join(edges: Array[Long], from: Int, count: Int): Int = {
    var i = 0
    while (i < count) {
      vertices(i) = ranks.of((edges(from + i) >>> 32).toInt)
      roots(i) = ranks.of(edges(from + i).toInt)
      i += 1
    }
    looked = Fetching.look(parents, vertices, count)
    var links = 0
    i = 0
    while (i < count) {
      val u = rootOf(vertices(i))
      val v = rootOf(roots(i))
      if (u != v) {
        parents(v) = u
        links += 1
      }
      i += 1
    }
    links
  }

  /** Writes the next vertices. */
  private def drain(): Unit = {
    val count = math.min(vertices.length, members.size)
    var i = 0
    while (i < count) {
      vertices(i) = members.takeFirst()
      roots(i) = parents(vertices(i))
      i += 1
    }
    i = 0
    while (i < count) {
      roots(i) = parents(roots(i))
      i += 1
    }
    writer.fetch(roots, count)
    i = 0
    while (i < count) {
      writer.add(vertices(i).toLong, PathHalving.root(parents, roots(i)))
      i += 1
    }
  }

  /** The root of a vertex, which becomes one of the pane. */
  private def rootOf(vertex: Int): Int =
    if (members.add(vertex)) {
      parents(vertex) = vertex
      vertex
    } else PathHalving.root(parents, vertex)
}

private object PaneSaver {

  /** Edges of a pane that are added together, and vertices that are written together; a segment of a log is a multiple. */
  final val Batch = 256
}
