package io.github.sparkbic.bench.micro

import java.util.concurrent.TimeUnit

import org.openjdk.jmh.annotations._

import io.github.sparkbic.bench.stream.EdgeStream
import io.github.sparkbic.index.Indexes
import io.github.sparkbic.index.contract.{ConnectivityIndex, Panes}
import io.github.sparkbic.index.forests.{EdgeSets, PaneForest, PaneForestBuilder}

/** What stage 2 pays for a pane that several input tasks saw, and what it would pay for their forests merged, with and
  * without the merge itself. A score is for an edge of the stream, over windows of 20 panes of 150,000 edges.
  */
@State(Scope.Thread)
@BenchmarkMode(Array(Mode.AverageTime))
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(ForestMergeBenchmark.Edges)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
class ForestMergeBenchmark {
  import ForestMergeBenchmark._

  @Param(Array("1", "4", "16"))
  var tasks: Int = 0

  /** 20: as many vertices as in the other benchmarks; 12: panes in which every vertex has dozens of edges. */
  @Param(Array("12", "20"))
  var scale: Int = 0

  @Param(Array("recency", "bic"))
  var index: String = ""

  // By pane and task.
  private var forests = Array.empty[Array[PaneForest]]
  private var merged = Array.empty[PaneForest]

  @Setup
  def build(): Unit = {
    val stream = EdgeStream.rmat(scale, Edges, 1)
    forests = Array.tabulate(Edges / PerPane) { pane =>
      Array.tabulate(tasks) { task =>
        val builder = new PaneForestBuilder()
        (pane * PerPane + task until (pane + 1) * PerPane by tasks).foreach { i =>
          builder.add(stream.sources(i), stream.targets(i))
        }
        builder.result()
      }
    }
    merged = forests.map(EdgeSets.merged(_))
  }

  @Benchmark
  def insertEach(): ConnectivityIndex =
    insert((index, pane) => forests(pane).foreach(index.insert(pane.toLong, _)))

  @Benchmark
  def insertMerged(): ConnectivityIndex = insert((index, pane) => index.insert(pane.toLong, merged(pane)))

  @Benchmark
  def mergeAndInsert(): ConnectivityIndex =
    insert((index, pane) => index.insert(pane.toLong, EdgeSets.merged(forests(pane))))

  private def insert(pane: (ConnectivityIndex, Int) => Unit): ConnectivityIndex = {
    val created = Indexes.create(index, Panes(20, 1))
    var p = 0
    while (p < forests.length) {
      pane(created, p)
      created.closePane(p.toLong)
      p += 1
    }
    created
  }
}

object ForestMergeBenchmark {
  final val Edges = 6000000
  final val PerPane = 150000
}
