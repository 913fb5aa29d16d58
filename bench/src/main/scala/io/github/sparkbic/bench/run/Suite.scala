package io.github.sparkbic.bench.run

import io.github.sparkbic.bench.WindowSystem

/** The experiments of the report: those of the paper, and the shapes that it leaves out, at a scale that
  * two cores and a few gigabytes finish in forty minutes with `--cap 15`.
  */
object Suite {
  private val Indexes = Seq("recency", "bic", "bic-paper")
  private val Ours = "union-find" +: Indexes
  private val OtherLimits = Seq("union-find-directory", "union-find-range")
  private val Limits = OtherLimits ++ Ours

  private def streams(o: Options): Seq[Options] = Seq(o.copy(stream = "rmat"), o.copy(stream = "uniform"))

  /** These on R-MAT by all systems named, then on the uniform stream by the indexes alone: the answers of union–find are
    * confirmed by RWC, which takes half a minute for a setting there.
    */
  private def onBoth(systems: Seq[String])(settings: Seq[Options]): Seq[Options] =
    settings.map(_.copy(systems = systems)) ++
      settings.map(_.copy(stream = "uniform", systems = Indexes))

  def settings(from: Options): Seq[Options] = {
    val base = Options(runs = from.runs, clock = from.clock, cap = from.cap, heap = from.heap)
    val once = base.copy(runs = 1, memory = false, cap = math.min(base.cap, 10))
    val all = Ours :+ "RWC"

    // Throughput, latency and memory: 3 M / 150 K / 100 queries; all systems on 4 M edges.
    val scattered = Seq("rmat-scattered", "uniform-scattered").map { stream =>
      base.copy(
        experiment = "performance",
        stream = stream,
        systems = Limits.filterNot(_ == "union-find-range")
      )
    }
    val performance = streams(base.copy(experiment = "performance", systems = Limits)) ++ scattered ++
      streams(base.copy(
        experiment = "performance-all",
        runs = 1,
        edges = 4000000,
        systems = WindowSystem.names.filterNot(OtherLimits.contains)
      ))

    // Scenario 1: the slide fixed, four windows; scenario 2: the window fixed, four slides.
    val windows = onBoth(all)(Seq(1500000, 3000000, 4500000, 6000000).map { window =>
      once.copy(experiment = "window", window = window, edges = window + 3000000)
    })
    val slides = onBoth(all)(Seq(75000, 150000, 300000, 600000).map { slide =>
      once.copy(experiment = "slide", slide = slide, edges = 6000000)
    })

    // The number of queries.
    val workload = onBoth(all)(Seq(1, 10, 100, 1000, 10000, 100000).map { queries =>
      once.copy(experiment = "workload", queries = queries, edges = 4500000)
    }).map(o => if (o.stream == "rmat" && o.queries <= 10) o.copy(systems = o.systems :+ "DFS") else o)

    // Window / slide from 5 to 1,000, and a slide of one timestamp.
    val ratios = onBoth(Ours)(Seq(600000, 300000, 150000, 30000, 3000).map { slide =>
      once.copy(experiment = "ratio", slide = slide, edges = 4500000)
    } :+ once.copy(experiment = "ratio", window = 300000, slide = 100, edges = 600000))

    // An endless stream of new ids: memory after 5 windows and after 50.
    val fresh = Seq(5, 50).map { n =>
      base.copy(
        experiment = "fresh",
        runs = 1,
        stream = "fresh",
        window = 100000,
        slide = 5000,
        edges = 100000 * n,
        systems = Indexes
      )
    }
    (performance ++ ratios ++ fresh ++ workload ++ windows ++ slides).map(_.validated)
  }
}
