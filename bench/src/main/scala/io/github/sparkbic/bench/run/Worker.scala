package io.github.sparkbic.bench.run

import java.util.{Arrays, BitSet}
import java.util.zip.CRC32

import io.github.sparkbic.bench.{Json, Machine, WindowSystem}
import io.github.sparkbic.index.contract.Panes

/** What came out of the measured runs of one system: medians over the runs.
  *
  * @param latencies percentiles and maximum; empty if a run was stopped before its first window
  * @param retained  the heap retained after some windows, sorted; empty if it was not measured
  * @param checks    checksum of the answers of the first window, the first two, and so on
  */
final case class Result(
    options: Options,
    stream: String,
    system: String,
    edgesDone: Int,
    edgesPerSecond: Double,
    latencies: Seq[Double],
    burstMax: Double,
    retained: Seq[Double],
    checks: Seq[Long],
    vmHeap: String
) {
  def capped: Boolean = edgesDone < options.edges

  def toJson: String = {
    def bytes(of: Seq[Double] => Double) = if (retained.isEmpty) "null" else of(retained).toLong.toString
    def millis(which: Int) = latencies.lift(which).fold("null")(Json.number)
    Json.fields(Seq(
      "experiment" -> Json.text(options.experiment),
      "system" -> Json.text(system),
      "stream" -> Json.text(stream),
      "edges" -> edgesDone.toString,
      "window_edges" -> options.window.toString,
      "slide_edges" -> options.slide.toString,
      "queries" -> options.queries.toString,
      "edges_per_s" -> edgesPerSecond.round.toString,
      "p50_ms" -> millis(0),
      "p95_ms" -> millis(1),
      "p99_ms" -> millis(2),
      "max_ms" -> millis(3),
      "burst_max_ms" -> Json.number(burstMax),
      "retained_bytes" -> bytes(Worker.median),
      "retained_min_bytes" -> bytes(_.head),
      "retained_max_bytes" -> bytes(_.last),
      "answers_crc" -> checks.lastOption.fold("null")(crc => f""""$crc%08x""""),
      "windows" -> checks.length.toString,
      "exact" -> WindowSystem.create(system, Panes(1, 1)).isExact.toString,
      "capped" -> capped.toString,
      "runs" -> options.runs.toString,
      "clock" -> Json.text(options.clock),
      "heap" -> Json.text(vmHeap),
      "seed" -> options.seed.toString,
      "machine" -> Json.text(Machine.text)
    ))
  }
}

/** Measures one system in this JVM. */
object Worker {

  /** A fast system takes some five passes of a short stream until its machine code does not change any more. */
  private val WarmUpNanos = 1000000000L

  def measure(options: Options): Result = {
    val system = options.systems.head
    val stream = options.load()
    if (stream.size < options.window)
      throw new IllegalArgumentException(
        s"${stream.name} has ${stream.size} edges, which fill no --window of ${options.window}: make that shorter"
      )
    val queries = stream.queries(options.queries, options.seed + 1)
    val pass = new Measurement(options.copy(edges = stream.size), stream, queries)

    // Long enough for the compiler to have seen windows expire, where the cap allows it, and to be done with them.
    val cap = (options.cap * 1e9).toLong
    val warm = System.nanoTime() + math.min(WarmUpNanos, cap / 2)
    do pass.run(system, math.min(stream.size, options.window + 8 * options.slide), cap / 2)(_ => ())
    while (System.nanoTime() < warm)

    val runs = Seq.fill(options.runs) {
      System.gc()
      pass.run(system, capNanos = cap)(_ => ())
    }
    val done = runs.map(_.edges).min
    val windows = runs.map(_.latencies.length).min
    val exact = WindowSystem.create(system, Panes(1, 1)).isExact
    val confirmed = if (exact) None else Some(pass.run("RWC", done)(_ => ()).answers)
    val answers = runs.head.answers
    confirmed.foreach { window =>
      val wrong = window.clone().asInstanceOf[BitSet]
      wrong.andNot(answers)
      if (!wrong.isEmpty)
        throw new IllegalStateException(s"$system denies a connection of query ${wrong.nextSetBit(0)}")
    }
    requireAlike(system, runs.map(_.answers), windows * options.queries)

    Result(
      options.copy(edges = stream.size),
      stream.name,
      system,
      done,
      median(runs.map(run => run.edges / (run.nanos / 1e9))),
      if (windows == 0) Nil
      else Seq(0.50, 0.95, 0.99, 1.0).map(q => median(runs.map(run => quantile(run.latencies, q) / 1e6))),
      median(runs.map(_.burstMax / 1e6)),
      if (options.memory) retained(pass, system, done) else Nil,
      checks(confirmed.getOrElse(answers), windows, options.queries),
      options.heap
    )
  }

  /** Of runs that were stopped, only what all of them answered can be held against each other. */
  private[run] def requireAlike(system: String, runs: Seq[BitSet], answers: Int): Unit =
    runs.foreach { run =>
      if (run.get(0, answers) != runs.head.get(0, answers))
        throw new IllegalStateException(s"$system answered differently in two runs")
    }

  /** The heap that the system retains after the answers of some windows, evenly spread; sorted. */
  private def retained(pass: Measurement, system: String, edges: Int): Seq[Double] = {
    val before = empty()
    val windows = pass.windowsIn(edges)
    val step = math.max(1, windows / 20)
    val samples = scala.collection.mutable.ArrayBuffer.empty[Double]
    pass.run(system, edges)(window => if (window % step == step - 1) samples += used().toDouble)
    // What another pass has left may stay for a while. So the lower of two measurements is without the system.
    val least = math.min(before, empty())
    samples.map(_ - least).sorted.toSeq
  }

  /** What is on the heap without a system; a first collection leaves what is still to be finalised. */
  private def empty(): Long = {
    used()
    used()
  }

  private def used(): Long = {
    System.gc()
    Runtime.getRuntime.totalMemory() - Runtime.getRuntime.freeMemory()
  }

  private def checks(answers: BitSet, windows: Int, queries: Int): Seq[Long] = {
    val crc = new CRC32()
    (0 until windows).map { window =>
      (0 until queries).foreach(q => crc.update(if (answers.get(window * queries + q)) 1 else 0))
      crc.getValue
    }
  }

  private[run] def median(values: Seq[Double]): Double = {
    val sorted = values.sorted
    (sorted((sorted.size - 1) / 2) + sorted(sorted.size / 2)) / 2
  }

  /** The smallest value that a share `q` of all values do not exceed. */
  private[run] def quantile(values: Array[Long], q: Double): Double = {
    val sorted = values.clone()
    Arrays.sort(sorted)
    sorted(math.max(0, math.ceil(q * sorted.length).toInt - 1)).toDouble
  }
}
