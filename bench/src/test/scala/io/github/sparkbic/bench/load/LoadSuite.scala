package io.github.sparkbic.bench.load

import java.nio.file.{Files, Paths}

import org.scalatest.funsuite.AnyFunSuite

/** The run under load, for seconds instead of an hour. */
class LoadSuite extends AnyFunSuite {

  test("a run of seconds: every window once, as from scratch, and a row for its step") {
    val out = Files.createTempDirectory("bic-load-test").resolve("load.json")
    // The checks are in the run itself, which fails if an answer is wrong, or there twice.
    val length = Seq("--seconds", "40", "--step", "40", "--batch", "200000", "--windows", "2", "--heap", "1g")
    Main.main((length ++ Seq("--out", out.toString)).toArray)
    val rows = Files.readString(out).linesIterator.filter(_.contains("\"second\"")).toSeq
    assert(rows.size == 1 && rows.head.contains("\"live_vertices\": ") && rows.head.contains("\"checked\": "))
  }

  test("a worker gets the options of its run") {
    val options = Options.parse(List("--seconds", "7", "--kill", "3", "--layout", "panes", "--batch", "1000"))
    val folder = Paths.get("x")
    assert(Options.parse(options.workerArguments(folder).toList) == options.copy(folder = Some(folder)))
  }

  test("a value that an option cannot have is refused, with the option and the value") {
    def refusal(arguments: String*): String =
      intercept[IllegalArgumentException](Options.parse(arguments.toList)).getMessage
    assert(refusal("--seconds", "0").endsWith("--seconds must be positive, but it is 0"))
    assert(refusal("--kill", "-1").contains("-1"))
    assert(refusal("--layout", "rows") == "unknown layout 'rows'; there is: value, panes")
  }
}
