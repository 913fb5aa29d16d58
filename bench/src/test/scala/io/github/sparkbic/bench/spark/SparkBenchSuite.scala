package io.github.sparkbic.bench.spark

import java.nio.file.{Files, Path, Paths}

import org.apache.spark.sql.SparkSession
import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite

import io.github.sparkbic.bench.Folders

/** The runner from the command line to the results, on streams of a few thousand edges. The files of edges are made, and
  * the queries of one test are measured, in JVMs of their own, as users have all of them. The others are measured here:
  * a JVM takes longer to start than they take. Tests share the files, and the results of a mode.
  */
class SparkBenchSuite extends AnyFunSuite with BeforeAndAfterAll {

  private val fields =
    ("query,stream,mode,cores,partitions,edges,edges_per_s,seconds,first_s,cpu_s,peak_heap_bytes," +
      "answers_crc,windows,rows,vertices,largest_window_vertices,held_bytes,windows_compared,batch_ms," +
      "window_edges,slide_edges,delay_slides,setting_edges,pairs,marks,warm_up_s,runs,index,heap,seed," +
      "machine").split(',').toSeq

  private val small =
    "--scale 8 --edges 16000 --batch 4000 --pairs 20 --warm-up 0 --runs 1 --heap 512m --part 3"

  /** The results of a run, as the runner writes them: by query, the text of each field. */
  private def written(run: Path => Unit): Map[String, Map[String, String]] = {
    val out = Files.createTempFile("spark-bench", ".json")
    try {
      run(out)
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

  private def resultsOfJvms(arguments: String): Map[String, Map[String, String]] =
    written(out => Main.main(s"$small $arguments --out $out".split(' ')))

  private def results(arguments: String): Map[String, Map[String, String]] = {
    val setting = Options.parse(s"$small $arguments".split(' ').toList).validated
    written(out => Main.runAll(Seq(setting), Some(out), measuredHere))
  }

  /** With the arguments that a JVM of its own would get, and by the line that it would print. */
  private def measuredHere(setting: Options, query: String): Outcome = {
    val options = Options.parse(setting.workerArguments(query).toList)
    Outcome.fromLine(new Worker(options).measure(options.worker.get).toLine)
  }

  // Without SciPy, and told so, until `make build` has made the Python that has it.
  private val python = Files.exists(Paths.get(".venv/.installed"))
  private val scipy = if (python) Seq("scipy") else Nil

  private def resultsOf(mode: String, queries: String*): Map[String, Map[String, String]] =
    results(s"--mode $mode --queries ${(queries ++ scipy).mkString(",")}")

  private def resultsOfGroups(mode: String, asked: String*): Map[String, Map[String, String]] = {
    val queries = ("pairs" +: (asked ++ asked.map(_ + GroupQueries.UnionFind))).mkString(",")
    results(s"--mode $mode --stream uniform --vertices 3000 --memory --queries $queries")
  }

  test("rivals agree on every question about groups") {
    val (rivals, others) = (GroupQueries.OfUnionFind, if (python) GroupQueries.OfSciPy else Nil)
    val rows = results(s"--stream uniform --vertices 3000 --queries ${(rivals ++ others).mkString(",")}")
    rivals.foreach { rival =>
      val same = rows.keySet.filter(GroupQueries.question(_) == GroupQueries.question(rival)).toSeq
      assertAlike(rows, same: _*)
      assert(rows(rival)("rows").toLong > 0 && same.forall(rows(_)("rows") == rows(rival)("rows")), rival)
    }
    assert(rows("table-union-find")("rows") == rows("table-union-find")("vertices"))
  }

  test("groups: the same rows from scratch, in a batch and in a stream") {
    val asked = Seq("components", "stats", "changes")
    Seq(resultsOfGroups("batch", asked: _*), resultsOfGroups("stream", asked.head)).foreach { rows =>
      rows.keySet.map(GroupQueries.question).filter(asked.contains).foreach { query =>
        assertAlike(rows, rows.keySet.filter(GroupQueries.question(_) == query).toSeq: _*)
        val rival = rows(query + GroupQueries.UnionFind)
        assert(rival("windows") == "3" && rival("held_bytes") == "null", query)
      }
      assert(rows("components")("rows") == rows("components")("vertices"))
      assert(rows("pairs")("rows").toLong == 20 * rows("pairs")("windows").toLong)
      assert(rows("components")("held_bytes").toLong > 0)
    }
  }

  test("pairs: early rows are the same rows, and since is in all of them") {
    val rows = results("--mode stream --delay 2 --queries pairs,pairs-early,pairs-since")
    assertAlike(rows, "pairs", "pairs-early")
    assert(rows("pairs-since")("rows") == rows("pairs")("rows") && rows("pairs")("rows").toLong > 0)
    assert(rows("pairs-since")("answers_crc") != rows("pairs")("answers_crc"))
  }

  test("vertices connected to marked ones: as many rows as the join of components has, and as pairs have") {
    val rows =
      results("--stream uniform --vertices 3000 --marks 4 --queries connected,connected-join,connected-pairs")
    assert(
      rows("connected")("rows") == rows("connected-join")("rows") && rows("connected")("rows").toLong > 0
    )
    assert(rows("connected-pairs")("rows").toLong >= rows("connected")("rows").toLong)
  }

  test("ids of any kind: as many rows, which hold the ids") {
    val rows = VertexKind.All.map { kind =>
      results(s"--ids $kind --queries pairs-since,connected")
    }
    for (query <- Seq("pairs-since", "connected")) {
      assert(rows.map(_(query)("rows")).distinct.size == 1 && rows.head(query)("rows").toLong > 0)
      // The checks are of the rows, which hold the ids.
      assert(rows.map(_(query)("answers_crc")).distinct.size == VertexKind.All.size)
    }
  }

  test("events: as many rows as events") {
    val rows = results("--stream uniform --vertices 3000 --marks 4 --queries as-of,as-of-self")
    assert(rows("as-of-self")("rows") == rows("as-of-self")("setting_edges"))
    val some = rows("as-of")("rows").toLong
    assert(some > 0 && some < rows("as-of-self")("rows").toLong)
  }

  test("events: components joined with them tell what the answers tell of both vertices") {
    val options = Options.parse(s"$small --stream uniform --vertices 3000 --marks 40".split(' ').toList)
    val files = new EdgeFiles(options)
    val spark = SparkSession.builder().master("local[1]").config("spark.ui.enabled", "false")
      .config("spark.sql.session.timeZone", "UTC").config("spark.sql.shuffle.partitions", "1").getOrCreate()
    try {
      if (!files.exist) files.write(spark)
      def found(query: String, graph: String) =
        GroupQueries.answers(options, files, files.table(spark, options.edges), query).selectExpr(
          Seq("src", "dst", "time") ++ (for {
            end <- Seq("source", "target")
            of <- Seq("component", "size", "marked")
          } yield s"$graph$end.$of"): _*
        ).collect().map(_.toString).sorted.toSeq
      val answered = found(GroupQueries.AsOf, "graph.")
      assert(answered.size > 1000 && answered.distinct.size > 1000)
      assert(found(GroupQueries.AsOfJoin, "") == answered)
    } finally spark.stop()
  }

  test("events and early rows in a stream: each event has a row, at once or after its pane") {
    val rows =
      results(
        "--mode stream --stream uniform --vertices 3000 --marks 4 --queries connected,connected-early,as-of,as-of-now"
      )
    assert(
      rows("as-of")("rows").toLong > 0 && rows("as-of-now")("rows").toLong > rows("as-of")("rows").toLong
    )
    assert(rows("connected-early")("rows") == rows("connected")("rows"))
  }

  test("the settings of all suites are valid") {
    Seq(
      Suite.Pairs,
      Suite.Groups,
      Suite.Marks,
      Suite.Ids
    ).foreach(_.settings(Options(runs = 5)).foreach(s => assert(s.validated.runs == 5)))
  }

  test("a list of streams, modes or cores is a setting for each combination") {
    val each = Options.each("--stream rmat,uniform --cores 1,2 --queries stats,largest".split(' ').toList)
      .map(Options.parse(_)).map(o => (o.stream, o.mode, o.cores, o.queries))
    val queries = Seq("stats", "largest")
    assert(each == Seq("rmat", "uniform").flatMap(s => Seq(1, 2).map((s, "batch", _, queries))))
  }

  private lazy val batch = resultsOf("batch", "scan", "count", "bic", "recency", "union-find")
  private lazy val stream = resultsOf("stream", "scan", "bic", "recency", "recency-panes")

  private def made: Seq[Path] =
    Seq(
      Options(scale = 8),
      Options(scale = 8, ids = "scattered"),
      Options(scale = 8, ids = "names"),
      Options(scale = 8, ids = "uuids"),
      Options(stream = "uniform", vertices = 3000),
      Options(stream = "graphs", graphs = 50)
    ).map { stream =>
      new EdgeFiles(stream.copy(edges = 16000, batch = 4000)).folder
    }

  // What an interrupted run left would not show that the files are made.
  override def beforeAll(): Unit = made.foreach(Folders.delete)

  override def afterAll(): Unit = made.foreach(Folders.delete)

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
    assert(rows("bic")("first_s").toDouble > 0)
    assert(rows("scan")("answers_crc") == "null" && rows("bic")("peak_heap_bytes").toLong > 0)
    assert(rows("union-find")("windows") == "3" && rows("union-find")("edges") == "600")
  }

  test("a stream, a file a micro-batch") {
    val rows = stream -- scipy
    assertMeasured(rows, "scan", "bic", "recency", "recency-panes")
    assertAlike(rows, "bic", "recency", "recency-panes")
    assert(rows("bic")("batch_ms").toLong > 0 && rows("bic")("mode") == "\"stream\"")
  }

  private val keyed = "--stream graphs --graphs 50 --cores 2"

  test("many small graphs, in a batch whose windows are no multiple of the slide") {
    val rows = resultsOfJvms(s"$keyed --window 4000 --slide 1500 --queries count,recency")
    assertMeasured(rows, "count", "recency")
    // Of each graph 14 or 15 windows, of which the last and the first may be empty.
    val windows = rows("recency")("windows").toInt
    assert(windows > 50 * 10 && windows <= 50 * 15, windows)
  }

  test("many small graphs in a stream: the same answers") {
    val rows = results(s"$keyed --mode stream --queries bic,recency")
    assertMeasured(rows, "bic", "recency")
    assertAlike(rows, "bic", "recency")
    assert(rows("bic")("windows") == rows("recency")("windows") && rows("bic")("windows").toInt > 50)
  }

  test("a window is read from the files that hold some of it, and from no other") {
    val files = new EdgeFiles(Options(edges = 16000, batch = 3950))
    def between(from: Long, until: Long) =
      files.pathsBetween(files.start + from, files.start + until).map(_.takeRight(13).take(5))
    assert(between(0, 39) == Seq("00000") && between(0, 40) == Seq("00000", "00001"))
    assert(between(39, 79) == Seq("00000", "00001") && between(40, 79) == Seq("00001"))
    assert(between(120, 500) == Seq("00003", "00004"))
  }

  private def refused(arguments: String): String = {
    val error = intercept[IllegalArgumentException](Options.parse(arguments.split(' ').toList).validated)
    error.getMessage.stripPrefix("requirement failed: ")
  }

  test("a value that an option cannot have is refused, with the option and the value") {
    assert(refused("--edges lots") == "--edges must be a whole number up to 2147483647, but it is 'lots'")
    Seq("--edges", "--batch", "--pairs", "--part", "--runs", "--cores").foreach { option =>
      Seq("0", "-1").foreach(n => assert(refused(s"$option $n") == s"$option must be positive, but it is $n"))
    }
    Seq("0", "-100", "150").foreach { n =>
      assert(
        refused(s"--window $n").startsWith(s"--window must be a positive multiple of 100 edges, but it is $n")
      )
      assert(refused(s"--slide $n") == s"--slide must be a positive multiple of 100 edges, but it is $n")
    }
    assert(refused("--window 1000 --slide 1100") == "--slide 1100 is longer than --window 1000")
    assert(refused("--edges 1000 --window 2000") ==
      "--edges 1000 are fewer than a --window of 2000: there would be no full window")
    assert(refused("--stream graphs --graphs 0 --queries bic") == "--graphs must be positive, but it is 0")
    assert(refused("--scale 0") == "--scale of an R-MAT stream must be in 1 to 30, but it is 0")
    assert(refused("--stream file.txt") == "--stream must be one of rmat, uniform, graphs, not file.txt")
    assert(refused("--warm-up -1") == "--warm-up must not be negative, but it is -1")
    assert(refused("--segment-windows -1") == "--segment-windows must not be negative, but it is -1")
    assert(refused("--queries ,").startsWith("--queries must name one at least of scan, "))
    assert(refused("--queries bic,flink").startsWith("unknown query 'flink'; there is: scan, "))
    assert(refused("--mode stream --queries union-find") ==
      "union-find and graphframes answer the windows of a table, and need --mode batch")
    assert(refused("--graphframes no.jar") == "--graphframes must be a jar, but there is no no.jar")
    assert(refused("--mode stream --queries stats,table-scipy") ==
      "the query table-scipy is of a static table, and needs --mode batch")
    assert(refused("--stream uniform --vertices 3000000000 --queries stats").startsWith(
      "--vertices must be at most 2147483639 for stats, but it is 3000000000"
    ))
    assert(refused("--index flat --queries stats") == "unknown index 'flat'; there is: bic, recency")
    assert(refused(
      "--ids mail --queries stats"
    ) == "unknown kind of ids 'mail'; there is: dense, scattered, names, uuids")
    assert(
      refused("--ids names --queries bic") == "--ids names is for scan, and for our queries about groups"
    )
    assert(refused("--heap 2") == "--heap must be a size such as 512m or 5g, but it is '2'")
    assert(refused("--queries") == "'--queries' is not an option, or lacks its value")
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
      Outcome(query, Run(1, 1, 1, checks.size, checks.toMap), 1, 1, 1)
    val right = outcome("bic", 0L -> 1L, 10L -> 2L)
    assert(Outcome.commonWindows(Seq(right, outcome("scipy", 10L -> 2L), outcome("scan"))) ==
      Map("bic" -> Set(10L), "scipy" -> Set(10L)))
    val wrong =
      intercept[IllegalStateException](Outcome.commonWindows(Seq(right, outcome("scipy", 10L -> 3L))))
    assert(
      wrong.getMessage.contains("scipy and bic answer differently") && wrong.getMessage.contains("10 ms")
    )
    val apart =
      intercept[IllegalStateException](Outcome.commonWindows(Seq(right, outcome("recency", 20L -> 2L))))
    assert(apart.getMessage == "no window was answered by all of bic, recency")
    val more = Outcome("recency", Run(1, 1, 1, 3, right.run.checks), 1, 1, 1)
    val fewer = intercept[IllegalStateException](Outcome.commonWindows(Seq(right, more)))
    assert(fewer.getMessage == "recency answered 3 windows, and bic 2")
  }
}
