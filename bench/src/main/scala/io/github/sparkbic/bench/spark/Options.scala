package io.github.sparkbic.bench.spark

import java.nio.file.{Files, Path, Paths}

import io.github.sparkbic.bench.CommandLine
import io.github.sparkbic.bench.stream.EdgeStream

/** One setting: a stream, how it is run, and the queries that are measured on it. Lengths are in edges.
  *
  * @param window none for three million, or a quarter of a stream that is shorter than twelve million
  * @param slide  none for a twentieth of the window
  * @param ids    what the numbers of the generator become
  * @param partitions input partitions of a micro-batch, each of which sees every pane
  */
final case class Options(
    stream: String = "rmat",
    scale: Int = 20,
    vertices: Long = 8000000L,
    graphs: Int = 100000,
    seed: Long = 1L,
    ids: String = VertexKind.Dense,
    edges: Int = 20000000,
    mode: String = "batch",
    cores: Int = 1,
    batch: Int = 2000000,
    partitions: Int = 1,
    window: Option[Int] = None,
    slide: Option[Int] = None,
    delay: Int = 0,
    pairs: Int = 100,
    marks: Int = 1000,
    queries: Seq[String] = Options.Defaults,
    part: Int = 4,
    segmentWindows: Option[Int] = None,
    warmUp: Int = 25,
    runs: Int = 3,
    heap: String = "2g",
    index: String = "recency",
    memory: Boolean = false,
    graphframes: Option[Path] = None,
    out: Option[Path] = None,
    suite: Option[Suite] = None,
    worker: Option[String] = None
) {
  def windowEdges: Int = {
    val unit = 20 * EdgeStream.EdgesPerTimestamp
    window.getOrElse(math.max(unit, math.min(3000000, edges / 4) / unit * unit))
  }

  def slideEdges: Int = slide.getOrElse(windowEdges / 20)

  /** A hundred edges share a millisecond. */
  def windowMillis: Long = windowEdges.toLong / EdgeStream.EdgesPerTimestamp

  def slideMillis: Long = slideEdges.toLong / EdgeStream.EdgesPerTimestamp

  /** The delay of the watermark of a stream. */
  def delayMillis: Long = delay * slideMillis

  def streamName: String =
    (stream match {
      case "rmat"    => s"rmat-$scale"
      case "uniform" => s"uniform-$vertices"
      case "graphs"  => s"graphs-$graphs"
    }) + (if (ids == VertexKind.Dense) "" else s"-$ids")

  /** Above every id of the stream. */
  def idLimit: Int = if (stream == "rmat") 1 << scale else vertices.toInt

  /** Whether each graph has windows of its own. */
  def keyed: Boolean = stream == "graphs"

  def validated: Options = {
    val unit = EdgeStream.EdgesPerTimestamp
    require(
      Options.Streams.contains(stream),
      s"--stream must be one of ${Options.Streams.mkString(", ")}, not $stream"
    )
    stream match {
      case "rmat"    => EdgeStream.requireScale(scale)
      case "uniform" => EdgeStream.requireVertices(vertices)
      case _         => require(graphs > 0, s"--graphs must be positive, but it is $graphs")
    }
    require(mode == "batch" || mode == "stream", s"--mode must be batch or stream, but it is $mode")
    require(edges > 0, s"--edges must be positive, but it is $edges")
    require(cores > 0, s"--cores must be positive, but it is $cores")
    require(batch > 0, s"--batch must be positive, but it is $batch")
    require(partitions > 0, s"--partitions must be positive, but it is $partitions")
    require(partitions == 1 || mode == "stream", s"--partitions $partitions needs --mode stream")
    require(delay >= 0, s"--delay must not be negative, but it is $delay")
    require(pairs > 0, s"--pairs must be positive, but it is $pairs")
    require(marks > 1, s"--marks must be two at least, but it is $marks")
    require(part > 0, s"--part must be positive, but it is $part")
    require(
      segmentWindows.forall(_ >= 0),
      s"--segment-windows must not be negative, but it is ${segmentWindows.get}"
    )
    require(warmUp >= 0, s"--warm-up must not be negative, but it is $warmUp")
    require(runs > 0, s"--runs must be positive, but it is $runs")
    Seq("--window" -> windowEdges, "--slide" -> slideEdges).foreach { case (name, value) =>
      require(
        value > 0 && value % unit == 0,
        s"$name must be a positive multiple of $unit edges, but it is $value"
      )
    }
    require(slideEdges <= windowEdges, s"--slide $slideEdges is longer than --window $windowEdges")
    require(
      windowEdges <= edges,
      s"--edges $edges are fewer than a --window of $windowEdges: there would be no full window"
    )
    CommandLine.requireHeap(heap)
    CommandLine.requireKnown("--queries", "query", queries, Options.Queries)
    CommandLine.requireKnown("--index", "index", Seq(index), Options.Ours)
    CommandLine.requireKnown("--ids", "kind of ids", Seq(ids), VertexKind.All)
    require(
      ids == VertexKind.Dense || queries.forall(query =>
        query == "scan" || GroupQueries.Ours.contains(query)
      ),
      s"--ids $ids is for scan, and for our queries about groups"
    )
    require(
      !keyed || queries.forall(Options.KeyedQueries.contains),
      s"--stream graphs has: ${Options.KeyedQueries.mkString(", ")}"
    )
    require(
      mode == "stream" || !queries.exists(Options.InPanes.contains),
      s"a batch keeps no state: queries whose names end with ${Options.Panes} need --mode stream"
    )
    require(
      mode == "batch" || !queries.exists(Options.OfTables.contains),
      s"${Options.OfTables.mkString(" and ")} answer the windows of a table, and need --mode batch"
    )
    require(
      mode == "batch" || !queries.exists(GroupQueries.isStatic),
      s"the query ${queries.find(GroupQueries.isStatic).get} is of a static table, and needs --mode batch"
    )
    require(
      stream != "uniform" || vertices <= Options.MostPlaces || !queries.exists(GroupQueries.All.contains),
      s"--vertices must be at most ${Options.MostPlaces} for ${queries.mkString(", ")}, but it is $vertices: ids are " +
        "places in an array"
    )
    graphframes.foreach(jar =>
      require(Files.isRegularFile(jar), s"--graphframes must be a jar, but there is no $jar")
    )
    require(
      graphframes.isDefined || !queries.contains("graphframes"),
      "the query graphframes needs its jar, which is not in the build: --graphframes JAR"
    )
    this
  }

  /** The arguments that make a worker run one query of this setting. */
  def workerArguments(query: String): Seq[String] = Seq(
    "--worker" -> query,
    "--stream" -> stream,
    "--scale" -> scale,
    "--vertices" -> vertices,
    "--graphs" -> graphs,
    "--seed" -> seed,
    "--ids" -> ids,
    "--edges" -> edges,
    "--mode" -> mode,
    "--cores" -> cores,
    "--batch" -> batch,
    "--partitions" -> partitions,
    "--window" -> windowEdges,
    "--slide" -> slideEdges,
    "--delay" -> delay,
    "--pairs" -> pairs,
    "--marks" -> marks,
    "--part" -> part,
    "--warm-up" -> warmUp,
    "--runs" -> runs,
    "--heap" -> heap,
    "--index" -> index
  ).flatMap { case (name, value) => Seq(name, value.toString) } ++ Option.when(memory)("--memory") ++
    segmentWindows.toSeq.flatMap(windows => Seq("--segment-windows", windows.toString))
}

object Options {
  import CommandLine.{int, long, Value}

  val Streams: Seq[String] = Seq("rmat", "uniform", "graphs")

  /** Ours, by index. */
  val Ours: Seq[String] = Seq("bic", "recency")

  /** Ends the names of those of ours, in a stream, that keep their state pane by pane. */
  val Panes = "-panes"

  val InPanes: Seq[String] = Ours.map(_ + Panes)

  /** Rivals that have no streaming form. */
  val OfTables: Seq[String] = Seq("union-find", "graphframes")

  /** The scans, the plain window count, ours, and the rivals that compute a window from scratch. */
  val Queries: Seq[String] =
    Seq("scan", "rows", "count") ++ Ours ++ InPanes ++ Seq("scipy", "union-find", "graphframes") ++
      GroupQueries.All

  val Defaults: Seq[String] = Seq("scan", "count") ++ Ours

  val KeyedQueries: Seq[String] =
    Seq("scan", "count") ++ Ours ++ Seq(GroupQueries.Pairs, GroupQueries.Connected)

  /** The question that a query answers exactly, and so as all other queries do that answer this question. */
  def question(query: String): Option[String] =
    if ((Ours ++ InPanes ++ Seq("scipy", "union-find", "graphframes")).contains(query)) Some("connectivity")
    else Option.when(GroupQueries.All.contains(query))(GroupQueries.question(query))

  /** The longest array. */
  private val MostPlaces = Int.MaxValue - 8L

  val help: String =
    s"""Sliding-window connectivity in Spark, measured beside what else Spark does with the same parquet files.
       |
       |  --stream NAME       rmat, uniform, or graphs: many small ones                    [rmat]
       |  --scale N           rmat: 2^N vertices                                           [20]
       |  --vertices N        uniform: number of vertices                                  [8000000]
       |  --graphs N          graphs: number of graphs, of 100 vertices each               [100000]
       |  --seed N            of the generators                                            [1]
       |  --ids KIND          ${VertexKind.All.mkString(", ")}   [${VertexKind.Dense}]
       |  --edges N           length of the stream                                         [20000000]
       |  --mode batch|stream                                                              [batch]
       |  --cores N           local[N]                                                     [1]
       |  --batch N           edges in a file, which is a micro-batch                      [2000000]
       |  --partitions N      input partitions of a micro-batch, to which its edges are dealt in turn, as in Kafka   [1]
       |  --window N          edges in a window, 100 a millisecond   [3000000, at most a quarter of the stream]
       |  --slide N           edges in a slide                                   [a twentieth of the window]
       |  --delay N           slides that the watermark of a stream is behind                   [0]
       |  --pairs N           pairs asked in each window                                   [100]
       |  --marks N           marked vertices, of which every other one never occurs       [1000]
       |  --queries A,B,...   of ${Queries.filterNot(GroupQueries.All.contains).mkString(", ")};
       |                      about groups: ${GroupQueries.Ours.mkString(", ")};
       |                      computed from scratch: ${GroupQueries.OfUnionFind.mkString(", ")},
       |                      ${GroupQueries.OfSciPy.mkString(", ")}
       |                                                                    [${Defaults.mkString(",")}]
       |  --index NAME        that answers the queries about groups: ${Ours.mkString(" or ")}        [recency]
       |  --part N            windows that rivals compute from scratch                     [4]
       |  --segment-windows N windows of a segment of a graph in a batch, 0 for whole graphs   [what the product does]
       |  --warm-up SECONDS   how long a query runs over and over before it is measured    [25]
       |  --runs N            measured runs after the warm-up; the median is reported      [3]
       |  --heap SIZE         of each JVM                                                  [2g]
       |  --memory            after the runs, one more pass that measures how much of the heap is held
       |  --graphframes JAR   measures GraphFrames too
       |  --out FILE          where to write the results, a JSON list
       |  --suite             all settings of the report about pairs, into --out [${Suite.Pairs.out}]
       |  --group-suite       all settings of the report about groups, into --out [${Suite.Groups.out}]
       |  --mark-suite        all settings of the report about marked vertices and events, into --out [${Suite.Marks.out}]
       |  --id-suite          all settings of the report about kinds of ids, into --out [${Suite.Ids.out}]
       |                      To all suites, --warm-up, --runs, --heap, --index and --graphframes apply, and no more
       |
       |Each query runs in a JVM of its own: over all its files for as long as the warm-up says, once at least, and
       |then to be measured. If its first pass takes longer than ${Worker.LongSeconds} seconds, this is the one that is measured. first_s is the first of all these passes, in a JVM in which nothing is compiled yet.
       |edges_per_s is edges over elapsed time, from the start of the query to its end. Those that compute each
       |window from scratch do so for some windows only, read the files that hold these, and get through one slide of
       |edges with each. All queries that ask the same must give the same answers in the windows that they all
       |answered, or the run fails. Queries about groups write their rows to the sink noop, and are checked in one more
       |pass. --stream, --mode, --cores and --partitions take lists, such as rmat,uniform: every combination is a setting. The name of a
       |rival about groups is the name of our query and -scipy, -scipy-hash or -union-find.""".stripMargin

  /** The arguments of each setting: one for each combination of the items of lists. */
  def each(arguments: List[String]): Seq[List[String]] =
    Lists.foldLeft(Seq(arguments)) { (settings, option) =>
      settings.flatMap { one =>
        val at = one.indexOf(option) + 1
        if (at == 0 || at == one.size) Seq(one) else one(at).split(',').toSeq.map(one.updated(at, _))
      }
    }

  private val Lists = Seq("--stream", "--mode", "--cores", "--partitions")

  @annotation.tailrec
  def parse(arguments: List[String], options: Options = Options()): Options = arguments match {
    case Nil                                => options
    case "--suite" :: rest                  => parse(rest, options.copy(suite = Some(Suite.Pairs)))
    case "--group-suite" :: rest            => parse(rest, options.copy(suite = Some(Suite.Groups)))
    case "--mark-suite" :: rest             => parse(rest, options.copy(suite = Some(Suite.Marks)))
    case "--id-suite" :: rest               => parse(rest, options.copy(suite = Some(Suite.Ids)))
    case "--memory" :: rest                 => parse(rest, options.copy(memory = true))
    case "--index" :: Value(value) :: rest  => parse(rest, options.copy(index = value))
    case "--worker" :: Value(value) :: rest => parse(rest, options.copy(worker = Some(value)))
    case "--stream" :: Value(value) :: rest => parse(rest, options.copy(stream = value))
    case "--scale" :: Value(value) :: rest  => parse(rest, options.copy(scale = int("--scale", value)))
    case "--vertices" :: Value(value) :: rest =>
      parse(rest, options.copy(vertices = long("--vertices", value)))
    case "--graphs" :: Value(value) :: rest => parse(rest, options.copy(graphs = int("--graphs", value)))
    case "--seed" :: Value(value) :: rest   => parse(rest, options.copy(seed = long("--seed", value)))
    case "--ids" :: Value(value) :: rest    => parse(rest, options.copy(ids = value))
    case "--edges" :: Value(value) :: rest  => parse(rest, options.copy(edges = int("--edges", value)))
    case "--mode" :: Value(value) :: rest   => parse(rest, options.copy(mode = value))
    case "--cores" :: Value(value) :: rest  => parse(rest, options.copy(cores = int("--cores", value)))
    case "--batch" :: Value(value) :: rest  => parse(rest, options.copy(batch = int("--batch", value)))
    case "--partitions" :: Value(value) :: rest =>
      parse(rest, options.copy(partitions = int("--partitions", value)))
    case "--window" :: Value(value) :: rest =>
      parse(rest, options.copy(window = Some(int("--window", value))))
    case "--slide" :: Value(value) :: rest   => parse(rest, options.copy(slide = Some(int("--slide", value))))
    case "--delay" :: Value(value) :: rest   => parse(rest, options.copy(delay = int("--delay", value)))
    case "--pairs" :: Value(value) :: rest   => parse(rest, options.copy(pairs = int("--pairs", value)))
    case "--marks" :: Value(value) :: rest   => parse(rest, options.copy(marks = int("--marks", value)))
    case "--queries" :: Value(value) :: rest => parse(rest, options.copy(queries = value.split(',').toSeq))
    case "--part" :: Value(value) :: rest    => parse(rest, options.copy(part = int("--part", value)))
    case "--segment-windows" :: Value(value) :: rest =>
      parse(rest, options.copy(segmentWindows = Some(int("--segment-windows", value))))
    case "--warm-up" :: Value(value) :: rest =>
      parse(rest, options.copy(warmUp = int("--warm-up", value)))
    case "--runs" :: Value(value) :: rest => parse(rest, options.copy(runs = int("--runs", value)))
    case "--heap" :: Value(value) :: rest => parse(rest, options.copy(heap = value))
    case "--graphframes" :: Value(value) :: rest =>
      parse(rest, options.copy(graphframes = Some(Paths.get(value))))
    case "--out" :: Value(value) :: rest => parse(rest, options.copy(out = Some(Paths.get(value))))
    case other                           => CommandLine.refuse(other)
  }
}
