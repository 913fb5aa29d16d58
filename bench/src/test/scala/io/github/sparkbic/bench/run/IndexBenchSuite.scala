package io.github.sparkbic.bench.run

import java.nio.file.{Files, Path}
import java.util.BitSet

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.bench.{CommandLine, WindowSystem}

/** The runner of the indexes: what it takes, what it measures, and that it fails where systems disagree. */
class IndexBenchSuite extends AnyFunSuite {

  private def options(arguments: String): Options = Options.parse(arguments.split(' ').toList).validated

  private def refused(arguments: String): String =
    intercept[IllegalArgumentException](options(arguments)).getMessage.stripPrefix("requirement failed: ")

  private val small = "--scale 14 --edges 16000 --window 4000 --slide 500 --queries 20"

  private def measure(system: String, arguments: String = small): Result =
    Worker.measure(options(s"$arguments --systems $system"))

  private def field(result: Result, name: String): String =
    s""""$name": ("[^"]*"|[^,}]+)""".r.findFirstMatchIn(result.toJson).map(_.group(1)).getOrElse(fail(name))

  test("a value that an option cannot have is refused, with the option and the value") {
    assert(refused("--edges many") == "--edges must be a whole number up to 2147483647, but it is 'many'")
    assert(refused("--edges 3e6") == "--edges must be a whole number up to 2147483647, but it is '3e6'")
    assert(refused("--seed 1.5") == s"--seed must be a whole number up to ${Long.MaxValue}, but it is '1.5'")
    assert(refused("--cap soon") == "--cap must be a number, but it is 'soon'")
    Seq("0", "-1", "NaN").foreach(cap => assert(refused(s"--cap $cap").startsWith("--cap must be positive")))
    Seq("--edges", "--window", "--slide", "--queries", "--runs").foreach { option =>
      Seq("0", "-100").foreach { value =>
        assert(refused(s"$option $value").matches(s"$option must be a? ?positive.*, but it is $value"))
      }
    }
    assert(refused("--window 250").startsWith("--window must be a positive multiple of 100 edges"))
    assert(refused("--window 1000 --slide 1100").endsWith("longer than the window of 1000, but it is 1100"))
    assert(refused("--edges 900 --window 1000 --slide 100") ==
      "--edges 900 are fewer than a --window of 1000: no window would be answered")
    assert(refused("--edges 2000000 --window 1000 --slide 100 --queries 200000") ==
      "--queries 200000 in each of 19991 windows are more answers than can be compared")
    assert(refused("--scale 31") == "--scale of an R-MAT stream must be in 1 to 30, but it is 31")
    assert(refused("--stream uniform --vertices 0") ==
      "--vertices of a uniform stream must be positive, but it is 0")
    assert(refused("--clock sun") == "--clock must be wall or cpu, but it is sun")
    assert(refused("--heap plenty") == "--heap must be a size such as 512m or 5g, but it is 'plenty'")
    assert(
      refused("--stream rmatt") ==
        "--stream must be rmat or uniform, -scattered or not, fresh or a file that can be read, but it is 'rmatt'"
    )
    assert(
      refused("--stream /tmp") ==
        "--stream must be rmat or uniform, -scattered or not, fresh or a file that can be read, but it is '/tmp'"
    )
    assert(refused("--systems bic,lct").startsWith("unknown system 'lct'; there is: union-find, "))
    assert(refused("--systems ,").startsWith("--systems must name one at least of union-find, "))
    assert(refused("--bogus 1") == "'--bogus' is not an option, or lacks its value")
    assert(refused("--runs") == "'--runs' is not an option, or lacks its value")
    assert(refused("--out --suite") == "'--out' is not an option, or lacks its value: '--suite' follows")
  }

  test("every system: every field, and the same answers") {
    val results = WindowSystem.names.map(measure(_))
    val names =
      "experiment,system,stream,edges,window_edges,slide_edges,queries,edges_per_s,p50_ms,p95_ms,p99_ms," +
        "max_ms,burst_max_ms,retained_bytes,retained_min_bytes,retained_max_bytes,answers_crc,windows,exact,capped," +
        "runs,clock,heap,seed,machine"
    results.foreach { result =>
      assert("\"([a-z0-9_]+)\": ".r.findAllMatchIn(result.toJson).map(_.group(1)).mkString(",") == names)
      assert(field(result, "windows") == "25" && field(result, "capped") == "false")
      val latencies = Seq("p50_ms", "p95_ms", "p99_ms", "max_ms").map(field(result, _).toDouble)
      assert(latencies == latencies.sorted && latencies.head > 0)
      assert(field(result, "burst_max_ms").toDouble > 0)
      // How much is retained, the test of the command line checks in a JVM where nothing else comes and goes.
      assert(field(result, "retained_bytes").toLong <= field(result, "retained_max_bytes").toLong)
    }
    assert(results.map(field(_, "answers_crc")).distinct.size == 1)
    assert(results.map(_.checks).distinct.size == 1)
  }

  test("a run that is stopped before its first window has no latency, and says that it was stopped") {
    val stopped = measure("bic", s"$small --cap 1e-9")
    assert(field(stopped, "capped") == "true" && field(stopped, "edges").toInt < 4000)
    Seq("p50_ms", "max_ms", "retained_bytes", "answers_crc").foreach(name =>
      assert(field(stopped, name) == "null")
    )
  }

  test("a run is stopped between the answers of a window, and that window does not count") {
    // A million traversals last longer than the cap; if the inserts do as well, the outcome is the same.
    val stopped = measure("DFS", "--edges 200 --window 100 --slide 100 --queries 1000000 --cap 0.005")
    assert(field(stopped, "capped") == "true" && field(stopped, "windows") == "0")
    assert(field(stopped, "edges").toInt < 100)
  }

  test("a file: its name in the results, and an error if it fills no window") {
    val file = Files.createTempFile("a \"name\" ", ".txt")
    try {
      Files.write(file, (0 until 700).map(i => s"${i % 50} ${i % 37} $i").asJava)
      val arguments = "--window 400 --slide 100 --queries 5 --no-memory --systems bic --stream"
      val parsed = Options.parse(arguments.split(' ').toList :+ file.toString).validated
      val result = Worker.measure(parsed)
      assert(result.toJson.contains("\"stream\": \"a \\\"name\\\" ") && field(result, "edges") == "700")
      assert(field(result, "windows") == "4" && field(result, "capped") == "false")
      val short = intercept[IllegalArgumentException](Worker.measure(parsed.copy(window = 800)))
      assert(short.getMessage.endsWith("has 700 edges, which fill no --window of 800: make that shorter"))
    } finally Files.delete(file)
  }

  test("different answers are noticed, of systems and of runs, in as many windows as both answered") {
    def outcome(system: String, checks: String*) = Main.Outcome(system, "{}", checks)
    val right = outcome("bic", "a", "b", "c")
    Main.requireSameAnswers(Seq(right, outcome("HDT", "a", "b"), outcome("DFS")))
    val wrong =
      intercept[IllegalStateException](Main.requireSameAnswers(Seq(outcome("HDT", "a", "x"), right)))
    assert(wrong.getMessage == "HDT and bic answer differently, for the first time in window 1")

    def answers(set: Int*): BitSet = {
      val bits = new BitSet
      set.foreach(bits.set)
      bits
    }
    Worker.requireAlike("bic", Seq(answers(1, 3), answers(1, 3, 7)), 5)
    val differ =
      intercept[IllegalStateException](Worker.requireAlike("bic", Seq(answers(1, 3), answers(1)), 5))
    assert(differ.getMessage == "bic answered differently in two runs")
  }

  test("a percentile is the smallest value that so many do not exceed; a median is between the middle two") {
    val hundred = (1L to 100L).reverse.toArray
    assert(Seq(0.5, 0.95, 0.99, 1.0).map(Worker.quantile(hundred, _)) == Seq(50, 95, 99, 100))
    assert(Seq(0.5, 0.95, 0.99).map(Worker.quantile(Array(3L, 1L, 2L, 4L), _)) == Seq(2, 4, 4))
    assert(Worker.quantile(Array(7L), 0.5) == 7)
    assert(Worker.median(Seq(4, 1, 3)) == 3 && Worker.median(Seq(4, 1, 3, 2)) == 2.5)
  }

  /** Exit status and what was printed, of a process of its own. */
  private def process(arguments: Seq[String]): (Int, String) = {
    val java = Seq(CommandLine.Java, "-cp", sys.props("java.class.path"), "io.github.sparkbic.bench.run.Main")
    val started = new ProcessBuilder((java ++ arguments).asJava).redirectErrorStream(true).start()
    val printed = new String(started.getInputStream.readAllBytes())
    // A JVM tells of options that its environment gives it.
    (started.waitFor(), printed.linesWithSeparators.filterNot(_.contains("Picked up J")).mkString)
  }

  test("from the command line: results in a file, or one line of error, status 1 and no file") {
    val folder = Files.createTempDirectory("bench")
    val out = folder.resolve("new/results.json")
    def in(folder: Path) = Files.list(folder).iterator.asScala.map(_.getFileName.toString).toSeq
    try {
      val arguments = s"$small --systems union-find,recency --heap 256m --out".split(' ').toSeq
      val (status, printed) = process(arguments :+ out.toString)
      assert(status == 0, printed)
      assert(in(out.getParent) == Seq("results.json"))
      val rows = Files.readAllLines(out).asScala.filter(_.contains("\"answers_crc\""))
      assert(rows.size == 2 && printed.endsWith(s"wrote $out\n"))
      assert(rows.forall(_.matches(""".*"retained_min_bytes": [1-9]\d{4,},.*""")), rows)

      val unwritable = out.resolve("below-a-file.json")
      val (failed, error) = process(arguments :+ unwritable.toString)
      assert(failed == 1 && error.startsWith(s"error: --out $unwritable cannot be written: "))
      assert(error.linesIterator.size == 1, error)
      val (_, taken) = process(arguments :+ folder.toString)
      assert(taken.contains(s"--out $folder cannot be written") && taken.contains("no regular file"))
      assert(in(folder) == Seq("new"))
    } finally
      Seq(out, out.getParent, folder).foreach(Files.deleteIfExists(_))
  }
}
