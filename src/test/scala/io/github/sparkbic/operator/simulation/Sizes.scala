package io.github.sparkbic.operator.simulation

import scala.collection.mutable

import io.github.sparkbic.index.Streams

/** A size from which on the product does something else.
  * @param measure what is measured, the largest that occurred, which is beyond `limit` in a schedule that gets there
  */
private[operator] final case class Threshold(name: String, limit: Long, measure: String)

private[operator] object Threshold {

  /** A constant of the product, read from the product so that a schedule must get beyond any other value of it, too. */
  private def constant(measure: String, owner: String, name: String): Threshold = {
    val module = Class.forName(s"io.github.sparkbic.$owner$$")
    val getter = module.getDeclaredMethods.find(method => method.getName.split('$').last == name)
      .getOrElse(throw new NoSuchElementException(
        s"$owner has no constant $name: put what took its place into Threshold.all"
      ))
    getter.setAccessible(true)
    val limit = getter.invoke(module.getField("MODULE$").get(null)).asInstanceOf[Number].longValue
    Threshold(s"${owner.split('.').last}.$name", limit, measure)
  }

  private val config = Streams.smallConfig(seed = 0, batchEdges = 1, sweepPart = 2, reach = 1)

  /** All sizes on the way of a stream that an input can exceed, and that decide what the product does.
    *
    * The sizes at which arrays begin are no constants with a name. Left out are bounds at the limits of the JVM, and what
    * only a batch asks. Only panes of some million edges get beyond `PaneForestBuilder.MaxWaiting`: in a task they fill its
    * memory before. `ValueGraphSuite` goes beyond `ValueGraph.MostLoose`.
    */
  lazy val all: Seq[Threshold] = Seq(
    Threshold("OpenGraphs.leastQueued (given)", 0, "edges in a queue"),
    constant("edges in a queue", "operator.forests.EdgeQueue", "Edges"),
    Threshold("GraphTable: the first 8 slots", 4, "graphs of a task"),
    Threshold("OpenMemory.least (given)", 0, "steps of memory"),
    Threshold("OpenMemory.step (given)", 1, "steps of memory"),
    Threshold("OpenMemory.most (given)", 0, "early sends"),
    constant("edges of a pane", "operator.forests.OpenGraph", "Few"),
    constant("edges of a pane", "operator.forests.OpenGraph", "Many"),
    constant("edges of a pane", "index.forests.PaneForestBuilder", "FirstLook"),
    constant("edges of a pane", "index.forests.PaneForestBuilder", "SecondLook"),
    constant("dense vertices", "index.forests.PaneForestBuilder", "SmallestRanged"),
    constant("ids outside of a range", "index.forests.RankedUnion", "FewOthers"),
    constant("dense ends", "index.forests.RankedUnion", "Batch"),
    constant("dense edges", "index.forests.PaneForestBuilder", "FewWaiting"),
    constant("vertices merged", "index.forests.HashedUnion", "Batch"),
    constant("vertices merged", "index.forests.PaneForestBuilder", "SmallestRanged"),
    constant("loose edges of a block", "index.format.StateLayout", "SliceEdges"),
    constant("loose edges of a block", "index.forests.LooseEdges", "Run"),
    constant("names of a task", "operator.block.NameBatch", "FirstNames"),
    constant("names of a task", "operator.block.NameBatch", "MaxNames"),
    constant("bytes of names", "operator.block.NameBatch", "MaxBytes"),
    constant("vertices of a block", "index.kernels.RadixSort", "Few"),
    constant("vertices of a block", "index.kernels.RadixSort", "Many"),
    Threshold("IndexConfig.batchEdges (given)", config.batchEdges.toLong, "vertices of a block"),
    constant("vertices restored", "index.recency.RecencyLinks", "Batch"),
    constant("vertices of a block, bic", "index.bic.PaneLog", "Slice"),
    constant("parts of a pane", "operator.state.PaneGraph", "MostParts"),
    constant("names of a part", "operator.block.VertexNames", "FewNames"),
    constant("bytes of a live graph", "index.format.StateLayout", "LeastWithToken"),
    constant("bytes of a live graph", "operator.state.LiveGraphs", "SmallState"),
    Threshold("CacheLimit.minBytes (given)", 0, "bytes of a graph not kept"),
    Threshold("IndexConfig.smallestDense (given)", config.smallestDense.toLong, "vertices of an index"),
    Threshold("IndexConfig.smallestSparse (given)", config.smallestSparse.toLong, "vertices of an index"),
    Threshold("IndexConfig.smallestConcurrent (given)", 1, "threads"),
    Threshold("IdTable: the first 16 slots", 12, "vertices of an index"),
    Threshold("VertexNumbers: SmallestRoom times GrowthPart", 128, "vertices of an index"),
    constant("vertices of an index", "index.vertices.IdRange", "Sample"),
    constant("vertices of an index", "index.format.StateLayout", "StretchSize"),
    constant("vertices of all components", "index.contract.WindowComponents", "Block"),
    constant("answers of a window", "operator.question.Question", "ChunkSize")
  )
}

private[operator] final class Sizes {
  private val largest = mutable.Map.empty[String, Long].withDefaultValue(0L)

  def see(measure: String, size: Long): Unit =
    if (size > largest(measure)) largest(measure) = size

  def crossed: Seq[Threshold] =
    Threshold.all.filter(threshold => largest(threshold.measure) > threshold.limit)
}
