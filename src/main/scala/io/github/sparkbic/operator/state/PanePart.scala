package io.github.sparkbic.operator.state

import io.github.sparkbic.index.contract.{EdgeSet, IndexSize}
import io.github.sparkbic.index.forests.{EdgeSets, PaneForest}
import io.github.sparkbic.index.format.{BinaryWriter, CorruptStateException}
import io.github.sparkbic.index.format.StateLayout.PartMagic
import io.github.sparkbic.operator.block.{PackedBlock, VertexIds, VertexNames}

/** A part of the edges of one pane in the state, with the names of its vertices where vertices are strings. A part is read
  * without any other part, and is never changed. Its place is that of pane and number. Edges between strings are a forest, of positions in the names.
  */
private[operator] object PanePart {

  /** The size and the bytes of blocks of one pane, as one part. */
  def of(blocks: collection.Seq[PackedBlock], strings: Boolean, place: Int): (IndexSize, Array[Byte]) =
    // The vertices of a single block are positions already.
    if (blocks.size == 1) sealing(blocks.head.edgeSet, if (strings) Some(blocks.head.names) else None, place)
    else {
      val ids = VertexIds.create(strings)
      of(EdgeSets.merged(blocks.map(ids.edgeSet)), ids, place)
    }

  /** The size and the bytes of a forest on ids of a graph, as one part. */
  def of(forest: PaneForest, ids: VertexIds, place: Int): (IndexSize, Array[Byte]) = {
    val names = ids.packed(forest.ids)
    val ofPart =
      names.fold(forest)(_ => new PaneForest(Array.tabulate(forest.size)(_.toLong), forest.parents))
    sealing(ofPart.toBytes, names, place)
  }

  /** The edges of a part, on ids of a graph. */
  def read(bytes: Array[Byte], ids: VertexIds, strings: Boolean, place: Int): EdgeSet = {
    val in = StateFrame.open(PartMagic, place, bytes)
    val edges = EdgeSets.restore(in)
    val names = edges match {
      case _ if !strings      => null
      case forest: PaneForest => VertexNames.readPacked(in, forest.ids)
      case _                  => throw new CorruptStateException("edges between strings are not a forest")
    }
    in.expectEnd()
    ids.named(edges, names)
  }

  private def sealing(
      edges: Array[Byte],
      names: Option[Array[Byte]],
      place: Int
  ): (IndexSize, Array[Byte]) = {
    val out = new BinaryWriter(edges.length + names.fold(0)(_.length))
    out.raw(edges)
    names.foreach(out.raw)
    (EdgeSets.sizeOf(edges), StateFrame.seal(PartMagic, place, out))
  }
}
