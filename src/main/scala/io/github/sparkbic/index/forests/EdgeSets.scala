package io.github.sparkbic.index.forests

import io.github.sparkbic.index.contract.{EdgeSet, EdgeSink, IndexSize}
import io.github.sparkbic.index.format.{BinaryReader, BinaryWriter}
import io.github.sparkbic.index.format.StateLayout.Forest
import io.github.sparkbic.index.kernels.DistinctCount

/** Reads and merges the two kinds of [[EdgeSet]]: [[PaneForest]] and [[LooseEdges]]. */
object EdgeSets {

  /** Visits every vertex, some of them more than once. */
  def foreachVertex(set: EdgeSet)(visit: Long => Unit): Unit = set.feed(new EdgeSink {
    override def addEdges(ends: Array[Long], count: Int): Unit = {
      var i = 0
      while (i < count) {
        visit(ends(i))
        i += 1
      }
    }
    override def addForest(ids: Array[Long], parents: Array[Int]): Unit = addEdges(ids, ids.length)
  })

  /** One forest of the edges of several sets. */
  def merged(sets: collection.Seq[EdgeSet]): PaneForest = {
    val builder = new PaneForestBuilder(expected = sets.map(_.size).max)
    sets.foreach(_.feed(builder))
    builder.result()
  }

  /** Whether all sets are loose, with at most so many edges for each vertex: a merge would take long and drop few. */
  def areSparse(sets: collection.Seq[EdgeSet], mostEdges: Int): Boolean = {
    val loose = sets.collect { case set: LooseEdges => set }
    val edges = loose.map(_.count.toLong).sum
    loose.size == sets.size &&
    (edges <= mostEdges * loose.map(_.leastVertices.toLong).max || edges <= mostEdges * vertices(loose))
  }

  /** About how many vertices the sets have in all. */
  private[forests] def vertices(sets: collection.Seq[EdgeSet]): Long = {
    val ids = new DistinctCount(sets.map(2L * _.links).sum)
    sets.foreach(foreachVertex(_)(ids.add))
    ids.estimate
  }

  def toBytes(set: EdgeSet): Array[Byte] = {
    val out = new BinaryWriter
    set.save(out)
    out.toBytes
  }

  /** The set whose [[toBytes]] are these. */
  def fromBytes(bytes: Array[Byte]): EdgeSet = {
    val in = new BinaryReader(bytes)
    val set = read(in)
    in.expectEnd()
    set
  }

  /** The set that [[EdgeSet.save]] wrote, read to its end, so that damage shows now and not later. */
  def restore(in: BinaryReader): EdgeSet = {
    val set = read(in)
    foreachVertex(set)(_ => ())
    set
  }

  /** Whether these are the bytes of loose edges, without reading all of them. */
  def areLoose(bytes: Array[Byte]): Boolean = !isForest(new BinaryReader(bytes))

  /** The size of the set with these bytes, without reading all of them. */
  def sizeOf(bytes: Array[Byte]): IndexSize = {
    val in = new BinaryReader(bytes)
    if (isForest(in)) PaneForest.readSize(in) else LooseEdges.readSize(in)
  }

  private def read(in: BinaryReader): EdgeSet =
    if (isForest(in)) PaneForest.read(in) else LooseEdges.read(in)

  private def isForest(in: BinaryReader): Boolean = in.below(2, "the kind of a set of edges") == Forest
}
