package io.github.sparkbic.operator.state

import scala.collection.mutable

import io.github.sparkbic.index.contract.{EdgeSet, IndexSize}
import io.github.sparkbic.index.forests.{EdgeSets, PaneForest}
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter, CorruptStateException}
import io.github.sparkbic.index.format.StateLayout.PartMagic
import io.github.sparkbic.operator.block.{PackedBlock, VertexIds}

/** The size of one pane in the state, summed over its parts.
  * @param parts  the number of parts
  * @param counts of events; or of vertices, where a vertex in several parts counts each time, and of links
  */
private[operator] final case class PaneEntry(parts: Int, counts: Seq[Long], bytes: Long)

/** The values of one graph that belong to a pane, in the layout `panes`: each pane has a part or some. The header of the graph
  * lists the panes, in about 20 bytes a pane. A part is read without any other part. It is replaced as a whole, or not at all.
  *
  * @param place      by [[StatePlace.graph]]
  * @param of         what is of a pane, in an error
  * @param counted    how many counts an entry has
  * @param mostParts  of a pane
  * @param numberOf   the number in the state of the first, the second … part of a pane
  */
private[operator] class PaneParts(
    magic: Int,
    place: Int,
    variables: => GraphVariables,
    of: String,
    counted: Int,
    mostParts: Int
)(numberOf: Int => Int) {
  final val panes = mutable.TreeMap.empty[Long, PaneEntry]

  final def partsOf(pane: Long): Int = panes.get(pane).fold(0)(_.parts)
  final def bytes: Long = panes.valuesIterator.map(_.bytes).sum

  /** The sum of count `i` over the panes from `from` until `until`. */
  final def count(i: Int, from: Long = Long.MinValue, until: Long = Long.MaxValue): Long =
    panes.range(from, until).valuesIterator.map(_.counts(i)).sum

  private def part(pane: Long, number: Int) = StatePlace.Part(pane, numberOf(number))

  final def add(pane: Long, payload: BinaryWriter, counts: Seq[Long]): Unit = {
    val before = panes.getOrElse(pane, PaneEntry(0, Seq.fill(counted)(0L), 0))
    val to = part(pane, before.parts)
    val written = StateFrame.seal(magic, to.hash(place), payload)
    variables.put(to, Some(written))
    val sums = before.counts.zip(counts).map { case (sum, more) => sum + more }
    panes.put(pane, PaneEntry(before.parts + 1, sums, before.bytes + written.length)): Unit
  }

  /** The parts of a pane, each read to its end. */
  final def read[A](pane: Long)(readPart: BinaryReader => A): Iterator[A] =
    (0 until partsOf(pane)).iterator.map { number =>
      val from = part(pane, number)
      val bytes = variables.get(from).getOrElse {
        throw new CorruptStateException(s"part $number of ${of}pane $pane is missing")
      }
      val in = StateFrame.open(magic, from.hash(place), bytes)
      val content = readPart(in)
      in.expectEnd()
      content
    }

  final def remove(pane: Long): Unit = {
    dropParts(pane, 0 until partsOf(pane))
    panes.remove(pane): Unit
  }

  final def clear(): Unit = panes.keys.toSeq.foreach(remove)

  protected final def dropParts(pane: Long, numbers: Range): Unit =
    numbers.foreach(number => variables.put(part(pane, number), None))

  final def save(out: BinaryWriter): Unit = ByPane.save(panes.iterator, panes.size, out) { entry =>
    (entry.parts.toLong +: entry.counts :+ entry.bytes).foreach(out.unsigned)
  }

  /** Reads the bytes of [[save]] into this list, which is empty. */
  final def restore(in: BinaryReader): Unit = ByPane.restore(in, "listed panes") { pane =>
    val parts = in.unsigned()
    if (parts < 1 || parts > mostParts)
      throw new CorruptStateException(
        s"${of}pane $pane has $parts parts, where 1 to $mostParts are possible"
      )
    panes.put(pane, PaneEntry(parts.toInt, Seq.fill(counted)(in.unsigned()), in.unsigned())): Unit
  }
}

/** The edges of one graph in the layout `panes`. A part holds edges of a pane, with the names of its vertices where vertices are
  * strings: these edges then are of positions in the names.
  */
private[operator] final class EdgeParts(strings: Boolean, place: Int, variables: => GraphVariables)
    extends PaneParts(PartMagic, place, variables, of = "", counted = 2, PaneGraph.MostParts)(identity) {

  def sizeUntil(pane: Long): IndexSize = {
    def sum(i: Int) = math.min(count(i, until = pane), Int.MaxValue.toLong).toInt
    IndexSize(sum(0), sum(1))
  }

  /** Adds blocks to a pane, as one part. */
  def add(pane: Long, blocks: collection.Seq[PackedBlock]): Unit =
    // The vertices of a single block are positions already.
    if (blocks.size == 1) add(pane, blocks.head.edgeSet, Option(blocks.head.names))
    else {
      val ids = VertexIds.create(strings)
      addMerged(pane, blocks.map(ids.edgeSet), ids)
    }

  def replace(pane: Long, edges: collection.Seq[EdgeSet], ids: VertexIds): Unit = {
    val before = partsOf(pane)
    panes.remove(pane)
    addMerged(pane, edges, ids)
    dropParts(pane, 1 until before)
  }

  def unite(pane: Long): Unit = {
    val ids = VertexIds.create(strings)
    replace(pane, read(pane, ids).toSeq, ids)
  }

  private def addMerged(pane: Long, edges: collection.Seq[EdgeSet], ids: VertexIds): Unit = {
    val forest = EdgeSets.merged(edges)
    val names = ids.packed(forest.ids)
    val written =
      names.fold(forest)(_ => new PaneForest(Array.tabulate(forest.size)(_.toLong), forest.parents))
    add(pane, EdgeSets.toBytes(written), names)
  }

  private def add(pane: Long, edges: Array[Byte], names: Option[Array[Byte]]): Unit = {
    val out = new BinaryWriter(edges.length + names.fold(0)(_.length))
    out.raw(edges)
    names.foreach(out.raw)
    val size = EdgeSets.sizeOf(edges)
    add(pane, out, Seq(size.vertices.toLong, size.links.toLong))
  }

  /** The edges of a pane, on ids of the graph. */
  def read(pane: Long, ids: VertexIds): Iterator[EdgeSet] =
    read(pane)(in => ids.named(EdgeSets.restore(in), in))
}
