package io.github.sparkbic.operator.state

import scala.collection.mutable

import io.github.sparkbic.index.contract.{EdgeSet, IndexSize}
import io.github.sparkbic.index.forests.{EdgeSets, PaneForest}
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}
import io.github.sparkbic.index.format.StateLayout.PartMagic
import io.github.sparkbic.operator.block.{PackedBlock, VertexIds, VertexNames}

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

/** The panes of one graph in the state, each of them a part or some. The header of the graph lists them, in about 20 bytes a
  * pane.
  *
  * A part holds edges of a pane, with the names of its vertices where vertices are strings. It is read without any other
  * part, and is never changed. Edges between strings are a forest, of positions in the names.
  */
private[operator] final class PaneParts(strings: Boolean, place: Int, variables: => GraphVariables) {
  val panes = mutable.TreeMap.empty[Long, PaneEntry]

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

  /** Adds blocks to a pane, as one part. */
  def add(pane: Long, blocks: collection.Seq[PackedBlock]): Unit =
    // The vertices of a single block are positions already.
    if (blocks.size == 1) put(pane, blocks.head.edgeSet, if (strings) Some(blocks.head.names) else None)
    else {
      val ids = VertexIds.create(strings)
      put(pane, EdgeSets.merged(blocks.map(ids.edgeSet)), ids)
    }

  /** Writes these edges in place of all parts of a pane. */
  def replace(pane: Long, edges: collection.Seq[EdgeSet], ids: VertexIds): Unit = {
    val before = of(pane)
    panes.remove(pane)
    put(pane, EdgeSets.merged(edges), ids)
    (1 until before).foreach(drop(pane, _))
  }

  /** Makes one part of all parts of a pane. */
  def unite(pane: Long): Unit = {
    val ids = VertexIds.create(strings)
    replace(pane, read(pane, ids).toSeq, ids)
  }

  def remove(pane: Long): Unit = {
    (0 until of(pane)).foreach(drop(pane, _))
    panes.remove(pane): Unit
  }

  private def drop(pane: Long, number: Int): Unit = variables.put(StatePlace.Part(pane, number), None)

  private def put(pane: Long, forest: PaneForest, ids: VertexIds): Unit = {
    val names = ids.packed(forest.ids)
    val edges =
      names.fold(forest)(_ => new PaneForest(Array.tabulate(forest.size)(_.toLong), forest.parents))
    put(pane, edges.toBytes, names)
  }

  private def put(pane: Long, edges: Array[Byte], names: Option[Array[Byte]]): Unit = {
    val out = new BinaryWriter(edges.length + names.fold(0)(_.length))
    out.raw(edges)
    names.foreach(out.raw)
    val entry = panes.getOrElse(pane, PaneEntry())
    val part = StatePlace.Part(pane, entry.parts)
    val bytes = StateFrame.seal(PartMagic, part.hash(place), out)
    variables.put(part, Some(bytes))
    panes.put(pane, entry.plus(EdgeSets.sizeOf(edges), bytes.length)): Unit
  }

  /** The edges of a pane, on ids of the graph. */
  def read(pane: Long, ids: VertexIds): Iterator[EdgeSet] = (0 until of(pane)).iterator.map { number =>
    val part = StatePlace.Part(pane, number)
    val bytes = variables.get(part).getOrElse {
      throw new CorruptStateException(s"part $number of pane $pane is missing")
    }
    val in = StateFrame.open(PartMagic, part.hash(place), bytes)
    val edges = EdgeSets.restore(in)
    val names = edges match {
      case _ if !strings      => null
      case forest: PaneForest => VertexNames.readPacked(in, forest.ids)
      case _                  => throw new CorruptStateException("edges between strings are not a forest")
    }
    in.expectEnd()
    ids.named(edges, names)
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
