package io.github.sparkbic.bench.micro

import java.util.concurrent.TimeUnit

import org.openjdk.jmh.annotations._

import io.github.sparkbic.bench.EdgeBatch
import io.github.sparkbic.bench.stream.EdgeStream
import io.github.sparkbic.index.Indexes
import io.github.sparkbic.index.contract.{ConnectivityIndex, IndexSize, Panes}
import io.github.sparkbic.index.format.BinaryWriter
import io.github.sparkbic.index.kernels.LongInterner

/** Nanoseconds for interning a vertex, finding one and inserting an edge, milliseconds for saving an index
  * and for the components of a window:
  * `bench/Jmh/run -prof gc IndexBenchmark`.
  */
@State(Scope.Thread)
@BenchmarkMode(Array(Mode.AverageTime))
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
class IndexBenchmark {

  @Param(Array("rmat", "uniform"))
  var stream: String = "rmat"

  @Param(Array("bic", "recency"))
  var system: String = "bic"

  private var edges: EdgeStream = _
  private var interner: LongInterner = _
  private var index: ConnectivityIndex = _
  private val batch = new EdgeBatch(128)
  private var at = 0
  private var pane = 0L

  private val perWindow = 20
  private val perPane = 150000

  @Setup
  def fill(): Unit = {
    edges = EdgeStream.named(stream, 6000000)
    interner = new LongInterner()
    index = Indexes.create(system, Panes(perWindow.toLong, 1))
    while (at < perWindow * perPane) {
      interner.intern(edges.sources(at))
      insert()
    }
    closePane()
  }

  /** The next edge, again and again from the first: a look-up takes so little that a count of them all would overflow. */
  private def next(): Int = {
    at += 1
    if (at == edges.size) at = 0
    at
  }

  private def flush(): Unit = {
    index.insert(pane, batch)
    batch.clear()
  }

  private def closePane(): Unit = {
    flush()
    index.closePane(pane)
    pane += 1
  }

  /** A vertex that is most likely known. */
  @Benchmark
  def intern(): Int =
    interner.intern(edges.sources(next()))

  /** The other end of an edge, which may be one that is not there. */
  @Benchmark
  def find(): Int =
    interner.find(edges.targets(next()))

  /** An edge, with the work of window after window in proportion. */
  @Benchmark
  def insert(): Unit = {
    val i = next()
    if (i % perPane == 0) closePane()
    if (batch.isFull) flush()
    batch.add(edges.sources(i), edges.targets(i))
  }

  /** The state of a window's index, as a micro-batch of a stream writes it. */
  @Benchmark
  @OutputTimeUnit(TimeUnit.MILLISECONDS)
  def save(): IndexSize = index.save(new BinaryWriter())

  /** The components of the last window, and the size of the largest of them. */
  @Benchmark
  @OutputTimeUnit(TimeUnit.MILLISECONDS)
  def components(): Int = index.components(pane - perWindow).largest
}
