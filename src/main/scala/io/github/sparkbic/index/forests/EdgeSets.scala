package io.github.sparkbic.index.forests

import io.github.sparkbic.index.contract.{EdgeSet, IndexSize}
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter}
import io.github.sparkbic.index.format.StateLayout.{Forest, Loose}

/** Reads and merges the two kinds of [[EdgeSet]]: [[PaneForest]] and [[LooseEdges]]. */
object EdgeSets {
  /** One forest of the edges of several sets. */
  def merged(sets: collection.Seq[EdgeSet]): PaneForest = {
    val builder = new PaneForestBuilder(sets.map(_.size).max)
    sets.foreach(_.feed(builder))
    builder.result()
  }

  /** The set whose `toBytes` gave these bytes. */
  def fromBytes(bytes: Array[Byte]): EdgeSet = {
    val in = new BinaryReader(bytes)
    val set = read(in)
    in.expectEnd()
    set
  }

  /** The set that [[EdgeSet.save]] wrote, read to its end, so that damage shows now and not later. */
  def restore(in: BinaryReader): EdgeSet = read(in) match {
    case loose: LooseEdges =>
      loose.check()
      loose
    case forest => forest
  }

  /** The size of the set with these bytes, without reading all of them. */
  def sizeOf(bytes: Array[Byte]): IndexSize = {
    val in = new BinaryReader(bytes)
    if (isForest(in)) ForestReader.readSize(in) else LooseEdges.readSize(in)
  }

  private[forests] def writeForestKind(out: BinaryWriter): Unit = out.unsigned(Forest.toLong)

  private[forests] def writeLooseKind(out: BinaryWriter): Unit = out.unsigned(Loose.toLong)

  private def read(in: BinaryReader): EdgeSet =
    if (isForest(in)) ForestReader.read(in) else LooseEdges.read(in)

  private def isForest(in: BinaryReader): Boolean = in.below(2, "the kind of a set of edges") == Forest
}
