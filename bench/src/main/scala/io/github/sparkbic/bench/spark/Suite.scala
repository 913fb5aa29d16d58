package io.github.sparkbic.bench.spark

/** The settings of the report. */
object Suite {

  def settings(from: Options): Seq[Options] = {
    val base = Options(runs = from.runs, heap = from.heap, graphframes = from.graphframes)
    val rivals = Seq("scipy", "union-find") ++ from.graphframes.map(_ => "graphframes")
    val both = for {
      stream <- Seq("rmat", "uniform")
      mode <- Seq("batch", "stream")
      cores <- Seq(1, 2)
    } yield {
      // Rivals that recompute every window are measured once in each mode.
      val more = if (stream == "rmat" && cores == 1)
        (if (mode == "batch") "rows" +: rivals else Seq("rows", "scipy"))
      else Nil
      base.copy(stream = stream, mode = mode, cores = cores, queries = Options.Defaults ++ more)
    }
    val small = base.copy(stream = "rmat", heap = "1g", queries = Seq("scan", "bic", "recency"))
    val graphs = base.copy(stream = "graphs", window = 10000000, slide = 2000000, cores = 2)
    both :+ small :+ graphs
  }
}
