package io.github.sparkbic.operator.state

import io.github.sparkbic.index.{BinaryWriter, PaneForest, PaneForestBuilder}
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

  /** Blocks of one pane as one part, and the forest in it. */
  def of(blocks: collection.Seq[PackedBlock], strings: Boolean): (PaneForest, Array[Byte]) =
    // Positions in the names of a single block do already.
    if (blocks.size == 1) {
      val forest = PaneForest.fromBytes(blocks.head.forest)
      (forest, sealing(forest, Option.when(strings)(blocks.head.names)))
    } else {
      val ids = VertexIds.create(strings)
      of(merged(blocks.map(ids.forest)), ids)
    }

  /** A forest on ids of a graph as one part. */
  def of(forest: PaneForest, ids: VertexIds): (PaneForest, Array[Byte]) =
    (
      forest,
      ids.packed(forest) match {
        case None => sealing(forest, None)
        case Some(names) =>
          sealing(new PaneForest(Array.tabulate(forest.size)(_.toLong), forest.parents), Some(names))
      }
    )

  /** The forest of a part, on ids of a graph. */
  def read(bytes: Array[Byte], ids: VertexIds, strings: Boolean): PaneForest = {
    val in = StateFrame.open(Mark, bytes)
    val forest = PaneForest.restore(in)
    val names =
      if (strings) VertexNames.readPacked(in.raw(in.remaining), forest.ids, StateFrame.hasCodes(bytes))
      else null
    in.expectEnd()
    ids.named(forest, names)
  }

  def merged(forests: collection.Seq[PaneForest]): PaneForest =
    if (forests.size == 1) forests.head
    else {
      val builder = new PaneForestBuilder(forests.map(_.size).max)
      forests.foreach(builder.add)
      builder.result()
    }

  private def sealing(forest: PaneForest, names: Option[Array[Byte]]): Array[Byte] = {
    val out = new BinaryWriter(16 + 4 * forest.size)
    forest.save(out)
    names.foreach(out.raw)
    StateFrame.seal(Mark, out)
  }
}
