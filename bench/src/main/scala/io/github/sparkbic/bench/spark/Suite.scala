package io.github.sparkbic.bench.spark

/** The settings of the report. */
object Suite {

  def settings(from: Options): Seq[Options] = {
    val base =
      Options(warmUp = from.warmUp, runs = from.runs, heap = from.heap, graphframes = from.graphframes)
    val rivals = Seq("scipy", "union-find") ++ from.graphframes.map(_ => "graphframes")
    val both = for {
      stream <- Seq("rmat", "uniform")
      mode <- Seq("batch", "stream")
      cores <- Seq(1, 2)
    } yield {
      // What is slow is measured on one core, and what recomputes every window on one stream.
      val slow = if (cores == 1) Seq("count") else Nil
      val panes = if (mode == "stream" && cores == 1) Options.InPanes else Nil
      val more =
        if (stream != "rmat" || cores != 1) Nil
        else if (mode == "batch") "rows" +: rivals
        else Seq("rows", "scipy")
      base.copy(
        stream = stream,
        mode = mode,
        cores = cores,
        queries = Seq("scan") ++ slow ++ Options.Ours ++ panes ++ more
      )
    }
    val small = base.copy(stream = "rmat", heap = "1g", queries = "scan" +: Options.Ours)
    // Two hundred edges a graph, in windows of which each holds about half of them.
    val graphs = base.copy(stream = "graphs", window = Some(10000000), slide = Some(2000000))
    both :+ small :+ graphs
  }
}
