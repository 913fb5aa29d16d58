package io.github.sparkbic.bench

import io.github.sparkbic.bench.baseline.{
  Dfs,
  DirectoryUnionFind,
  DTree,
  EtTree,
  FlatUnionFind,
  Hdt,
  RangeUnionFind,
  Rwc
}
import io.github.sparkbic.bench.baseline.paper.BicPaper
import io.github.sparkbic.index.Indexes
import io.github.sparkbic.index.contract.{ConnectivityIndex, EdgeSet, EdgeSink, Panes}
import io.github.sparkbic.index.forests.LooseEdges
import io.github.sparkbic.index.format.BinaryWriter

/** What the experiments drive: one system that answers connectivity in a sliding window.
  *
  * Edges come by rising pane. Once all edges of a window are in, [[complete]] is called, then any number of questions
  * are asked, then edges of later panes follow.
  */
trait WindowSystem {
  def insert(pane: Long, src: Long, dst: Long): Unit

  /** The window that starts at this pane has all its edges: what is older may be forgotten. */
  def complete(windowStart: Long): Unit

  /** Whether the two are connected in the window completed last. */
  def connected(source: Long, target: Long): Boolean

  /** False for a system that does not forget: it then says "connected" at least where the window does. */
  def isExact: Boolean = true
}

/** One of the product's indexes, which takes sets of edges of one pane: here batches of 128 edges. */
final class IndexSystem(index: ConnectivityIndex, perWindow: Int) extends WindowSystem {
  private var start = 0L
  private var batchPane = 0L
  private val batch = new EdgeBatch(IndexSystem.Batch)

  override def insert(pane: Long, src: Long, dst: Long): Unit = {
    if (batch.isFull || pane != batchPane) flush()
    batchPane = pane
    batch.add(src, dst)
  }

  private def flush(): Unit = if (!batch.isEmpty) {
    index.insert(batchPane, batch)
    batch.clear()
  }

  override def complete(windowStart: Long): Unit = {
    flush()
    start = windowStart
    index.closePane(windowStart + perWindow - 1)
  }

  override def connected(source: Long, target: Long): Boolean = index.connected(start, source, target)
}

private object IndexSystem {
  private final val Batch = 128
}

/** Edges as they came, for an index that reads them at once. */
private[bench] final class EdgeBatch(edges: Int) extends EdgeSet {
  private val ends = new Array[Long](2 * edges)
  private var count = 0

  def isEmpty: Boolean = count == 0

  def isFull: Boolean = count == ends.length

  def add(src: Long, dst: Long): Unit = {
    ends(count) = src
    ends(count + 1) = dst
    count += 2
  }

  def clear(): Unit = count = 0

  override def size: Int = count

  override def links: Int = count / 2

  override def feed(sink: EdgeSink): Unit = sink.addEdges(ends, count)

  override def renumbered(numbers: Array[Long]): EdgeSet = asLoose.renumbered(numbers)

  override def save(out: BinaryWriter): Unit = asLoose.save(out)

  private def asLoose: LooseEdges = LooseEdges.of(ends, count)
}

object WindowSystem {
  private val baselines: Seq[(String, Panes => WindowSystem)] = Seq(
    ("union-find", _ => new FlatUnionFind()),
    ("union-find-directory", _ => new DirectoryUnionFind()),
    ("union-find-range", _ => new RangeUnionFind()),
    ("RWC", _ => new Rwc()),
    ("DFS", _ => new Dfs()),
    ("D-Tree", _ => new DTree()),
    ("HDT", _ => new Hdt()),
    ("ET-Tree", _ => new EtTree()),
    ("bic-paper", panes => new BicPaper(panes.perWindow))
  )

  val names: Seq[String] = baselines.map(_._1) ++ Indexes.names

  def create(name: String, panes: Panes): WindowSystem =
    baselines.toMap.get(name) match {
      case Some(make) => make(panes)
      case None       => new IndexSystem(Indexes.create(name, panes), panes.perWindow)
    }
}
