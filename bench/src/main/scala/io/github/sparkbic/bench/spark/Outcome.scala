package io.github.sparkbic.bench.spark

import java.util.zip.CRC32

import io.github.sparkbic.bench.{Json, Machine}

/** What is reported of a query: the median of its runs.
  *
  * @param firstNanos elapsed time of the first pass, in a JVM in which nothing was compiled yet; zero if not known
  * @param peakHeap in bytes; zero where the work is done in another process
  * @param held     the most heap that a pass held, in bytes; zero if it was not asked for
  */
final case class Outcome(
    query: String,
    run: Run,
    firstNanos: Long,
    runs: Int,
    peakHeap: Long,
    held: Long = 0
) {

  /** @param common the windows that all queries of the setting that ask the same answered
    * @param live   the vertices of its windows, for a query about groups
    */
  def toJson(options: Options, common: Set[Long], live: Option[EdgeWindows.Live]): String = {
    val seconds = run.nanos / 1e9
    val checks = run.checks.filter { case (window, _) => common.contains(window) }
    val millis = run.batchMillis.sorted
    Json.fields(Seq(
      "query" -> Json.text(query),
      "stream" -> Json.text(options.streamName),
      "mode" -> Json.text(options.mode),
      "cores" -> options.cores.toString,
      "partitions" -> options.partitions.toString,
      "edges" -> run.edges.toString,
      "edges_per_s" -> (run.edges / seconds).round.toString,
      "seconds" -> Json.number(seconds),
      "first_s" -> (if (firstNanos > 0) Json.number(firstNanos / 1e9) else "null"),
      "cpu_s" -> (if (run.cpuNanos > 0) Json.number(run.cpuNanos / 1e9) else "null"),
      "peak_heap_bytes" -> (if (peakHeap > 0) peakHeap.toString else "null"),
      "answers_crc" -> (if (checks.isEmpty) "null" else f""""${Outcome.crc(checks)}%08x""""),
      "windows" -> run.windows.toString,
      "rows" -> (if (run.rows > 0) run.rows.toString else "null"),
      "vertices" -> live.fold("null")(_.all.toString),
      "largest_window_vertices" -> live.fold("null")(_.largest.toString),
      "held_bytes" -> (if (held > 0) held.toString else "null"),
      "windows_compared" -> checks.size.toString,
      "batch_ms" -> (if (millis.isEmpty) "null" else millis(millis.size / 2).toString),
      "window_edges" -> options.windowEdges.toString,
      "slide_edges" -> options.slideEdges.toString,
      "delay_slides" -> options.delay.toString,
      "setting_edges" -> options.edges.toString,
      "pairs" -> (if (options.keyed) 1 else options.pairs).toString,
      "marks" -> options.marks.toString,
      "warm_up_s" -> options.warmUp.toString,
      "runs" -> runs.toString,
      "index" -> Json.text(options.index),
      "heap" -> Json.text(options.heap),
      "seed" -> options.seed.toString,
      "machine" -> Json.text(Machine.text)
    ))
  }

  /** On one line, for the process that started this one. */
  def toLine: String = {
    val checks = run.checks.map { case (window, check) => s"$window=$check" }.mkString(" ")
    s"$query ${run.nanos} ${run.cpuNanos} ${run.edges} ${run.windows} ${run.rows} $firstNanos $runs $peakHeap $held;$checks;" +
      run.batchMillis.mkString(" ")
  }
}

object Outcome {

  def fromLine(line: String): Outcome = {
    val Array(head, checks, millis) = (line.split(";", -1): @unchecked)
    val Array(query, nanos, cpuNanos, edges, windows, rows, first, runs, peak, held) =
      (head.split(' '): @unchecked)
    def words(s: String) = s.split(' ').toSeq.filter(_.nonEmpty)
    val checked = words(checks).map { word =>
      val Array(window, check) = (word.split('='): @unchecked)
      window.toLong -> check.toLong
    }.toMap
    val run =
      Run(
        nanos.toLong,
        cpuNanos.toLong,
        edges.toLong,
        windows.toInt,
        checked,
        words(millis).map(_.toLong),
        rows.toLong
      )
    Outcome(query, run, first.toLong, runs.toInt, peak.toLong, held.toLong)
  }

  /** For each query that answers a question, the windows that all queries with this question answered; an exception if
    * they disagree in one, or share none.
    */
  def commonWindows(outcomes: Seq[Outcome]): Map[String, Set[Long]] =
    outcomes.groupBy(o => Options.question(o.query)).collect { case (Some(_), exact) =>
      val common = commonOf(exact)
      exact.map(_.query -> common)
    }.flatten.toMap

  private def commonOf(exact: Seq[Outcome]): Set[Long] =
    if (exact.isEmpty) Set.empty
    else {
      val common = exact.map(_.run.checks.keySet).reduce(_ intersect _)
      if (common.isEmpty)
        throw new IllegalStateException(
          s"no window was answered by all of ${exact.map(_.query).mkString(", ")}"
        )
      exact.find(o =>
        o.run.checks.keySet == exact.head.run.checks.keySet && o.run.windows != exact.head.run.windows
      )
        .foreach { other =>
          throw new IllegalStateException(
            s"${other.query} answered ${other.run.windows} windows, and ${exact.head.query} ${exact.head.run.windows}"
          )
        }
      for (outcome <- exact; window <- common.toSeq.sorted)
        if (outcome.run.checks(window) != exact.head.run.checks(window))
          throw new IllegalStateException(
            s"${outcome.query} and ${exact.head.query} answer differently, for the first time in the window that starts " +
              s"at $window ms"
          )
      common
    }

  private def crc(checks: Answers.Checks): Long = {
    val crc = new CRC32
    checks.toSeq.sorted.foreach { case (_, check) =>
      (0 until 32 by 8).foreach(s => crc.update((check >>> s).toInt & 0xff))
    }
    crc.getValue
  }
}
