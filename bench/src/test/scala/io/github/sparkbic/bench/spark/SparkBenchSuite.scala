package io.github.sparkbic.bench.spark

import java.nio.file.{Files, Path, Paths}

import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite

/** The runner from the command line to the results, on streams of a few thousand edges. Every query takes a JVM of its
  * own, so tests share the files of edges, and the results of a mode.
  */
class SparkBenchSuite extends AnyFunSuite with BeforeAndAfterAll {

  private val fields = Seq(
    "query",
    "stream",
    "mode",
    "cores",
    "edges",
    "edges_per_s",
    "seconds",
    "cpu_s",
    "peak_heap_bytes",
    "answers_crc",
    "windows",
    "windows_compared",
    "batch_ms",
    "window_edges",
    "slide_edges",
    "pairs",
    "runs",
    "heap",
    "seed",
    "machine"
  )

  private val folder = Paths.get("bench/target/edges")

  /** The results of a small setting, as the runner writes them: by query, the text of each field. */
  private def results(arguments: String): Map[String, Map[String, String]] = {
    val out = Files.createTempFile("spark-bench", ".json")
    val small = "--scale 8 --edges 16000 --batch 4000 --pairs 20 --runs 1 --heap 512m --part 3"
    try {
      Main.main(s"$small $arguments --out $out".split(' '))
      val lines = Files.readString(out).linesIterator.filter(_.contains("{")).toSeq
      lines.map { line =>
        val found =
          "\"([a-z_]+)\": (\"[^\"]*\"|[^,}]+)".r.findAllMatchIn(line).map(m => m.group(1) -> m.group(2)).toSeq
        assert(found.map(_._1) == fields)
        val values = found.toMap
        values("query").stripPrefix("\"").stripSuffix("\"") -> values
      }.toMap
    } finally Files.delete(out)
  }

  // Without SciPy, and told so, until `make build` has made the Python that has it.
  private val python = Files.exists(Paths.get(".venv/bin/python"))
  private val scipy = if (python) Seq("scipy") else Nil

  private def resultsOf(mode: String, queries: String*): Map[String, Map[String, String]] =
    results(s"--mode $mode --queries ${(queries ++ scipy).mkString(",")}")

  private lazy val batch = resultsOf("batch", "scan", "count", "bic", "recency", "union-find")
  private lazy val stream = resultsOf("stream", "scan", "bic", "recency", "recency-panes")

  private def made: Seq[Path] =
    Seq("rmat-8", "graphs-50").map(name => folder.resolve(s"$name-16000-4000-1"))

  // What an interrupted run left would not show that the files are made.
  override def beforeAll(): Unit = made.foreach(EdgeFiles.delete)

  override def afterAll(): Unit = made.foreach(EdgeFiles.delete)

  /** All of the queries that answer did so in some windows, and alike. */
  private def assertAlike(rows: Map[String, Map[String, String]], queries: String*): Unit = {
    assert(queries.map(rows(_)("answers_crc")).distinct.size == 1)
    assert(rows(queries.head)("answers_crc") != "null" && rows(queries.head)("windows_compared").toInt > 0)
  }

  private def assertMeasured(rows: Map[String, Map[String, String]], queries: String*): Unit = {
    assert(rows.keySet == queries.toSet)
    queries.foreach { query =>
      assert(rows(query)("edges_per_s").toLong > 0 && rows(query)("edges").toLong > 0, query)
    }
  }

  test("a batch, with rivals: every field, and the same answers from all that answer") {
    val rows = batch -- scipy
    assertMeasured(rows, "scan", "count", "bic", "recency", "union-find")
    assertAlike(rows, "bic", "recency", "union-find")
    assert(rows("scan")("answers_crc") == "null" && rows("bic")("peak_heap_bytes").toLong > 0)
    assert(rows("union-find")("windows") == "3" && rows("union-find")("edges") == "600")
  }

  test("a stream, a file a micro-batch") {
    val rows = stream -- scipy
    assertMeasured(rows, "scan", "bic", "recency", "recency-panes")
    assertAlike(rows, "bic", "recency", "recency-panes")
    assert(rows("bic")("batch_ms").toLong > 0 && rows("bic")("mode") == "\"stream\"")
  }

  test("many small graphs") {
    val rows = results("--stream graphs --graphs 50 --cores 2 --queries count,recency")
    assertMeasured(rows, "count", "recency")
  }

  // Ignored and not cancelled: the report would count a cancelled test as passed.
  private def testWithPython(name: String)(body: => Unit): Unit =
    if (python) test(name)(body) else ignore(name)(body)

  testWithPython("SciPy, in a batch and in a stream") {
    Seq(batch, stream).map(_.filter(row => Set("recency", "scipy")(row._1))).foreach { rows =>
      assertMeasured(rows, "recency", "scipy")
      assertAlike(rows, "recency", "scipy")
    }
  }

  test("different answers are noticed, and so is that no window was answered by all") {
    def outcome(query: String, checks: (Long, Long)*) =
      Outcome(query, Run(1, 1, 1, checks.size, checks.toMap), 1, 1)
    val right = outcome("bic", 0L -> 1L, 10L -> 2L)
    assert(Outcome.commonWindows(Seq(right, outcome("scipy", 10L -> 2L), outcome("scan"))) == Set(10L))
    val wrong =
      intercept[IllegalStateException](Outcome.commonWindows(Seq(right, outcome("scipy", 10L -> 3L))))
    assert(
      wrong.getMessage.contains("scipy and bic answer differently") && wrong.getMessage.contains("10 ms")
    )
    val apart =
      intercept[IllegalStateException](Outcome.commonWindows(Seq(right, outcome("recency", 20L -> 2L))))
    assert(apart.getMessage == "no window was answered by all of bic, recency")
  }
}
