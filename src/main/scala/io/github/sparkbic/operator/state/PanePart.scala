package io.github.sparkbic.operator.state

import io.github.sparkbic.index.{BinaryWriter, IndexSize, PaneForest}
import io.github.sparkbic.operator.block.{PackedBlock, VertexIds, VertexNames}

/** Some of the edges of one pane in the state, on their own: a forest, and the names of its vertices if they are
  * strings. No part needs another one to be read, and none is ever changed.
  *
  * {{{
  * framed (StateFrame), with the mark "SBIP":
  *   the forest (PaneForest.save)
  *   if vertices are strings: VertexNames.pack of their names, to the end; the ids of the forest are positions in there
  * }}}
  */
private[operator] object PanePart {
  val Mark: Int = 0x50494253 // "SBIP", little-endian

  /** Blocks of one pane as one part, and how large that is. */
  def of(blocks: collection.Seq[PackedBlock], strings: Boolean): (IndexSize, Array[Byte]) =
    // Positions in the names of a single block do already.
    if (blocks.size == 1) sealing(blocks.head.forest, Option.when(strings)(blocks.head.names))
    else {
      val ids = VertexIds.create(strings)
      of(PaneForest.merged(blocks.map(ids.forest)), ids)
    }

  /** A forest on ids of a graph as one part. */
  def of(forest: PaneForest, ids: VertexIds): (IndexSize, Array[Byte]) =
    ids.packed(forest) match {
      case None => sealing(forest.toBytes, None)
      case Some(names) =>
        sealing(new PaneForest(Array.tabulate(forest.size)(_.toLong), forest.parents).toBytes, Some(names))
    }

  /** The forest of a part, on ids of a graph. */
  def read(bytes: Array[Byte], ids: VertexIds, strings: Boolean): PaneForest = {
    val in = StateFrame.open(Mark, bytes)
    val forest = PaneForest.restore(in)
    val names =
      if (strings) VertexNames.readPacked(in, forest.ids)
      else null
    in.expectEnd()
    ids.named(forest, names)
  }

  private def sealing(forest: Array[Byte], names: Option[Array[Byte]]): (IndexSize, Array[Byte]) = {
    val out = new BinaryWriter(forest.length + names.fold(0)(_.length))
    out.raw(forest)
    names.foreach(out.raw)
    (PaneForest.sizeOf(forest), StateFrame.seal(Mark, out))
  }
}
