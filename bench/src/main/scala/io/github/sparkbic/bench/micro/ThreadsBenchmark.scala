package io.github.sparkbic.bench.micro

import java.util.concurrent.TimeUnit

import org.openjdk.jmh.annotations._

import io.github.sparkbic.bench.stream.EdgeStream
import io.github.sparkbic.index.Indexes
import io.github.sparkbic.index.contract.{ConnectivityIndex, EdgeSet, IndexConfig, Panes}
import io.github.sparkbic.index.forests.{LooseEdges, PaneForestBuilder}

/** What one and two threads take, in ms, for the components of a window. The window has 20 panes of 150,000 edges:
  * forests of R-MAT, or loose uniform edges.
  */
@State(Scope.Thread)
@BenchmarkMode(Array(Mode.SingleShotTime))
@OutputTimeUnit(TimeUnit.MILLISECONDS)
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
  private var index: ConnectivityIndex = _

  @Setup(Level.Trial)
  def build(): Unit = {
    val edges = EdgeStream.named(stream, PerPane * PerWindow)
    sets = Array.tabulate(PerWindow) { pane =>
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
    (0 until PerWindow).foreach { pane =>
      index.insert(pane.toLong, sets(pane))
      index.closePane(pane.toLong)
    }
  }

  @Benchmark
  def components(): Array[Long] = index.components(0).smallest

  @Benchmark
  def statistics(): Int = index.components(0).largest
}

object ThreadsBenchmark {
  final val PerWindow = 20
  final val PerPane = 150000
}
