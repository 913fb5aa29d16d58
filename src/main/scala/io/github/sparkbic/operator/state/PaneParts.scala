package io.github.sparkbic.operator.state

import scala.collection.mutable

import io.github.sparkbic.index.contract.{EdgeSet, IndexSize}
import io.github.sparkbic.index.forests.EdgeSets
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}
import io.github.sparkbic.operator.block.VertexIds

/** The size of one pane in the state, summed over its parts: a vertex in several parts counts each time.
  * @param parts the number of parts; parts are numbered from zero
  */
private[operator] final case class PaneEntry(
    parts: Int = 0,
    vertices: Long = 0,
    links: Long = 0,
    bytes: Long = 0
) {
  def plus(part: IndexSize, size: Int): PaneEntry =
    PaneEntry(parts + 1, vertices + part.vertices, links + part.links, bytes + size)
}

/** The panes of one graph in the state, each of them a part or some ([[PanePart]]). The header of the graph lists them, in
  * about 20 bytes a pane.
  */
private[operator] final class PaneParts(strings: Boolean, place: StatePlace) {
  val panes = mutable.TreeMap.empty[Long, PaneEntry]

  /** The state, during a micro-batch. */
  var variables: PaneVariables = _

  def of(pane: Long): Int = panes.get(pane).fold(0)(_.parts)
  def bytes: Long = panes.valuesIterator.map(_.bytes).sum
  def vertices: Long = panes.valuesIterator.map(_.vertices).sum
  def linksFrom(pane: Long): Long = panes.valuesIteratorFrom(pane).map(_.links).sum

  /** Vertices and links of the panes before `pane`. */
  def sizeUntil(pane: Long): IndexSize = {
    val entries = panes.range(Long.MinValue, pane).values
    def sum(count: PaneEntry => Long) = math.min(entries.map(count).sum, Int.MaxValue.toLong).toInt
    IndexSize(sum(_.vertices), sum(_.links))
  }

  /** Adds a part to a pane.
    * @param make gives the size and the bytes of the part for its place
    */
  def add(pane: Long)(make: Int => (IndexSize, Array[Byte])): Unit = {
    val entry = panes.getOrElse(pane, PaneEntry())
    val (size, bytes) = make(place.part(pane, entry.parts))
    variables.putPart(pane, entry.parts, bytes)
    panes.put(pane, entry.plus(size, bytes.length))
  }

  /** Writes these edges in place of all parts of a pane. */
  def replace(pane: Long, edges: collection.Seq[EdgeSet], ids: VertexIds): Unit = {
    val before = panes.remove(pane)
    add(pane)(PanePart.of(EdgeSets.merged(edges), ids, _))
    before.foreach(entry => (1 until entry.parts).foreach(variables.removePart(pane, _)))
  }

  /** Makes one part of all parts of a pane. */
  def unite(pane: Long): Unit = {
    val ids = VertexIds.create(strings)
    replace(pane, read(pane, ids).toSeq, ids)
  }

  def remove(pane: Long): Unit =
    panes.remove(pane).foreach(entry => (0 until entry.parts).foreach(variables.removePart(pane, _)))

  /** The edges of a pane. */
  def read(pane: Long, ids: VertexIds): Iterator[EdgeSet] = (0 until of(pane)).iterator.map { number =>
    val bytes = variables.part(pane, number).getOrElse {
      throw new CorruptStateException(s"part $number of pane $pane is missing")
    }
    PanePart.read(bytes, ids, strings, place.part(pane, number))
  }

  def save(out: BinaryWriter): Unit = ByPane.save(panes.iterator, panes.size, out) { entry =>
    Seq(entry.parts.toLong, entry.vertices, entry.links, entry.bytes).foreach(out.unsigned)
  }

  /** Reads the bytes of [[save]] into this list, which is empty. */
  def restore(in: BinaryReader): Unit = ByPane.restore(in, "panes") { pane =>
    val parts = in.unsigned()
    if (parts < 1 || parts > PaneGraph.MostParts)
      throw new CorruptStateException(
        s"pane $pane has $parts parts, where 1 to ${PaneGraph.MostParts} are possible"
      )
    panes.put(pane, PaneEntry(parts.toInt, in.unsigned(), in.unsigned(), in.unsigned())): Unit
  }
}
