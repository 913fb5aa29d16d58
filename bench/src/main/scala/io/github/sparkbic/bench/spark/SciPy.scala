package io.github.sparkbic.bench.spark

import java.nio.file.Paths

import io.github.sparkbic.bench.CommandLine

/** The rival that is Python: `bench/spark_scipy.py`, over the same files, in a PySpark session of its own. */
object SciPy {
  private val Mark = "outcome: "

  def measure(options: Options): Outcome = {
    val python = Paths.get(".venv/bin/python")
    if (!python.toFile.exists)
      throw new IllegalArgumentException("the query scipy needs .venv: run `make build` first")
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
    CommandLine.lines(Seq(python.toString, "bench/spark_scipy.py") ++ arguments, "bench/spark_scipy.py")
      .collectFirst { case line if line.startsWith(Mark) => Outcome.fromLine(line.stripPrefix(Mark)) }
      .map { outcome =>
        // A batch answers chosen windows only, each of which takes one slide of edges further.
        if (options.mode == "stream") outcome
        else outcome.copy(run = outcome.run.copy(edges = outcome.run.windows.toLong * options.slideEdges))
      }
      .getOrElse(throw new IllegalStateException("bench/spark_scipy.py reported nothing"))
  }
}
