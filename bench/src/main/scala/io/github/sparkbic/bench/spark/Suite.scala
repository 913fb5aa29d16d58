package io.github.sparkbic.bench.spark

import java.nio.file.{Path, Paths}

/** The settings of a part of the report.
  *
  * @param out where the results lie that the report is made of
  */
sealed abstract class Suite(val out: Path) {

  /** @param from what the command line says of warm-up, runs, heap and index */
  def settings(from: Options): Seq[Options] =
    settingsOf(Options(
      warmUp = from.warmUp,
      runs = from.runs,
      heap = from.heap,
      index = from.index,
      graphframes = from.graphframes
    ))

  protected def settingsOf(base: Options): Seq[Options]
}

object Suite {

  object Pairs extends Suite(Paths.get("bench/results/spark.json")) {
    override protected def settingsOf(base: Options): Seq[Options] = pairs(base)
  }

  object Groups extends Suite(Paths.get("bench/results/groups.json")) {
    override protected def settingsOf(base: Options): Seq[Options] = groups(base)
  }

  object Marks extends Suite(Paths.get("bench/results/marks.json")) {
    override protected def settingsOf(base: Options): Seq[Options] = marks(base)
  }

  object Ids extends Suite(Paths.get("bench/results/ids.json")) {
    override protected def settingsOf(base: Options): Seq[Options] = ids(base)
  }

  private def pairs(base: Options): Seq[Options] = {
    val rivals = Seq("scipy", "union-find") ++ base.graphframes.map(_ => "graphframes")
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
    // As of a Kafka topic: each input partition sees every pane.
    val partitions = for {
      stream <- Seq("rmat", "uniform")
      cores <- Seq(1, 2)
    } yield base.copy(
      stream = stream,
      mode = "stream",
      cores = cores,
      partitions = 16,
      queries = Seq("scan", "recency")
    )
    // Two hundred edges a graph and then a hundred thousand, in windows of which each holds about half of them.
    val graphs = for {
      (graphs, more) <- Seq(100000 -> Seq("count", "bic"), 200 -> Nil)
      cores <- Seq(1, 2)
    } yield base.copy(
      stream = "graphs",
      graphs = graphs,
      cores = cores,
      window = Some(10000000),
      slide = Some(2000000),
      queries = "scan" +: (if (cores == 1) more else Nil) :+ "recency"
    )
    (both :+ small) ++ partitions ++ graphs
  }

  /** One core for windows, one and two for whole tables. A window of 20 M vertices gets a heap of its own. */
  private def groups(base: Options): Seq[Options] = {
    val (ofTables, ofWindows) = GroupQueries.All.filterNot(GroupQueries.OfMarks.contains)
      .partition(GroupQueries.isTable)
    val windows = for {
      stream <- streams(base)
      mode <- Seq("batch", "stream")
      isBatch = mode == "batch"
    } yield stream.copy(
      mode = mode,
      memory = isBatch,
      queries = ofWindows.filter(isBatch || !GroupQueries.isStatic(_))
    )
    val tables = for {
      stream <- streams(base)
      cores <- Seq(1, 2)
    } yield stream.copy(cores = cores, queries = ofTables)
    val large = base.copy(
      stream = "uniform",
      vertices = 32000000,
      window = Some(16000000),
      slide = Some(1600000),
      heap = "4g",
      memory = true,
      warmUp = 0,
      queries = Seq(GroupQueries.Pairs, "stats", "components")
    )
    (windows ++ tables) :+ large
  }

  /** Marked vertices, events, and what users do without our queries about these; on one core. */
  private def marks(base: Options): Seq[Options] = {
    import GroupQueries.{Pairs => Lookups, _}
    val batch = Seq(Lookups, "stats", "components", Connected, ConnectedJoin, AsOf, AsOfSelf, AsOfJoin)
    val stream = Seq(Lookups, "stats", Connected, ConnectedEarly, AsOf)
    val both = for {
      of <- streams(base)
      (mode, queries) <- Seq("batch" -> batch, "stream" -> stream)
    } yield of.copy(mode = mode, queries = queries)
    // Pairs of all vertices with all marked vertices are too many but for a short stream.
    val short = base.copy(
      stream = "uniform",
      vertices = 10000,
      edges = 200000,
      batch = 200000,
      window = Some(10000),
      slide = Some(2000),
      marks = 4,
      queries = Seq(Connected, ConnectedJoin, ConnectedPairs)
    )
    // A list of known vertices that names one graph in a thousand.
    val graphs = base.copy(
      stream = "graphs",
      mode = "stream",
      window = Some(10000000),
      slide = Some(2000000),
      marks = 100,
      queries = Seq(Lookups, Connected)
    )
    // Answers at once, in two hundred micro-batches of which five make a slide.
    val small = base.copy(
      mode = "stream",
      edges = 2000000,
      batch = 10000,
      window = Some(1000000),
      slide = Some(50000),
      queries = Seq(PairsEarly, AsOfNow)
    )
    both ++ Seq(short, graphs, small)
  }

  /** Two lengths of windows: in the shorter, most vertices of the uniform stream have one edge, so each edge brings names
    * that the window does not know.
    */
  private def ids(base: Options): Seq[Options] = {
    val windows = for {
      (edges, window) <- Seq(4000000 -> 3000000, 6000000 -> 1500000)
      stream <- streams(base)
      mode <- Seq("batch", "stream")
      kind <- VertexKind.Others
    } yield stream.copy(
      mode = mode,
      ids = kind,
      edges = edges,
      window = Some(window),
      slide = Some(window / 20),
      heap = if (stream.stream == "uniform") "4g" else base.heap,
      queries = Seq("scan", GroupQueries.Pairs, "stats", "components", "components-stable")
    )
    val graphs = VertexKind.Others.map(kind =>
      base.copy(
        stream = "graphs",
        ids = kind,
        window = Some(10000000),
        slide = Some(2000000),
        queries = Seq("scan", GroupQueries.Pairs)
      )
    )
    windows ++ graphs
  }

  private def streams(base: Options): Seq[Options] =
    Seq("rmat", "uniform").map(stream => base.copy(stream = stream, edges = 12000000, part = 12))
}
