package io.github.sparkbic.bench.run

import java.nio.file.{Path, Paths}

import io.github.sparkbic.bench.WindowSystem
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
      s"--slide must be a positive multiple of $unit edges and no longer than the window, but it is $slide"
    )
    require(queries > 0, s"--queries must be positive, but it is $queries")
    require(runs > 0, s"--runs must be positive, but it is $runs")
    require(clock == "wall" || clock == "cpu", s"--clock must be wall or cpu, but it is $clock")
    systems.filterNot(WindowSystem.names.contains).foreach { name =>
      throw new IllegalArgumentException(
        s"unknown system '$name'; there is: ${WindowSystem.names.mkString(", ")}"
      )
    }
    this
  }

  def load(): EdgeStream = stream match {
    case "rmat"    => EdgeStream.rmat(scale, edges, seed)
    case "uniform" => EdgeStream.uniform(vertices, edges, seed)
    case "fresh"   => EdgeStream.fresh(edges)
    case file      => EdgeStream.read(Paths.get(file), edges)
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

  val help: String =
    s"""Sliding-window connectivity, measured.
       |
       |  --stream NAME       rmat, uniform, fresh, or a file of 'src dst [time]' lines     [rmat]
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
       |Each system runs in a JVM of its own: a warm-up pass, the measured runs, and a pass that measures memory.
       |Latency is the response time when an edge completes a window: expiry, answers, and the first edge of the next
       |pane. A burst is 1,000 edges without a window's end. All exact systems must give the same answers, or the run
       |fails; where the two union-find, which never forget, say that a pair is not connected, the window must agree.""".stripMargin

  def parse(arguments: List[String], options: Options = Options()): Options = arguments match {
    case Nil                             => options
    case "--worker" :: rest              => parse(rest, options.copy(worker = true))
    case "--suite" :: rest               => parse(rest, options.copy(suite = true))
    case "--no-memory" :: rest           => parse(rest, options.copy(memory = false))
    case "--experiment" :: value :: rest => parse(rest, options.copy(experiment = value))
    case "--stream" :: value :: rest     => parse(rest, options.copy(stream = value))
    case "--scale" :: value :: rest      => parse(rest, options.copy(scale = value.toInt))
    case "--vertices" :: value :: rest   => parse(rest, options.copy(vertices = value.toLong))
    case "--seed" :: value :: rest       => parse(rest, options.copy(seed = value.toLong))
    case "--edges" :: value :: rest      => parse(rest, options.copy(edges = value.toInt))
    case "--window" :: value :: rest     => parse(rest, options.copy(window = value.toInt))
    case "--slide" :: value :: rest      => parse(rest, options.copy(slide = value.toInt))
    case "--queries" :: value :: rest    => parse(rest, options.copy(queries = value.toInt))
    case "--systems" :: value :: rest    => parse(rest, options.copy(systems = value.split(',').toSeq))
    case "--runs" :: value :: rest       => parse(rest, options.copy(runs = value.toInt))
    case "--cap" :: value :: rest        => parse(rest, options.copy(cap = value.toDouble))
    case "--clock" :: value :: rest      => parse(rest, options.copy(clock = value))
    case "--heap" :: value :: rest       => parse(rest, options.copy(heap = value))
    case "--out" :: value :: rest        => parse(rest, options.copy(out = Some(Paths.get(value))))
    case other :: _ => throw new IllegalArgumentException(s"'$other' is not an option, or lacks its value")
  }
}
