package io.github.sparkbic.bench.micro

import java.util.concurrent.TimeUnit

import scala.util.Random

import org.openjdk.jmh.annotations._

import io.github.sparkbic.bench.stream.EdgeStream
import io.github.sparkbic.index.Indexes
import io.github.sparkbic.index.contract.{ConnectivityIndex, EdgeSet, IndexConfig, IndexSize, Panes}
import io.github.sparkbic.index.forests.{LooseEdges, PaneForestBuilder}
import io.github.sparkbic.index.format.BinaryWriter

/** What one and two threads take for an edge of a pane, where the pane comes as one set: the forest of a pane of R-MAT, or
  * loose uniform edges. Windows have 20 panes of 150,000 edges; the first window is not measured. Then, in ms, what they
  * take for the components of a window, for 100,000 pairs, and to save the index.
  */
@State(Scope.Thread)
@BenchmarkMode(Array(Mode.SingleShotTime))
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, batchSize = 1)
@Measurement(iterations = 9, batchSize = 1)
@Fork(1)
class ThreadsBenchmark {
  import ThreadsBenchmark._

  @Param(Array("rmat", "uniform"))
  var stream: String = "rmat"

  @Param(Array("1", "2"))
  var threads: Int = 0

  private var sets = Array.empty[EdgeSet]
  private var asked = Array.emptyLongArray
  private var index: ConnectivityIndex = _

  @Setup(Level.Trial)
  def build(): Unit = {
    val edges = EdgeStream.named(stream, PerPane * (PerWindow + Measured))
    // Ends of edges of the first window, dealt anew.
    asked =
      new Random(1).shuffle((0 until Pairs).flatMap(i => Seq(edges.sources(i), edges.targets(i)))).toArray
    sets = Array.tabulate(PerWindow + Measured) { pane =>
      val ends = (pane * PerPane until (pane + 1) * PerPane)
        .flatMap(i => Seq(edges.sources(i), edges.targets(i))).toArray
      if (stream == "rmat") {
        val builder = new PaneForestBuilder()
        ends.grouped(2).foreach(edge => builder.add(edge(0), edge(1)))
        builder.result()
      } else LooseEdges.of(ends, ends.length)
    }
  }

  @Setup(Level.Invocation)
  def fill(): Unit = {
    index = Indexes.create("recency", Panes(PerWindow.toLong, 1), IndexConfig(threads = threads))
    insert(0, PerWindow)
  }

  @Benchmark
  @OperationsPerInvocation(PerPane * Measured)
  def insert(): Unit = insert(PerWindow, PerWindow + Measured)

  @Benchmark
  @OutputTimeUnit(TimeUnit.MILLISECONDS)
  def components(): Array[Long] = index.components(0).smallest

  @Benchmark
  @OutputTimeUnit(TimeUnit.MILLISECONDS)
  def statistics(): Int = index.components(0).largest

  @Benchmark
  @OutputTimeUnit(TimeUnit.MILLISECONDS)
  def save(): IndexSize = index.save(new BinaryWriter(1 << 26))

  @Benchmark
  @OutputTimeUnit(TimeUnit.MILLISECONDS)
  def pairs(): Array[Long] =
    index.ask(Pairs)(i => if (index.connected(0, asked(2 * i), asked(2 * i + 1))) 1 else 0)

  private def insert(from: Int, until: Int): Unit = (from until until).foreach { pane =>
    index.insert(pane.toLong, sets(pane))
    index.closePane(pane.toLong)
  }
}

object ThreadsBenchmark {
  final val PerWindow = 20
  final val PerPane = 150000
  final val Pairs = 100000
  final val Measured = 40
}
