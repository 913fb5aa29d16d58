package io.github.sparkbic.index

import io.github.sparkbic.index.forests.PaneForestBuilder

/** What a task has of the edges of one pane, in a form that joins the vertices that they joined: a [[PaneForest]], or,
  * where that would leave nearly all of them, [[LooseEdges]].
  */
trait EdgeSet {

  /** Its vertices, at most. */
  def size: Int

  /** Its links, at most. */
  def links: Int

  def insertInto(index: ConnectivityIndex, pane: Long): Unit

  def addTo(forest: PaneForestBuilder): Unit

  /** Visits every vertex, some of them more than once. */
  def vertices(visit: Long => Unit): Unit

  /** The same of other vertices, for one whose vertices are positions in `numbers`. */
  def renumbered(numbers: Array[Long]): EdgeSet

  /** Appends its kind, and it. */
  def save(out: BinaryWriter): Unit

  /** What [[save]] appends. */
  final def toBytes: Array[Byte] = {
    val out = new BinaryWriter(expectedBytes)
    save(out)
    out.toBytes
  }

  /** About as many bytes as [[save]] appends. */
  protected def expectedBytes: Int

  /** Refuses what cannot be read to its end, if that is not known from reading its beginning. */
  private[index] def check(): Unit
}

object EdgeSet {
  private[index] val Forest = 0
  private[index] val Loose = 1

  /** One forest for the edges of several. */
  def merged(sets: collection.Seq[EdgeSet]): PaneForest = {
    val builder = new PaneForestBuilder(sets.map(_.size).max)
    sets.foreach(_.addTo(builder))
    builder.result()
  }

  /** What [[EdgeSet.toBytes]] made. */
  def fromBytes(bytes: Array[Byte]): EdgeSet = {
    val in = new BinaryReader(bytes)
    val set = read(in)
    in.expectEnd()
    set
  }

  /** What [[EdgeSet.save]] wrote, in any version of the format; it is known then that all of it can be read. */
  def restore(in: BinaryReader): EdgeSet = {
    val set = read(in)
    set.check()
    set
  }

  /** The size of what these are the bytes of, without reading all of them. */
  def sizeOf(bytes: Array[Byte]): IndexSize = {
    val in = new BinaryReader(bytes)
    if (isForest(in)) ForestReader.readSize(in) else LooseEdges.readSize(in)
  }

  private def read(in: BinaryReader): EdgeSet =
    if (isForest(in)) ForestReader.read(in) else LooseEdges.read(in)

  /** Before there were kinds, all were forests. */
  private def isForest(in: BinaryReader): Boolean =
    in.version < FormatVersion.WithLooseEdges || in.below(2, "the kind of a set of edges") == Forest
}
