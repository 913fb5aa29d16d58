package io.github.sparkbic.operator.state

import io.github.sparkbic.index.{BinaryWriter, CorruptStateException, EdgeSet, IndexSize, PaneForest}
import io.github.sparkbic.operator.block.{PackedBlock, VertexIds, VertexNames}

/** Some of the edges of one pane in the state, on their own, and the names of their vertices if they are strings. No part
  * needs another one to be read, and none is ever changed.
  *
  * {{{
  * framed (StateFrame), with the mark "SBIP":
  *   the edges (EdgeSet.save)
  *   if vertices are strings: the edges are a forest, whose ids are positions in VertexNames.pack of their names, which
  *   goes to the end
  * }}}
  */
private[operator] object PanePart {
  val Mark: Int = 0x50494253 // "SBIP", little-endian

  /** Blocks of one pane as one part, and how large that is. */
  def of(blocks: collection.Seq[PackedBlock], strings: Boolean): (IndexSize, Array[Byte]) =
    // Positions in the names of a single block do already.
    if (blocks.size == 1) sealing(blocks.head.edgeSet, Option.when(strings)(blocks.head.names))
    else {
      val ids = VertexIds.create(strings)
      of(EdgeSet.merged(blocks.map(ids.edgeSet)), ids)
    }

  /** A forest on ids of a graph as one part. */
  def of(forest: PaneForest, ids: VertexIds): (IndexSize, Array[Byte]) =
    ids.packed(forest) match {
      case None => sealing(forest.toBytes, None)
      case Some(names) =>
        sealing(new PaneForest(Array.tabulate(forest.size)(_.toLong), forest.parents).toBytes, Some(names))
    }

  /** The edges of a part, on ids of a graph. */
  def read(bytes: Array[Byte], ids: VertexIds, strings: Boolean): EdgeSet = {
    val in = StateFrame.open(Mark, bytes)
    val edges = EdgeSet.restore(in)
    val names = if (strings) VertexNames.readPacked(in, positions(edges)) else null
    in.expectEnd()
    ids.named(edges, names)
  }

  private def positions(edges: EdgeSet): Array[Long] = edges match {
    case forest: PaneForest => forest.ids
    case _                  => throw new CorruptStateException("edges between strings are not a forest")
  }

  private def sealing(edges: Array[Byte], names: Option[Array[Byte]]): (IndexSize, Array[Byte]) = {
    val out = new BinaryWriter(edges.length + names.fold(0)(_.length))
    out.raw(edges)
    names.foreach(out.raw)
    (EdgeSet.sizeOf(edges), StateFrame.seal(Mark, out))
  }
}
