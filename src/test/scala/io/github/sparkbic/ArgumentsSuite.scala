package io.github.sparkbic

import org.apache.spark.SPARK_VERSION
import org.apache.spark.sql.{DataFrame, Observation, QueryTest}
import org.apache.spark.sql.bic.TestShims.MemoryStream
import org.apache.spark.sql.functions.{expr, window, window_time}
import org.apache.spark.sql.streaming._
import org.apache.spark.sql.test.SharedSparkSession

import io.github.sparkbic.operator.question.{Asked, AskedConnected}

/** Bad arguments, and streams that cannot be answered: each is refused before a query starts, with the value and the fix. */
class ArgumentsSuite extends QueryTest with SharedSparkSession with Refusals {
  import testImplicits._

  test("a column that is missing") {
    "edges have no column 'from' (given as src); there are: src, dst, time" refuses
      edges.bicComponents("1 hour", src = "from")
    "edges have no column 'time'; there are: src, dst; give the name of yours as time" refuses
      edges.drop("time").bicComponents("1 hour")
    "edges have no column 'tenant' (given as by); there are: src, dst, time" refuses
      edges.bicComponents("1 hour", by = Seq("tenant"))
    "queries have no column 'target'; there are: source; rename yours to 'target'" refuses
      edges.bicConnectivity("1 hour", "1 hour", pair.drop("target"))
    "marked vertices have no column 'vertex'; there are: source, target; rename yours to 'vertex'" refuses
      edges.bicConnectedTo("1 hour", marked = pair)
    "edges have no column 'SRCE' (given as src); there are: src, dst, time; did you mean 'src'?" refuses
      edges.bicComponents("1 hour", src = "SRCE", dst = "x")
    "… src, dst, time" refuses edges.bicComponents("1 hour", by = Seq("site"))
  }

  test("a name that Spark would understand, but that is of no column") {
    val nested = edges.selectExpr("struct(src, dst) AS payload", "time")
    "edges have no column 'payload.src' (given as src); there are: payload, time; to use payload.src, make it a column " +
      "of its own first, as in withColumn(\"src\", col(\"payload.src\"))" refuses
      nested.bicComponents("1 hour", src = "payload.src", dst = "payload.dst")
    "…; did you mean 'src'?" refuses edges.bicComponents("1 hour", src = "`srce`")
  }

  test("a column of a wrong type, twice, or with a name of the answers") {
    def of(columns: String*) = edges.selectExpr(columns: _*).bicComponents("1 hour")
    "column 'src' (DOUBLE) must be of an integral type (BIGINT, INT, SMALLINT, TINYINT) or STRING; cast it" refuses
      of("double(src) AS src", "dst", "time")
    "columns 'src' (BIGINT) and 'dst' (STRING) must both be integral or both be STRING; cast one of them" refuses
      of("src", "string(dst) AS dst", "time")
    "column 'time' (STRING) must be TIMESTAMP or TIMESTAMP_NTZ; convert it, for instance with to_timestamp or " +
      "timestamp_seconds" refuses of("src", "dst", "string(time) AS time")
    "edges have 2 columns called 'src'; rename all but one" refuses of("*", "src")
    def by(names: String*) = edges.selectExpr("*" +: names.distinct.map(name => s"1 AS $name"): _*)
      .bicConnectivity("1 hour", queries = pair, by = names.map(_.toLowerCase))
    "column 'k' is given twice in by" refuses by("k", "k")
    "column 'window' of by has the name of a column of the answers (window, source, target, connected); rename it" refuses
      by("window")
    "column 'Source' of by has the name of a column of the answers (window, source, target, connected); rename it" refuses
      by("Source")
    // The name of a column that these answers do not have.
    assert(by("members").columns.head == "members")
  }

  test("keys whose values have no order, and strings that are equal to others") {
    def by(key: String) = edges.selectExpr("*", s"$key AS k").bicComponents("1 hour", by = Seq("k"))
    "column 'k' (MAP<STRING, INT>) of by is of a type whose values have no order, by which Spark cannot group; give " +
      "columns of other types, such as fields of it" refuses by("map('a', 1)")
    "column 'k' (VARIANT) of by is of a type whose values have no order…" refuses by("parse_json('1')")
    Seq("UTF8_LCASE", "UNICODE_CI", "UTF8_BINARY_RTRIM").foreach { collation =>
      s"column 'k' (STRING COLLATE $collation) of by has a collation in which different strings may be equal…" refuses
        by(s"'EU' COLLATE $collation")
    }
    val ends = Seq("src", "dst").map(end => s"string($end) COLLATE UTF8_LCASE AS $end")
    "column 'src' (STRING COLLATE UTF8_LCASE) has a collation in which different strings may be equal, but strings are " +
      "compared by their bytes; give lower(...) or the like, cast to STRING" refuses
      edges.selectExpr(ends :+ "time": _*).bicComponentStats("1 hour")
  }

  test("windows, slides and start times that are none") {
    def of(slide: String, startTime: String, windows: String*) =
      edges.bicComponents(windows, slide, startTime = startTime)
    def window(text: String, slide: String = null, startTime: String = "0 seconds") =
      of(slide, startTime, text)
    "window 'soon' is not a duration; give one such as '1 hour' or '5 minutes'" refuses window("soon")
    "window '1 month' has months or years, which differ in length; give it in weeks, days or smaller units, such as " +
      "'30 days'" refuses window("1 month")
    "window must be positive, but it is '0 hours'; give a time such as '10 minutes'" refuses window("0 hours")
    "window '10000000000 days'…" refuses window("10000000000 days")
    "slide must be positive, but it is '-5 minutes'; give a time such as '10 minutes'" refuses
      window("1 hour", "-5 minutes")
    "slide '2 hours' is longer than window '1 hour', so some edges would be in no window; choose a slide of at most the " +
      "window" refuses window("1 hour", "2 hours")
    "start_time '-5 minutes' must be shorter than the slide '5 minutes'; start_time '0 seconds' makes the same windows" refuses
      window("1 hour", "5 minutes", "-5 minutes")
    "window '1 day' and slide '86399999999 microseconds' make panes of 1 microsecond, 86400000000 in a window, more than " +
      "1073741824; choose lengths with a larger common divisor" refuses
      window("1 day", "86399999999 microseconds")
    "window '1 day', '1 hour 1 microsecond' and slide '1 hour' make panes of 1 microsecond, 86400000000 in a window, …" refuses
      of("1 hour", "0 seconds", "1 day", "1 hour 1 microsecond")
    "window is an empty list; give at least one duration, such as '1 hour'" refuses of("1 hour", "0 seconds")
    "windows of several lengths (1 hour, 1 day) share one slide; give it, such as slide '1 hour'" refuses
      of(null, "0 seconds", "1 hour", "1 day")
    "window '24 hours' is given twice; each length of window is answered once" refuses
      of("1 hour", "0 seconds", "1 day", "24 hours")
    "slide '2 hours' is longer than window '1 hour'…" refuses of("2 hours", "0 seconds", "1 day", "1 hour")
  }

  test("windows of several lengths where windows are compared, or with an index that has one length") {
    val lengths = Seq("2 hours", "1 hour")
    Asked.all.filter(_.compares).foreach { asked =>
      "window must be a single length where each window is compared with the window before, not '2 hours', '1 hour'; " +
        "call once for each length" refuses asked.ask(edges, pair)("window" -> lengths, "slide" -> "1 hour")
    }
    assert(edges.bicComponents(Seq("1 hour"), stable = true).count() == 2)
    "windows of several lengths need the index 'recency', but index is 'bic'; give index 'auto' or 'recency'" refuses
      edges.bicComponents(lengths, "1 hour", index = "bic")
    Asked.all.filter(_.needsRecency).foreach { asked =>
      "… the index 'recency', but index is 'bic'; give index 'auto' or 'recency'" refuses
        asked.ask(edges, pair)("window" -> "1 hour", "index" -> "bic")
    }
    "unknown index 'magic'; there is: auto, bic…" refuses edges.bicComponents("1 hour", index = "magic")
    "…; did you mean 'recency'?" refuses edges.bicComponents("1 hour", index = "recensy")
    "early and updates_only exclude each other: …" refuses
      AskedConnected(early = true, updatesOnly = true).ask(edges, pair)("window" -> "1 hour")
  }

  test("what a whole table has no use for") {
    "slide '1 hour' is given without a window; give a window too, or no slide" refuses
      edges.bicComponents(slide = "1 hour")
    "start_time '5 minutes' is given without a window; give a window too, or no start_time" refuses
      edges.bicLargestComponents(startTime = "5 minutes")
    "start_time 'soon' is not a duration…" refuses edges.bicComponentStats(startTime = "soon")
    "time 'at' is given without a window; give a window too, or no time" refuses
      edges.withColumn("at", $"time").bicComponents(time = "at")
    "window is not given, which asks for the components of a whole table, but the edges are a streaming DataFrame, which " +
      "has no end; give a window, such as '1 hour'" refuses
      MemoryStream[(Long, Long)].toDF().toDF("src", "dst").bicComponents()
    Asked.all.filter(asked => asked.compares && asked.hasWholeTable).foreach { asked =>
      "bic_components compares each window with the window before, but window is not given; give one, such as '1 hour'" refuses
        asked.ask(edges, pair)()
    }
    "bic_connectivity needs a value for 'window', not NULL…" refuses
      edges.bicConnectivity(Windows.WholeTable, queries = pair)
  }

  test("queries that are empty, malformed, or streaming") {
    def ask(queries: DataFrame) = edges.bicConnectivity("1 hour", "1 hour", queries)
    "queries are empty; give at least one pair (source, target)" refuses
      ask(Seq.empty[(Long, Long)].toDF("source", "target"))
    "queries hold (1, null); leave out nulls, as with queries.dropna()" refuses
      ask(Seq((Option(1L), Option.empty[Long])).toDF("source", "target"))
    // To read these takes a job, which waits for an action.
    val read = spark.range(1, 2).selectExpr("id AS source", "id + 1 AS target")
    Seq(
      read.where("source > 1") -> "queries are empty; give at least one pair (source, target)",
      read.selectExpr("source", "if(target = 2, null, target) AS target") ->
        "queries hold (1, null); leave out nulls, as with queries.dropna()",
      read.selectExpr("if(target = 2, null, source) AS source", "target") ->
        "queries hold (null, 2); leave out nulls, as with queries.dropna()"
    ).foreach { case (queries, message) =>
      val answers = ask(queries)
      message refuses answers.collect()
      message refuses answers.count()
    }
    val otherKind = "but the vertices of the edges are integral; give both the same kind of ids"
    s"queries have 'source' (STRING), $otherKind" refuses
      ask(pair.selectExpr("string(source) AS source", "string(target) AS target"))
    s"queries have 'target' (STRING), $otherKind" refuses
      ask(pair.selectExpr("source", "string(target) AS target"))
    "column 'target' (FLOAT) must be of an integral type (BIGINT, INT, SMALLINT, TINYINT) or STRING; cast it" refuses
      ask(pair.selectExpr("source", "float(target) AS target"))
    "queries must be a static DataFrame, but it is a streaming one; collect them first, or call in foreachBatch" refuses
      ask(MemoryStream[(Long, Long)].toDF().toDF("source", "target"))
  }

  test("queries with only some of the by columns, or of another type") {
    val keyed = edges.selectExpr("*", "'x' AS region", "1 AS tenant")
    def ask(columns: String*) = {
      val queries = pair.selectExpr("*" +: columns: _*)
      keyed.bicConnectivity("1 hour", queries = queries, by = Seq("region", "tenant"))
    }
    "queries have the column 'region' of by, but not 'tenant'; give all of them, to ask each graph for its own queries, or " +
      "none" refuses ask("'x' AS region")
    "queries have 'tenant' (STRING), but the edges have 'tenant' (INT); cast one of them" refuses
      ask("'x' AS region", "'1' AS tenant")
    val marked = sql("SELECT 1L AS vertex, 'x' AS region")
    "marked vertices have the column 'region' of by, but not 'tenant'; give all of them, to ask each graph for its own " +
      "marked vertices, or none" refuses
      keyed.bicConnectedTo("1 hour", marked = marked, by = Seq("region", "tenant"))
    "marked vertices have a column 'region', but only vertex is read; give it in by too, for marked vertices of each graph, …" refuses
      keyed.bicConnectedTo("1 hour", marked = marked)
  }

  test("settings that are misspelt, or wrong where this query does not read them") {
    val (size, windows) =
      ("which is no size; give one such as", "which is no number of windows; give one such as")
    val whole = s"$windows '4', or '0' to leave graphs whole"
    val wrong =
      Seq("-1", "much", "99999999999g").map(("cache.maxBytes", _, s"$size '512m', or '0' for no cache")) ++
        Seq(("cache.minBytes", "few", s"$size '4k', or '0' to keep every graph")) ++
        Seq("many", "-1", "2.5", "", "3000000000").map(("batch.segmentWindows", _, whole))
    def check(name: String, value: String, message: String): Unit =
      withSQLConf(s"spark.bic.$name" -> value)(message refuses edges.bicComponents("1 hour"))
    wrong.foreach { case (name, value, told) => check(name, value, s"spark.bic.$name is '$value', $told") }
    val layouts = "there is: value, panes; did you mean 'panes'?"
    check("stateLayout", "pane", s"unknown spark.bic.stateLayout 'pane'; $layouts")
    check(
      "cache.maxbyte",
      "1g",
      "unknown setting 'spark.bic.cache.maxbyte'; there is: spark.bic.stateLayout, spark.bic.cache.maxBytes, " +
        "spark.bic.cache.minBytes, spark.bic.batch.segmentWindows; did you mean 'spark.bic.cache.maxBytes'?"
    )
    withSQLConf("spark.bic.stateLayout" -> "panes")(assert(edges.bicComponents("1 hour").count() == 2))
  }

  test("a stream without a watermark on its time, or with an Observation") {
    "an Observation serves static DataFrames only; in a stream the counters are in the observedMetrics of the query's " +
      "progress" refuses inTime.bicComponents("1 hour", observation = Some(Observation("counted")))
    val needed =
      "a streaming query needs a watermark on the column 'time', which tells when a window is complete"
    s"""$needed; add one with edges.withWatermark("time", "10 minutes")""" refuses
      stream.bicComponents("1 hour")
    s"""$needed (the watermark is on 'seen'); add one with edges.withWatermark("time", "10 minutes")""" refuses
      stream.selectExpr("*", "current_timestamp() AS seen").withWatermark("seen", "1 minute")
        .bicComponents("1 hour")
    s"""$needed; add one with edges.withColumn("time", col("time").cast("timestamp")).withWatermark("time", "10 minutes"),""" +
      " which Spark takes of a TIMESTAMP only" refuses
      stream.selectExpr("src", "dst", "cast(time AS TIMESTAMP_NTZ) AS time").bicComponents("1 hour")
  }

  test("a stream of what Spark holds back until the watermark has passed it") {
    def told(source: String) =
      s"edges come from $source, whose rows come out once the watermark has passed their time, so they would be late; " +
        "write them to a table, and read that as a stream"
    val counted = inTime.groupBy(window($"time", "1 minute"), $"src", $"dst").count()
      .select($"src", $"dst", window_time($"window").as("time"))
    told("a streaming aggregation") refuses counted.bicComponents("1 hour")
    inTime.createOrReplaceTempView("calls")
    told("a streaming distinct") refuses spark.sql("SELECT DISTINCT * FROM calls").bicComponents("1 hour")
    val others = inTime.toDF("from", "to", "at")
    Seq("left_outer", "right_outer", "full_outer").foreach { kind =>
      val on = expr("dst = from AND at BETWEEN time AND time + INTERVAL 1 MINUTE")
      told("an outer join of two streams") refuses inTime.join(others, on, kind).bicComponents("1 hour")
    }
    val kept = stream.as[(Long, Long, java.sql.Timestamp)].groupByKey(_._1)
      .flatMapGroupsWithState(OutputMode.Append, GroupStateTimeout.NoTimeout) {
        (_: Long, rows: Iterator[(Long, Long, java.sql.Timestamp)], _: GroupState[Long]) => rows
      }.toDF("src", "dst", "time")
    told("flatMapGroupsWithState") refuses kept.withWatermark("time", "1 minute").bicComponents("1 hour")
    assert(inTime.dropDuplicates("src", "dst", "time").bicComponentStats("1 hour").isStreaming)
    // A table is there at once, whatever was made of it.
    val counts = edges.groupBy($"src".as("known")).count().distinct()
    assert(inTime.join(counts, $"src" === $"known", "left_outer").bicComponentStats("1 hour").isStreaming)
  }

  test("a stream with a watermark on answers, which would wait for one another") {
    val input = MemoryStream[(Long, Long, Long)]
    val edges = timed(input.toDF()).withWatermark("time", "1 minute")
    input.addData((1L, 2L, 0L))
    val marked = edges.bicComponents("1 hour").withColumn("time", window_time($"window"))
      .withWatermark("time", "1 minute")
    val advice =
      "… which would wait for one another for ever; write the answers to a table, and read that as a stream"
    advice refuses marked.bicComponents("1 hour", src = "vertex", dst = "component")
    val joined = edges.join(this.edges.bicComponents("1 hour"), $"src" === $"vertex")
    assert(joined.select("src", "dst", "time").bicComponents("1 hour").isStreaming)
    // Not known before the query starts. On Spark 4.0 such a query starts, and waits.
    if (!SPARK_VERSION.startsWith("4.0")) withTempDir { checkpoint =>
      val query = marked.writeStream.format("noop").option("checkpointLocation", checkpoint.getPath).start()
      val failure = intercept[StreamingQueryException](query.processAllAvailable())
      advice refuses (throw failure.getCause)
    }
  }

  test("what Spark itself refuses: another output mode, and an operator with a state after the answers") {
    val answers = inTime.bicConnectivity("1 hour", "1 hour", pair)
    def start(mode: String) = answers.writeStream.format("noop").outputMode(mode).start()
    "flatMapGroupsWithState in append mode is not supported with Update output mode…" refuses start("update")
    "…Invalid streaming output mode: complete…" refuses start("complete")
    "…not supported for streaming aggregations without watermark…" refuses
      answers.groupBy("window").count().writeStream.format("noop").start()
  }
}
