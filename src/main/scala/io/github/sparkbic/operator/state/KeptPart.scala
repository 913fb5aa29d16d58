package io.github.sparkbic.operator.state

import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter}
import io.github.sparkbic.index.format.StateLayout.KeptMagic
import io.github.sparkbic.index.kernels.LongInterner
import io.github.sparkbic.operator.block.VertexIds

/** What the layout `panes` keeps of a graph beside its panes, as a value of its own: component names or emitted windows.
  * Vertices that are strings are positions in the names at its end, since the numbers of names live in memory alone.
  */
private[state] object KeptPart {

  /** @param vertices visits each vertex that `save` writes
    * @param save     writes each vertex as its argument gives it
    */
  def seal(ids: VertexIds, place: Int, vertices: (Long => Unit) => Unit)(
      save: (BinaryWriter, Long => Long) => Unit
  ): Array[Byte] = {
    lazy val held = new LongInterner
    val names = ids.packed {
      vertices(id => held.intern(id): Unit)
      held.toArray
    }
    val out = new BinaryWriter
    save(out, if (names.isEmpty) identity else id => held.find(id).toLong)
    names.foreach(out.raw)
    StateFrame.seal(KeptMagic, place, out)
  }

  /** A reader of [[seal]]'s bytes. After the vertices, [[VertexIds.unpacked]] reads their names. */
  def open(place: Int, bytes: Array[Byte]): BinaryReader = StateFrame.open(KeptMagic, place, bytes)
}
