package io.github.sparkbic.bench.micro

import java.util.SplittableRandom
import java.util.concurrent.TimeUnit

import org.openjdk.jmh.annotations._

import io.github.sparkbic.bench.stream.EdgeStream
import io.github.sparkbic.index.forests.{EdgeSets, PaneForestBuilder}

/** What stage 1 pays for an edge: its part of the forest of a pane, and of packing that; and what stage 2 pays for it to
  * unpack that. `bench/Jmh/run PaneForestBenchmark`.
  */
@State(Scope.Thread)
@BenchmarkMode(Array(Mode.AverageTime))
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(PaneForestBenchmark.Edges)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
class PaneForestBenchmark {
  import PaneForestBenchmark._

  /** R-MAT of scale 20; the same between scattered ids; ends uniform in so many ids. */
  @Param(Array("rmat", "rmat-scattered", "300000", "1000000", "4000000", "8000000"))
  var stream: String = ""

  private var sources = Array.empty[Long]
  private var targets = Array.empty[Long]
  private var packed = Seq.empty[Array[Byte]]

  @Setup
  def build(): Unit = {
    val edges = stream match {
      case "rmat"           => EdgeStream.rmat(20, Edges, 1)
      case "rmat-scattered" => EdgeStream.rmat(20, Edges, 1)
      case vertices         => EdgeStream.uniform(vertices.toLong, Edges, 1)
    }
    def id(v: Long) = if (stream == "rmat-scattered") new SplittableRandom(v).nextLong() else v
    sources = Array.tabulate(Edges)(i => id(edges.sources(i)))
    targets = Array.tabulate(Edges)(i => id(edges.targets(i)))
    val blocks = Seq.newBuilder[Array[Byte]]
    pack(blocks += _)
    packed = blocks.result()
  }

  @Benchmark
  def panes(): Long = {
    var bytes = 0L
    pack(block => bytes += block.length)
    bytes
  }

  @Benchmark
  def unpack(): Long = {
    var vertices = 0L
    packed.foreach(block => vertices += EdgeSets.fromBytes(block).size)
    vertices
  }

  private def pack(send: Array[Byte] => Unit): Unit = {
    var i = 0
    while (i < Edges) {
      val forest = new PaneForestBuilder
      val until = i + PerPane
      while (i < until) {
        forest.add(sources(i), targets(i))
        i += 1
      }
      send(EdgeSets.toBytes(forest.result()))
    }
  }
}

object PaneForestBenchmark {
  final val Edges = 3000000
  final val PerPane = 150000
}
