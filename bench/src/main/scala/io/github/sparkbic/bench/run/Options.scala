package io.github.sparkbic.bench.run

import java.nio.file.{Files, Path, Paths}

import io.github.sparkbic.bench.{CommandLine, WindowSystem}
import io.github.sparkbic.bench.stream.EdgeStream

/** One setting of an experiment; all lengths in edges. */
final case class Options(
    experiment: String = "single",
    stream: String = "rmat",
    scale: Int = 20,
    vertices: Long = 8000000L,
    seed: Long = 1L,
    edges: Int = 12000000,
    window: Int = 3000000,
    slide: Int = 150000,
    queries: Int = 100,
    systems: Seq[String] = Seq("union-find", "recency", "bic"),
    runs: Int = 1,
    cap: Double = 120,
    clock: String = "wall",
    memory: Boolean = true,
    heap: String = "5g",
    out: Option[Path] = None,
    suite: Boolean = false,
    worker: Boolean = false
) {
  def validated: Options = {
    val unit = EdgeStream.EdgesPerTimestamp
    require(edges > 0, s"--edges must be positive, but it is $edges")
    require(
      window > 0 && window % unit == 0,
      s"--window must be a positive multiple of $unit edges, but it is $window"
    )
    require(
      slide > 0 && slide % unit == 0 && slide <= window,
      s"--slide must be a positive multiple of $unit edges and no longer than the window of $window, but it is $slide"
    )
    require(
      edges >= window,
      s"--edges $edges are fewer than a --window of $window: no window would be answered"
    )
    require(queries > 0, s"--queries must be positive, but it is $queries")
    require(
      ((edges - window) / slide + 1L) * queries <= Int.MaxValue,
      s"--queries $queries in each of ${(edges - window) / slide + 1} windows are more answers than can be compared"
    )
    require(runs > 0, s"--runs must be positive, but it is $runs")
    require(cap > 0, s"--cap must be positive, but it is $cap")
    require(clock == "wall" || clock == "cpu", s"--clock must be wall or cpu, but it is $clock")
    CommandLine.requireHeap(heap)
    CommandLine.requireKnown("--systems", "system", systems, WindowSystem.names)
    stream match {
      case "rmat" | "rmat-scattered"       => EdgeStream.requireScale(scale)
      case "uniform" | "uniform-scattered" => EdgeStream.requireVertices(vertices)
      case "fresh"                         =>
      case file =>
        require(
          Files.isReadable(Paths.get(file)) && !Files.isDirectory(Paths.get(file)),
          s"--stream must be rmat or uniform, -scattered or not, fresh or a file that can be read, but it is '$file'"
        )
    }
    this
  }

  def load(): EdgeStream = stream match {
    case "rmat"              => EdgeStream.rmat(scale, edges, seed)
    case "uniform"           => EdgeStream.uniform(vertices, edges, seed)
    case "rmat-scattered"    => EdgeStream.rmat(scale, edges, seed).scattered
    case "uniform-scattered" => EdgeStream.uniform(vertices, edges, seed).scattered
    case "fresh"             => EdgeStream.fresh(edges)
    case file                => EdgeStream.read(Paths.get(file), edges)
  }

  /** The arguments that make a worker run one system of this setting. */
  def workerArguments(system: String): Seq[String] = Seq(
    "--worker",
    "--experiment",
    experiment,
    "--stream",
    stream,
    "--scale",
    scale.toString,
    "--vertices",
    vertices.toString,
    "--seed",
    seed.toString,
    "--edges",
    edges.toString,
    "--window",
    window.toString,
    "--slide",
    slide.toString,
    "--queries",
    queries.toString,
    "--systems",
    system,
    "--runs",
    runs.toString,
    "--cap",
    cap.toString,
    "--clock",
    clock
  ) ++ (if (memory) Nil else Seq("--no-memory"))
}

object Options {
  import CommandLine.{double, int, long, Value}

  val help: String =
    s"""Sliding-window connectivity, measured.
       |
       |  --stream NAME       rmat, uniform, fresh, or a file of 'src dst [time]' lines, which
       |                      gzip may have packed; rmat-scattered and uniform-scattered
       |                      have the same edges between ids from all 64-bit numbers      [rmat]
       |  --scale N           rmat: 2^N vertices                                           [20]
       |  --vertices N        uniform: number of vertices                                  [8000000]
       |  --seed N            of the generators                                            [1]
       |  --edges N           length of the stream; of a file, at most so many             [12000000]
       |  --window N          edges in a window, a multiple of ${EdgeStream.EdgesPerTimestamp}                         [3000000]
       |  --slide N           edges in a slide, a multiple of ${EdgeStream.EdgesPerTimestamp}                          [150000]
       |  --queries N         pairs asked in each window                                   [100]
       |  --systems A,B,...   of ${WindowSystem.names.mkString(", ")}
       |                                                                    [union-find,recency,bic]
       |  --runs N            measured runs after the warm-up; the median is reported      [1]
       |  --cap SECONDS       stop a run of a slower system, and say so                    [120]
       |  --clock wall|cpu    cpu leaves out the time in which other processes had the core [wall]
       |  --no-memory         skip the pass that measures the retained heap
       |  --heap SIZE         of each worker                                               [5g]
       |  --out FILE          where to write the results, a JSON list
       |  --suite             all experiments of the report, into --out [bench/results/index.json];
       |                      --runs, --clock, --cap and --heap apply, the rest does not
       |
       |Each system runs in a JVM of its own: a second or more of warm-up, the measured runs, and a pass that measures
       |memory.
       |Latency is the response time when an edge completes a window: expiry, answers, and the first edge of the next
       |pane. A burst is 1,000 edges without a window's end. All exact systems must give the same answers, or the run
       |fails; where a union-find, which never forgets, says that a pair is not connected, the window must agree.
       |answers_crc is over the windows that a system answered, which are fewer if it was stopped; for a union-find it is
       |of what RWC answers, off the clock, to check it. A percentile is the smallest value that so many do not exceed:
       |of fewer than 100 windows, P99 is the slowest.""".stripMargin

  def parse(arguments: List[String], options: Options = Options()): Options = arguments match {
    case Nil                                    => options
    case "--worker" :: rest                     => parse(rest, options.copy(worker = true))
    case "--suite" :: rest                      => parse(rest, options.copy(suite = true))
    case "--no-memory" :: rest                  => parse(rest, options.copy(memory = false))
    case "--experiment" :: Value(value) :: rest => parse(rest, options.copy(experiment = value))
    case "--stream" :: Value(value) :: rest     => parse(rest, options.copy(stream = value))
    case "--scale" :: Value(value) :: rest      => parse(rest, options.copy(scale = int("--scale", value)))
    case "--vertices" :: Value(value) :: rest =>
      parse(rest, options.copy(vertices = long("--vertices", value)))
    case "--seed" :: Value(value) :: rest    => parse(rest, options.copy(seed = long("--seed", value)))
    case "--edges" :: Value(value) :: rest   => parse(rest, options.copy(edges = int("--edges", value)))
    case "--window" :: Value(value) :: rest  => parse(rest, options.copy(window = int("--window", value)))
    case "--slide" :: Value(value) :: rest   => parse(rest, options.copy(slide = int("--slide", value)))
    case "--queries" :: Value(value) :: rest => parse(rest, options.copy(queries = int("--queries", value)))
    case "--systems" :: Value(value) :: rest => parse(rest, options.copy(systems = value.split(',').toSeq))
    case "--runs" :: Value(value) :: rest    => parse(rest, options.copy(runs = int("--runs", value)))
    case "--cap" :: Value(value) :: rest     => parse(rest, options.copy(cap = double("--cap", value)))
    case "--clock" :: Value(value) :: rest   => parse(rest, options.copy(clock = value))
    case "--heap" :: Value(value) :: rest    => parse(rest, options.copy(heap = value))
    case "--out" :: Value(value) :: rest     => parse(rest, options.copy(out = Some(Paths.get(value))))
    case other                               => CommandLine.refuse(other)
  }
}
