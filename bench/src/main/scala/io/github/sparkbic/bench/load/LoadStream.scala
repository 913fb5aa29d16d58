package io.github.sparkbic.bench.load

import org.apache.spark.sql.{DataFrame, SparkSession}
import org.apache.spark.sql.catalyst.expressions.XXH64
import org.apache.spark.sql.functions._

import io.github.sparkbic.bench.baseline.ScratchComponents

/** A stream without an end, in which each edge brings one new vertex and no vertex stays.
  *
  * Edge `n` joins two vertices drawn from the last [[Span]] ones. On average a vertex has two edges, all within `Span`
  * edges of the stream. Ids are hashes, so no range of ids is dense. Edges come from a formula: the check computes them
  * again, and no file of edges limits the length of a run.
  */
object LoadStream {

  /** Vertices that edges are drawn from, and so the life of a vertex, in edges. */
  final val Span = 1 << 19

  /** Edges of a slide, which lasts a minute of event time. */
  final val SlideEdges = 500000

  final val SlidesOfWindow = 4

  final val SlideMicros = 60000000L
  private final val MicrosOfEdge = SlideMicros / SlideEdges
  final val WindowEdges: Int = SlidesOfWindow * SlideEdges
  val Slide = "1 minute"
  val Window = s"$SlidesOfWindow minutes"

  private final val SourceSeed = 1
  private final val TargetSeed = 2
  private final val IdSeed = 42L

  /** Micro-batches of so many edges, as fast as the query takes them; source, target and time. */
  def edges(spark: SparkSession, edgesOfBatch: Int, partitions: Int): DataFrame = {
    val n = col("value")
    spark.readStream.format("rate-micro-batch")
      .option("rowsPerBatch", edgesOfBatch.toString)
      .option("numPartitions", partitions.toString)
      .load()
      .select(
        xxhash64(n + Span - pmod(xxhash64(n, lit(SourceSeed)), lit(Span.toLong))).as("src"),
        xxhash64(n + Span - pmod(xxhash64(n, lit(TargetSeed)), lit(Span.toLong))).as("dst"),
        timestamp_micros(n * MicrosOfEdge).as("time")
      )
      .withWatermark("time", "0 seconds")
  }

  /** Number of the first edge of a window, from the window's start in microseconds; negative before the stream. */
  def firstEdge(startMicros: Long): Long = startMicros / MicrosOfEdge

  /** Vertices, edges, components and vertices of the largest component of a window, from scratch, by union–find. */
  def stats(startMicros: Long): Seq[Long] = {
    val first = firstEdge(startMicros)
    val from = math.max(first, 0)
    val until = first + WindowEdges
    def ends(seed: Int) = Array.tabulate((until - from).toInt)(i => vertex(from + i, seed, from))
    val (sources, targets) = (ends(SourceSeed), ends(TargetSeed))
    ScratchComponents.of(sources, targets, sources.indices, WindowEdges + Span + 1).stats
  }

  /** An end of edge `n`, as its place in the arrays of a window whose first edge is `from`. */
  private def vertex(n: Long, seed: Int, from: Long): Long =
    n + Span - java.lang.Math.floorMod(XXH64.hashInt(seed, XXH64.hashLong(n, IdSeed)), Span.toLong) - from
}
