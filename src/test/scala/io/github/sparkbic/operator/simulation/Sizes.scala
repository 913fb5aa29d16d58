package io.github.sparkbic.operator.simulation

import scala.collection.mutable

import io.github.sparkbic.index.Streams

/** What is measured of a schedule, each the largest that occurred. */
private[operator] object Measure extends Enumeration {

  /** Edges that one input task adds through its queue, and graphs that it opens. */
  val QueuedEdges, TaskGraphs = Value

  /** Steps of memory that the forests of a task take beyond the first, and how often all forests are sent early. */
  val MemorySteps, EarlySends = Value

  /** Edges of a pane in a task. */
  val PaneEdges = Value

  /** Of a pane in a task whose ids are dense: the vertices, the ends of edges, the same where vertices are no names, and the
    * ids outside of the range.
    */
  val RangedVertices, RangedEnds, IdEnds, OutsideIds = Value

  /** Edges of a loose block; and loose blocks of a task, one after the other, before another block. */
  val LooseEdges, LooseInARow = Value

  /** Ends of the edges of a graph in a task that are names, and the bytes of as many of them as a batch takes. */
  val TaskNames, BatchBytes = Value

  /** Vertices of a forest as it comes at the operator, also with either index; of one that is merged with another; and of
    * one with names that becomes a part.
    */
  val BlockVertices, RecencyBlock, BicBlock, MergedVertices, PartNames = Value

  /** Panes of a window, where `recency` takes forests of more than a few links, and where `bic` does. */
  val RecencyPanes, BicPanes = Value

  /** Edges for each vertex of a pane that waits in a value, all of them loose, from several tasks. */
  val LoosePerVertex = Value

  /** Parts of a pane in the state. */
  val Parts = Value

  /** Bytes in the state of a graph that stays alive, and how often a graph's state is too small for that. */
  val AliveBytes, NotKept = Value

  /** Vertices in an index as it is saved, after it was restored, and where all components are asked for. */
  val IndexVertices, RestoredVertices, ComponentsVertices = Value

  /** Answers for one window, where a row of the operator holds many. */
  val WindowAnswers = Value

  /** Threads that an index may use. */
  val Threads = Value
}

/** A size from which on the product does something else.
  * @param measure is beyond `limit` in a schedule that gets there
  */
private[operator] final case class Threshold(name: String, limit: Long, measure: Measure.Value)

private[operator] object Threshold {
  import Measure._

  /** A constant of the product, read from the product so that a schedule must get beyond any other value of it, too. */
  private def constant(measure: Measure.Value, owner: String, name: String): Threshold = {
    val module = Class.forName(s"io.github.sparkbic.$owner$$")
    val getter = module.getDeclaredMethods.find(method => method.getName.split('$').last == name)
      .getOrElse(throw new NoSuchElementException(
        s"$owner has no constant $name: put what took its place into Threshold.all"
      ))
    getter.setAccessible(true)
    val limit = getter.invoke(module.getField("MODULE$").get(null)).asInstanceOf[Number].longValue
    Threshold(s"${owner.split('.').last}.$name", limit, measure)
  }

  // The sizes at which arrays begin are no constants with a name.
  private def size(measure: Measure.Value, name: String, limit: Long) = Threshold(name, limit, measure)

  private val config = Streams.smallConfig(seed = 0, batchEdges = 1, sweepPart = 2, reach = 1)

  /** All sizes on the way of a stream that an input can exceed, and that decide what the product does.
    *
    * Left out are bounds at the limits of the JVM, which end in an error, and what only a batch query asks. Only panes of some
    * million edges get beyond `PaneForestBuilder.MaxWaiting`.
    */
  lazy val all: Seq[Threshold] = Seq(
    size(QueuedEdges, "OpenGraphs.leastQueued (given)", 0),
    constant(QueuedEdges, "operator.forests.EdgeQueue", "Edges"),
    size(TaskGraphs, "GraphTable: the first 8 slots", 4),
    size(MemorySteps, "OpenMemory.least (given)", 0),
    size(MemorySteps, "OpenMemory.step (given)", 1),
    size(EarlySends, "OpenMemory.most (given)", 0),
    constant(PaneEdges, "index.forests.PaneForestBuilder", "FewWaiting"),
    constant(RangedVertices, "index.forests.PaneForestBuilder", "SmallestRanged"),
    constant(OutsideIds, "index.forests.RankedUnion", "FewOthers"),
    constant(RangedEnds, "index.forests.RankedUnion", "Batch"),
    constant(RangedEnds, "index.forests.RankedUnion", "FirstEnds"),
    constant(RangedEnds, "index.forests.PaneForestBuilder", "Slice"),
    constant(IdEnds, "index.forests.RankedUnion", "MostEnds"),
    constant(MergedVertices, "index.forests.HashedUnion", "Batch"),
    constant(LooseInARow, "operator.forests.OpenGraph", "LooseInARow"),
    constant(LooseEdges, "index.format.StateLayout", "SliceEdges"),
    constant(LooseEdges, "index.forests.LooseEdges", "Run"),
    constant(TaskNames, "operator.block.NameBatch", "FirstNames"),
    constant(TaskNames, "operator.block.NameBatch", "MaxNames"),
    constant(BatchBytes, "operator.block.NameBatch", "MaxBytes"),
    constant(BlockVertices, "index.kernels.RadixSort", "Few"),
    constant(BlockVertices, "index.kernels.RadixSort", "Many"),
    size(BlockVertices, "IndexConfig.batchEdges (given)", config.batchEdges.toLong),
    constant(RecencyBlock, "index.recency.EdgeJoin", "Few"),
    constant(RecencyPanes, "index.recency.EdgeJoin", "Recent"),
    constant(RestoredVertices, "index.recency.EdgeJoin", "Batch"),
    constant(BicBlock, "index.bic.PaneLog", "Slice"),
    constant(BicPanes, "index.bic.BackwardBuffer", "InByte"),
    constant(Parts, "operator.state.PaneGraph", "MostParts"),
    constant(PartNames, "operator.state.PaneGraph", "FewNames"),
    constant(LoosePerVertex, "operator.state.PendingPanes", "MostLoose"),
    constant(AliveBytes, "operator.state.LiveGraphs", "SmallState"),
    size(NotKept, "CacheLimit.minBytes (given)", 0),
    size(IndexVertices, "IndexConfig.smallestDense (given)", config.smallestDense.toLong),
    size(IndexVertices, "IndexConfig.smallestSparse (given)", config.smallestSparse.toLong),
    size(Threads, "IndexConfig.smallestConcurrent (given)", 1),
    size(IndexVertices, "IdTable: the first 16 slots", 12),
    size(IndexVertices, "VertexNumbers: SmallestRoom times GrowthPart", 128),
    constant(IndexVertices, "index.vertices.IdRange", "Sample"),
    constant(IndexVertices, "index.format.StateLayout", "SegmentSize"),
    constant(ComponentsVertices, "index.contract.WindowComponents", "Block"),
    constant(WindowAnswers, "operator.question.Question", "ChunkSize")
  )
}

/** The largest sizes that a schedule has had. */
private[operator] final class Sizes {
  private val largest = mutable.Map.empty[Measure.Value, Long].withDefaultValue(0L)

  def see(measure: Measure.Value, size: Long): Unit =
    if (size > largest(measure)) largest(measure) = size

  /** The thresholds that the schedule has crossed. */
  def crossed: Seq[Threshold] =
    Threshold.all.filter(threshold => largest(threshold.measure) > threshold.limit)
}
