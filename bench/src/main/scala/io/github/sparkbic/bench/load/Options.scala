package io.github.sparkbic.bench.load

import java.nio.file.{Path, Paths}

import io.github.sparkbic.bench.CommandLine
import io.github.sparkbic.bench.CommandLine.Value

/** One run; times in seconds.
  *
  * @param kill seconds from the kill of an executor to the next one; zero for a run in one JVM without kills
  * @param step seconds that one row of the result sums up
  */
final case class Options(
    seconds: Int = 3600,
    kill: Int = 0,
    step: Int = 60,
    layout: String = "value",
    batch: Int = 2 * LoadStream.SlideEdges,
    windows: Int = 1000,
    heap: String = "4g",
    out: Option[Path] = None,
    folder: Option[Path] = None
) {
  def validated: Options = {
    require(seconds > 0, s"--seconds must be positive, but it is $seconds")
    require(kill >= 0, s"--kill must be a number of seconds, or 0 for no kills, but it is $kill")
    require(step > 0, s"--step must be positive, but it is $step")
    require(batch > 0, s"--batch must be positive, but it is $batch")
    require(windows > 0, s"--windows must be positive, but it is $windows")
    CommandLine.requireKnown("--layout", "layout", Seq(layout), Seq("value", "panes"))
    CommandLine.requireHeap(heap)
    this
  }

  def workerArguments(folder: Path): Seq[String] = Seq(
    "--seconds",
    seconds.toString,
    "--kill",
    kill.toString,
    "--step",
    step.toString,
    "--layout",
    layout,
    "--batch",
    batch.toString,
    "--windows",
    windows.toString,
    "--worker",
    folder.toString
  )
}

object Options {
  val help: String =
    """bench.load.Main: one query on a stream of fresh vertices, as fast as it goes, for an hour
      |  --seconds N   how long the query runs (3600)
      |  --kill N      seconds from the kill of an executor of a local cluster to the next one (0: no cluster, no kills)
      |  --step N      seconds that one row of the result sums up (60)
      |  --layout L    value or panes (value)
      |  --batch N     edges of a micro-batch (1000000)
      |  --windows N   windows that are computed again from scratch, spread evenly over all (1000)
      |  --heap H      heap of the JVM with the driver (4g)
      |  --out FILE    the rows, as JSON""".stripMargin

  @annotation.tailrec
  def parse(arguments: List[String], options: Options = Options()): Options = arguments match {
    case Nil => options.validated
    case "--seconds" :: Value(v) :: rest =>
      parse(rest, options.copy(seconds = CommandLine.int("--seconds", v)))
    case "--kill" :: Value(v) :: rest   => parse(rest, options.copy(kill = CommandLine.int("--kill", v)))
    case "--step" :: Value(v) :: rest   => parse(rest, options.copy(step = CommandLine.int("--step", v)))
    case "--layout" :: Value(v) :: rest => parse(rest, options.copy(layout = v))
    case "--batch" :: Value(v) :: rest  => parse(rest, options.copy(batch = CommandLine.int("--batch", v)))
    case "--windows" :: Value(v) :: rest =>
      parse(rest, options.copy(windows = CommandLine.int("--windows", v)))
    case "--heap" :: Value(v) :: rest   => parse(rest, options.copy(heap = v))
    case "--out" :: Value(v) :: rest    => parse(rest, options.copy(out = Some(Paths.get(v))))
    case "--worker" :: Value(v) :: rest => parse(rest, options.copy(folder = Some(Paths.get(v))))
    case other                          => CommandLine.refuse(other)
  }
}
