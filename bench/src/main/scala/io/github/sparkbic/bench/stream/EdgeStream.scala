package io.github.sparkbic.bench.stream

import java.nio.file.Path
import java.util.{Random, SplittableRandom}

/** A whole stream in memory, so that making or reading it is no part of what is measured. */
final class EdgeStream(val name: String, val sources: Array[Long], val targets: Array[Long]) {
  def size: Int = sources.length

  /** Pairs of vertices of the stream, ends of random edges: vertices with many edges are asked for more often. */
  def queries(count: Int, seed: Long): Array[(Long, Long)] = {
    val random = new Random(seed)
    Array.fill(count)((sources(random.nextInt(size)), targets(random.nextInt(size))))
  }

  /** The same edges between ids that are anywhere among the 64-bit numbers, where these are numbered from zero on. */
  def scattered: EdgeStream = {
    def scatter(ids: Array[Long]): Array[Long] = ids.map(_ * EdgeStream.Odd)
    new EdgeStream(s"$name-scattered", scatter(sources), scatter(targets))
  }

  def prefix(edges: Int): EdgeStream =
    if (edges >= size) this else new EdgeStream(name, sources.take(edges), targets.take(edges))
}

object EdgeStream {

  /** A stream of the microbenchmarks: `rmat` at scale 20, or `uniform` edges between 8 million vertices. */
  def named(name: String, edges: Int): EdgeStream =
    if (name == "rmat") rmat(20, edges, 1) else uniform(8000000L, edges, 1)

  /** Multiplied by it, numbers become others, of which no two are the same. */
  private val Odd = 0x9e3779b97f4a7c15L

  /** Edges that share one timestamp; a window or a slide is a whole number of timestamps. */
  val EdgesPerTimestamp = 100

  def requireScale(scale: Int): Unit =
    require(scale >= 1 && scale <= 30, s"--scale of an R-MAT stream must be in 1 to 30, but it is $scale")

  def requireVertices(vertices: Long): Unit =
    require(vertices >= 1, s"--vertices of a uniform stream must be positive, but it is $vertices")

  /** Graph500 R-MAT: each edge descends `scale` times into a quadrant of the adjacency matrix, with probabilities
    * .57, .19, .19 and .05; ids are permuted at random, so that they tell nothing of the degree.
    */
  def rmat(scale: Int, edges: Int, seed: Long): EdgeStream = {
    requireScale(scale)
    val random = new SplittableRandom(seed)
    val permuted = Array.range(0, 1 << scale)
    var i = permuted.length - 1
    while (i > 0) {
      val j = random.nextInt(i + 1)
      val x = permuted(i)
      permuted(i) = permuted(j)
      permuted(j) = x
      i -= 1
    }
    val sources = new Array[Long](edges)
    val targets = new Array[Long](edges)
    i = 0
    while (i < edges) {
      var u = 0
      var v = 0
      var bit = 0
      while (bit < scale) {
        val r = random.nextInt(100)
        u = u << 1 | (if (r < 76) 0 else 1)
        v = v << 1 | (if (r < 57 || (r >= 76 && r < 95)) 0 else 1)
        bit += 1
      }
      sources(i) = permuted(u).toLong
      targets(i) = permuted(v).toLong
      i += 1
    }
    new EdgeStream(s"rmat-$scale", sources, targets)
  }

  /** Both ends uniform among `vertices`: many small components and ever new vertices. */
  def uniform(vertices: Long, edges: Int, seed: Long): EdgeStream = {
    requireVertices(vertices)
    val random = new SplittableRandom(seed)
    new EdgeStream(
      s"uniform-$vertices",
      Array.fill(edges)(random.nextLong(vertices)),
      Array.fill(edges)(random.nextLong(vertices))
    )
  }

  /** Every vertex is new, and never comes back after its pane: what an index that never forgets dies of. */
  def fresh(edges: Int): EdgeStream = {
    val ids = Array.tabulate(edges)(_ * Odd)
    new EdgeStream("fresh", ids, ids.tail :+ -1L)
  }

  /** The first edges of a file of text: see [[EdgeFile]]. */
  def read(file: Path, limit: Int): EdgeStream = new EdgeFile(file, limit).read()
}
