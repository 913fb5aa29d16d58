package io.github.sparkbic.operator.state

import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter}
import io.github.sparkbic.index.format.StateLayout.KeptMagic
import io.github.sparkbic.index.kernels.LongInterner
import io.github.sparkbic.operator.block.VertexIds

/** What is kept of a graph beside its edges ([[Kept]]): component names or emitted windows.
  *
  * The layout `panes` keeps it as a value of its own. There, vertices that are strings are positions in the names at the end
  * of the value, since the numbers of names live in memory alone.
  */
private[operator] trait KeptPart {

  /** The number of components with a name, or of emitted pairs. */
  def size: Int

  /** Visits the vertices that must keep their ids as long as this is kept: those that [[save]] writes. */
  def foreachId(visit: Long => Unit): Unit

  /** @param shown a vertex as it is written; it keeps the order in which [[foreachId]] visits the vertices first */
  def save(out: BinaryWriter, shown: Long => Long = identity): Unit

  /** The bytes of a value of its own. */
  final def toPart(ids: VertexIds, place: Int): Array[Byte] = {
    lazy val held = new LongInterner
    val names = ids.packed {
      foreachId(id => held.intern(id): Unit)
      held.toArray
    }
    val out = new BinaryWriter
    save(out, if (names.isEmpty) identity else id => held.find(id).toLong)
    names.foreach(out.raw)
    StateFrame.seal(KeptMagic, place, out)
  }
}

private[operator] object KeptPart {
  def empty(shape: StateShape): KeptPart =
    if (shape.kept == Kept.Emitted) new EmittedWindows(shape.panes) else KeptNames.none

  /** Reads the bytes of [[KeptPart.save]].
    * @param known gives ids of the graph for the vertices that were written
    */
  def restore(shape: StateShape, in: BinaryReader, known: Array[Long] => Array[Long]): KeptPart =
    if (shape.kept == Kept.Emitted) EmittedWindows.restore(shape.panes, in, known)
    else KeptNames.restore(in, known)

  /** Reads the bytes of [[KeptPart.toPart]], on ids of a graph. */
  def read[A](bytes: Array[Byte], ids: VertexIds, place: Int)(
      restore: (BinaryReader, Array[Long] => Array[Long]) => A
  ): A = {
    val in = StateFrame.open(KeptMagic, place, bytes)
    val part = restore(in, ids.unpacked(in, _))
    in.expectEnd()
    part
  }
}
