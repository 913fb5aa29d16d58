package io.github.sparkbic.index

import scala.annotation.nowarn

import org.scalacheck.{Gen, Shrink}

import io.github.sparkbic.index.contract.{IndexConfig, Panes}

/** One edge of a test stream, in the order `time: src – dst`. */
final case class TimedEdge(time: Long, src: Long, dst: Long) {
  override def toString: String = s"$time:$src-$dst"
}

/** A random stream with a window: what every test of the law is run on. */
final case class Stream(edges: Seq[TimedEdge], panes: Panes) {
  def sorted: Seq[TimedEdge] = edges.sortBy(_.time)

  def vertices: Seq[Long] = edges.flatMap(e => Seq(e.src, e.dst)).distinct

  /** Some vertices in some order, and two that never occur: none of the stream, a few, or all. */
  def marks(seed: Long): Seq[Long] = {
    val random = new scala.util.Random(seed)
    val part = Seq(0.0, 0.1, 0.5, 1.0)(random.nextInt(4))
    random.shuffle(vertices.filter(_ => random.nextDouble() < part) ++ Seq(987654321987654321L, -777777L))
  }

  /** The edges with `start <= pane < end`, each with its pane. */
  def paned(start: Long, end: Long): Seq[(Long, TimedEdge)] =
    edges.map(e => panes.paneOf(e.time) -> e).filter(e => e._1 >= start && e._1 < end)

  /** The same edges between vertices 0, 1, 2 … where an index takes no other ids. */
  def numbered(config: IndexConfig): Stream =
    if (!config.idsAreNumbers) this
    else {
      val number = vertices.zipWithIndex.toMap
      copy(edges.map(e => TimedEdge(e.time, number(e.src).toLong, number(e.dst).toLong)))
    }

  override def toString: String =
    s"Stream(window ${panes.window}, slide ${panes.slide}, startTime ${panes.startTime}: ${edges.mkString(" ")})"
}

object Streams {

  /** Ids that are close together, and ids at the ends and around zero of the 64-bit range. */
  private def vertex(count: Int, wild: Boolean): Gen[Long] =
    if (!wild) Gen.choose(0L, count.toLong - 1)
    else
      Gen.choose(0, count - 1).map { i =>
        i % 4 match {
          case 0 => Long.MinValue + i
          case 1 => Long.MaxValue - i
          case 2 => -i.toLong
          case _ => i * 0x9e3779b97f4a7c15L
        }
      }

  /** Steps between edges: mostly none (ties) or small, sometimes a gap of several windows. */
  private val step: Gen[Long] =
    Gen.frequency(6 -> Gen.const(0L), 8 -> Gen.choose(1L, 3L), 1 -> Gen.choose(4L, 80L))

  private def panes(slides: Long, more: Long, extra: Long): Gen[Panes] = for {
    slide <- Gen.choose(1L, slides)
    extra <- Gen.frequency(3 -> Gen.choose(0L, more).map(_ * slide), 2 -> Gen.choose(0L, extra))
    startTime <- Gen.frequency(2 -> Gen.const(0L), 1 -> Gen.choose(-40L, 40L))
  } yield Panes(slide + extra, slide, startTime)

  val stream: Gen[Stream] = for {
    panes <- panes(slides = 12, more = 5, extra = 30)
    count <- Gen.oneOf(Gen.choose(1, 4), Gen.choose(5, 12), Gen.choose(20, 60))
    wild <- Gen.prob(0.3)
    size <- Gen.choose(0, 120)
    start <- Gen.choose(-200L, 200L)
    steps <- Gen.listOfN(size, step)
    loops <- Gen.prob(0.3)
    ends <- Gen.listOfN(size, Gen.zip(vertex(count, wild), vertex(count, wild)))
  } yield {
    val times = steps.scanLeft(start)(_ + _).tail
    val edges = times.zip(ends).map { case (t, (u, v)) => TimedEdge(t, u, if (loops && t % 3 == 0) u else v) }
    Stream(edges, panes)
  }

  /** Ids of a phase of a stream, each made of a number at random and of the place of its edge in the phase. */
  private val ids: Gen[(Long, Int) => Long] = for {
    width <- Gen.oneOf(2, 12, 60, 150)
    first <- Gen.oneOf(0L, -30L, Long.MinValue, Long.MaxValue - 2000L, 0x1234567890abL)
    pattern <- Gen.frequency(
      4 -> ((n: Long, _: Int) => first + Math.floorMod(n, width)),
      3 -> ((n: Long, _: Int) => if (Math.floorMod(n, 97) < 4) n else first + Math.floorMod(n, width)),
      2 -> ((n: Long, _: Int) => if ((n & 1) == 0) n else first + Math.floorMod(n, width)),
      3 -> ((n: Long, _: Int) => Math.floorMod(n, width) * 0x9e3779b97f4a7c15L),
      1 -> ((n: Long, _: Int) => first + 11L * Math.floorMod(n, width)),
      3 -> ((n: Long, i: Int) => first + 2L * i + Math.floorMod(n, 6)),
      1 -> ((n: Long, _: Int) => if (n < 0) Long.MinValue + n % 5 * -1 else Long.MaxValue - n % 5)
    )
  } yield pattern

  /** Streams of a few phases. Their ids are dense, dense but for a few far from the others, scattered, rising with
    * time, or at the ends of the `Long` range. Phases are longer or shorter than a window.
    */
  val phases: Gen[Stream] = for {
    panes <- panes(slides = 6, more = 4, extra = 12)
    start <- Gen.choose(-200L, 200L)
    count <- Gen.choose(1, 4)
    edges <- Gen.listOfN(count, phase(panes.window))
  } yield {
    var time = start
    val timed = edges.flatten.map { case (step, u, v) =>
      time += step
      TimedEdge(time, u, v)
    }
    Stream(timed, panes)
  }

  /** Steps in time and edges, over half a window, so that ids of several phases are held at a time, or over some two. */
  private def phase(window: Long): Gen[List[(Long, Long, Long)]] = for {
    size <- Gen.frequency(2 -> Gen.choose(1, 20), 3 -> Gen.choose(40, 160))
    id <- ids
    span <- Gen.oneOf(window / 2 + 1, 2 * window)
    reach = math.max(1L, 5 * span / (2 * size))
    often = math.max(0, size - span.toInt)
    step = Gen.frequency(often -> Gen.const(0L), 60 -> Gen.choose(0L, reach), 1 -> Gen.choose(0L, 6 * window))
    loops <- Gen.oneOf(0, 0, 3)
    drawn <- Gen.listOfN(size, Gen.zip(step, Gen.long, Gen.long))
  } yield drawn.zipWithIndex.map { case ((step, u, v), i) =>
    (step, id(u, i), id(if (loops > 0 && i % loops == 0) u else v, i))
  }

  /** Thresholds so small that short streams reach all that long ones reach with the defaults. */
  val config: Gen[IndexConfig] = for {
    seed <- Gen.long
    batchEdges <- Gen.choose(1, 4)
    sweepPart <- Gen.choose(2, 16)
    reach <- Gen.frequency(1 -> Gen.choose(1L, 30L), 2 -> Gen.const(1L << 30))
    threads <- Gen.oneOf(1, 1, 2)
    idsAreNumbers <- Gen.prob(0.2)
  } yield smallConfig(seed, batchEdges, sweepPart, reach)
    .copy(threads = threads, idsAreNumbers = idsAreNumbers)

  def smallConfig(seed: Long, batchEdges: Int, sweepPart: Int, reach: Long): IndexConfig = IndexConfig(
    seed = seed,
    batchEdges = batchEdges,
    smallestDense = 4,
    sweepPart = sweepPart,
    smallestThinned = 4,
    smallestSparse = 8,
    smallestConcurrent = 1,
    reach = reach
  )

  val indexName: Gen[String] = Gen.oneOf(Indexes.names)

  /** Numbers drawn from a range, and names from a list, stay as they are: shrunk, they would leave it. */
  implicit val asDrawn: Shrink[Int] = Shrink.shrinkAny
  implicit val nameAsDrawn: Shrink[String] = Shrink.shrinkAny
  implicit val configAsDrawn: Shrink[IndexConfig] = Shrink.shrinkAny

  /** Fewer edges: the window is part of what fails, and stays. Of long streams only large parts are left out, since a test
    * of one takes seconds.
    */
  @nowarn("cat=deprecation") // ScalaCheck takes a lazy list of another class with each version of Scala.
  implicit val shrinkStream: Shrink[Stream] = Shrink { stream =>
    val n = stream.edges.size
    val sizes = Iterator.iterate(n / 2)(_ / 2).takeWhile(_ > math.max(0, n - 500) / 8)
    val halves = sizes.flatMap(size => (0 until n by size).iterator.map(stream.edges.patch(_, Nil, size)))
    halves.map(edges => stream.copy(edges = edges)).toStream
  }
}
