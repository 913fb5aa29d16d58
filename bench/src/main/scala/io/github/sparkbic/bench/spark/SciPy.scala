package io.github.sparkbic.bench.spark

import java.nio.file.Paths

import io.github.sparkbic.bench.CommandLine

/** The rivals that are Python, over the same files; for pairs, `bench/spark_scipy.py`, in a PySpark session of its own. */
object SciPy {
  private val Mark = "outcome: "

  def measure(options: Options): Outcome = {
    val files = new EdgeFiles(options)
    val systems = new Systems(options, files)
    // In a stream, windows are answered as they come: so many edges that some full ones are among them.
    val streamed = files.upTo(options.windowEdges + options.slideEdges)
    val arguments = Seq(
      "--folder" -> files.folder,
      "--pairs" -> options.pairs,
      "--mode" -> options.mode,
      "--cores" -> options.cores,
      "--window-ms" -> options.windowMillis,
      "--slide-ms" -> options.slideMillis,
      "--batch" -> options.batch,
      "--edges" -> (if (options.mode == "stream") streamed else options.edges),
      "--first-ms" -> files.start,
      "--starts" -> systems.chosenWindows.mkString(",")
    ).flatMap { case (name, value) => Seq(name, value.toString) }
    val outcome = run("bench/spark_scipy.py", arguments)
    // A batch answers chosen windows only, each of which takes one slide of edges further.
    if (options.mode == "stream") outcome
    else outcome.copy(run = outcome.run.copy(edges = outcome.run.windows.toLong * options.slideEdges))
  }

  /** A rival about groups: `bench/group_scipy.py`, with all edges in memory, and no Spark. */
  def measureGroups(options: Options, query: String): Outcome = {
    val windows = new EdgeWindows(options)
    val ofTable = GroupQueries.isTable(query)
    def range(edges: Range) = s"${edges.start}:${edges.end}"
    val asked =
      if (ofTable) Seq(s"${GroupQueries.TableStart}:${range(0 until options.edges)}:0:0")
      else
        windows.chosen.map { start =>
          s"$start:${range(windows.edges(start))}:${range(windows.edges(start - options.slideMillis))}"
        }
    val arguments = Seq(
      "--folder" -> new EdgeFiles(options).folder,
      "--query" -> query,
      "--windows" -> asked.mkString(","),
      "--cores" -> options.cores,
      "--runs" -> options.runs
    ).flatMap { case (name, value) => Seq(name, value.toString) }
    val outcome = run("bench/group_scipy.py", arguments)
    val edges = if (ofTable) options.edges.toLong else outcome.run.windows.toLong * options.slideEdges
    outcome.copy(run = outcome.run.copy(edges = edges))
  }

  private def run(script: String, arguments: Seq[String]): Outcome = {
    val python = Paths.get(".venv/bin/python")
    if (!python.toFile.exists)
      throw new IllegalArgumentException(s"$script needs .venv: run `make build` first")
    CommandLine.lines(Seq(python.toString, script) ++ arguments, script)
      .collectFirst { case line if line.startsWith(Mark) => Outcome.fromLine(line.stripPrefix(Mark)) }
      .getOrElse(throw new IllegalStateException(s"$script reported nothing"))
  }
}
