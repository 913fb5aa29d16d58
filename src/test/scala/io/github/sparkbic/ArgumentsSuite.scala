package io.github.sparkbic

import org.apache.spark.sql.{AnalysisException, DataFrame, QueryTest}
import org.apache.spark.sql.bic.TestShims.MemoryStream
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.test.SharedSparkSession

/** Bad arguments: each is refused before a query starts, by a message with the bad value and the fix. */
class ArgumentsSuite extends QueryTest with SharedSparkSession {
  import testImplicits._

  private def edges: DataFrame =
    Seq((1L, 2L, 0L)).toDF("src", "dst", "at").selectExpr("src", "dst", "timestamp_seconds(at) AS time")

  private def asked: DataFrame = Seq((1L, 2L)).toDF("source", "target")

  private def refusal(call: => Any): String = intercept[AnalysisException](call).getMessage

  private def refusalOf(window: String, slide: String, startTime: String = "0 seconds"): String =
    refusal(edges.bicConnectivity(window, slide, asked, startTime = startTime))

  test("a column that is missing") {
    assert(refusal(edges.bicConnectivity("1 hour", "1 hour", asked, src = "from")) ==
      "edges have no column 'from' (given as src); there are: src, dst, time")
    assert(refusal(edges.drop("time").bicConnectivity("1 hour", "1 hour", asked)) ==
      "edges have no column 'time'; there are: src, dst; give the name of yours as time")
    assert(refusal(edges.bicConnectivity("1 hour", "1 hour", asked, by = Seq("tenant"))) ==
      "edges have no column 'tenant' (given as by); there are: src, dst, time")
    assert(refusal(edges.bicConnectivity("1 hour", "1 hour", asked.drop("target"))) ==
      "queries have no column 'target'; there are: source; rename yours to 'target'")
    assert(refusal(edges.bicConnectivity("1 hour", "1 hour", asked, src = "SRCE", dst = "x")) ==
      "edges have no column 'SRCE' (given as src); there are: src, dst, time; did you mean 'src'?")
    assert(refusal(edges.bicConnectivity(
      "1 hour",
      "1 hour",
      asked,
      by = Seq("site")
    )).endsWith("src, dst, time"))
  }

  test("a name that Spark would understand, but that is of no column") {
    val nested = edges.selectExpr("struct(src, dst) AS payload", "time")
    assert(refusal(nested.bicComponents("1 hour", src = "payload.src", dst = "payload.dst")) ==
      "edges have no column 'payload.src' (given as src); there are: payload, time; to use payload.src, make it a column of " +
      "its own first, as in withColumn(\"src\", col(\"payload.src\"))")
    assert(refusal(edges.bicComponents("1 hour", src = "`srce`")).endsWith("; did you mean 'src'?"))
  }

  test("a column of a wrong type, twice, or with a name of the answers") {
    assert(refusal(edges.selectExpr(
      "double(src) AS src",
      "dst",
      "time"
    ).bicConnectivity("1 hour", "1 hour", asked)) ==
      "column 'src' (DOUBLE) must be of an integral type (BIGINT, INT, SMALLINT, TINYINT) or STRING; cast it")
    assert(refusal(edges.selectExpr(
      "src",
      "string(dst) AS dst",
      "time"
    ).bicConnectivity("1 hour", "1 hour", asked)) ==
      "columns 'src' (BIGINT) and 'dst' (STRING) must both be integral or both be STRING; cast one of them")
    assert(refusal(edges.selectExpr(
      "src",
      "dst",
      "string(time) AS time"
    ).bicConnectivity("1 hour", "1 hour", asked)) ==
      "column 'time' (STRING) must be TIMESTAMP or TIMESTAMP_NTZ; convert it, for instance with to_timestamp or " +
      "timestamp_seconds")
    assert(refusal(edges.selectExpr(
      "*",
      "1 AS k"
    ).bicConnectivity("1 hour", "1 hour", asked, by = Seq("k", "k"))) ==
      "column 'k' is given twice in by")
    assert(refusal(edges.selectExpr(
      "*",
      "1 AS window"
    ).bicConnectivity("1 hour", "1 hour", asked, by = Seq("window"))) ==
      "column 'window' of by has the name of a column of the answers (window, source, target, connected); rename it")
    assert(refusal(edges.selectExpr(
      "*",
      "1 AS Source"
    ).bicConnectivity("1 hour", "1 hour", asked, by = Seq("source"))) ==
      "column 'Source' of by has the name of a column of the answers (window, source, target, connected); rename it")
    assert(refusal(edges.selectExpr("*", "src").bicConnectivity("1 hour", "1 hour", asked)) ==
      "edges have 2 columns called 'src'; rename all but one")
  }

  test("keys whose values have no order, and strings that are equal to others") {
    def refusalOf(key: String) =
      refusal(edges.selectExpr("*", s"$key AS k").bicConnectivity("1 hour", "1 hour", asked, by = Seq("k")))
    assert(refusalOf(
      "map('a', 1)"
    ) == "column 'k' (MAP<STRING, INT>) of by is of a type whose values have no order, by " +
      "which Spark cannot group; give columns of other types, such as fields of it")
    assert(refusalOf(
      "parse_json('1')"
    ).startsWith("column 'k' (VARIANT) of by is of a type whose values have no order"))
    assert(refusalOf("'EU' COLLATE UTF8_LCASE").startsWith(
      "column 'k' (STRING COLLATE UTF8_LCASE) of by has a collation " +
        "in which different strings may be equal"
    ))
    val named = edges.selectExpr(
      "string(src) COLLATE UTF8_LCASE AS src",
      "string(dst) COLLATE UTF8_LCASE AS dst",
      "time"
    )
    assert(refusal(named.bicComponentStats("1 hour")).startsWith(
      "column 'src' (STRING COLLATE UTF8_LCASE) has a " +
        "collation in which different strings may be equal, but strings are compared by their bytes; give lower(...)"
    ))
  }

  test("a window or slide that is no positive duration, or too long") {
    assert(refusalOf(
      "soon",
      "1 hour"
    ) == "window 'soon' is not a duration; give one such as '1 hour' or '5 minutes'")
    assert(refusalOf(
      "1 month",
      "1 hour"
    ) == "window '1 month' has months or years, which differ in length; give it in " +
      "weeks, days or smaller units, such as '30 days'")
    assert(refusalOf("0 hours", "1 hour") == "window must be positive, but it is '0 hours'")
    assert(refusalOf("1 hour", "-5 minutes") == "slide must be positive, but it is '-5 minutes'")
    assert(refusalOf(
      "1 hour",
      "2 hours"
    ) == "slide '2 hours' is longer than window '1 hour', so some edges would be in " +
      "no window; choose a slide of at most the window")
    assert(refusalOf(
      "1 hour",
      "5 minutes",
      "-5 minutes"
    ) == "start_time '-5 minutes' must be shorter than the slide '5 minutes'; start_time '0 seconds' makes the same windows")
    assert(refusalOf("10000000000 days", "1 hour").startsWith("window '10000000000 days'"))
    assert(refusalOf(
      "1 day",
      "86399999999 microseconds"
    ) == "window '1 day' and slide '86399999999 microseconds' make panes of 1 microsecond, 86400000000 in a window, " +
      "more than 1073741824; choose lengths with a larger common divisor")
    assert(refusal(edges.bicConnectivity(
      Seq("1 day", "1 hour 1 microsecond"),
      "1 hour",
      asked,
      index = "recency"
    )) == "window '1 day', '1 hour 1 microsecond' and slide '1 hour' make panes of 1 microsecond, 86400000000 in a " +
      "window, more than 1073741824; choose lengths with a larger common divisor")
  }

  test("queries that are empty, malformed, or streaming") {
    def refusalOf(queries: DataFrame) = refusal(edges.bicConnectivity("1 hour", "1 hour", queries))
    assert(refusalOf(asked.limit(0)) == "queries are empty; give at least one pair (source, target)")
    val half = Seq((Option(1L), Option.empty[Long])).toDF("source", "target")
    withSQLConf(SQLConf.OPTIMIZER_EXCLUDED_RULES.key -> "") {
      assert(refusalOf(half) == "queries hold the pair (1, null); neither source nor target may be null")
    }
    // To read these takes a job, which waits for an action.
    val read = spark.range(1, 2).selectExpr("id AS source", "id + 1 AS target")
    def refusalOfAction(queries: DataFrame) = {
      val answers = edges.bicConnectivity("1 hour", "1 hour", queries)
      Seq(refusal(answers.collect()), refusal(answers.count())).distinct
    }
    assert(refusalOfAction(read.where("source > 1")) ==
      Seq("queries are empty; give at least one pair (source, target)"))
    assert(refusalOfAction(read.selectExpr("source", "if(target = 2, null, target) AS target")) ==
      Seq("queries hold the pair (1, null); neither source nor target may be null"))
    assert(refusalOfAction(read.selectExpr("if(target = 2, null, source) AS source", "target")) ==
      Seq("queries hold the pair (null, 2); neither source nor target may be null"))
    assert(refusalOf(asked.selectExpr("string(source) AS source", "string(target) AS target")) ==
      "queries have 'source' (STRING), but the vertices of the edges are integral; give both the same kind of ids")
    assert(refusalOf(asked.selectExpr("source", "string(target) AS target")) ==
      "queries have 'target' (STRING), but the vertices of the edges are integral; give both the same kind of ids")
    assert(refusalOf(asked.selectExpr("source", "float(target) AS target")) ==
      "column 'target' (FLOAT) must be of an integral type (BIGINT, INT, SMALLINT, TINYINT) or STRING; cast it")
    assert(refusalOf(MemoryStream[(Long, Long)].toDF().toDF("source", "target")) ==
      "queries must be a static DataFrame, but it is a streaming one; collect them first, or call in foreachBatch")
  }

  test("queries with only some of the by columns, or of another type") {
    val keyed = edges.selectExpr("*", "'x' AS region", "1 AS tenant")
    def refusalOf(queries: DataFrame) =
      refusal(keyed.bicConnectivity("1 hour", "1 hour", queries, by = Seq("region", "tenant")))
    assert(refusalOf(asked.selectExpr(
      "*",
      "'x' AS region"
    )) == "queries have the column 'region' of by, but not 'tenant'; " +
      "give all of them, to ask each graph for its own pairs, or none")
    assert(refusalOf(asked.selectExpr("*", "'x' AS region", "'1' AS tenant")) ==
      "queries have 'tenant' (STRING), but the edges have 'tenant' (INT); cast one of them")
  }

  test("an unknown index") {
    assert(refusal(edges.bicConnectivity(
      "1 hour",
      "1 hour",
      asked,
      index = "magic"
    )).startsWith("unknown index 'magic'; there is: auto, bic"))
    assert(refusal(edges.bicComponents("1 hour", index = "recensy")).endsWith("; did you mean 'recency'?"))
  }

  test("the version of the jar is that of the build") {
    assert(PythonApi.version.matches("""\d+\.\d+\.\d+.*"""))
  }

  test("a column of times without a window") {
    assert(refusal(edges.withColumn("at", $"time").bicComponents(time = "at")) ==
      "time 'at' is given without a window; give a window too, or no time")
  }

  test("settings that are misspelt, or wrong where this query does not read them") {
    def refusalOf(conf: (String, String)) = withSQLConf(conf)(refusal(edges.bicComponents("1 hour")))
    assert(refusalOf("spark.bic.stateLayout" -> "pane") ==
      "unknown spark.bic.stateLayout 'pane'; there is: value, panes; did you mean 'panes'?")
    assert(refusalOf(
      "spark.bic.cache.maxBytes" -> "much"
    ).startsWith("spark.bic.cache.maxBytes is 'much', which is no"))
    assert(refusalOf("spark.bic.cache.maxbyte" -> "1g") ==
      "unknown setting spark.bic.cache.maxbyte; there is: spark.bic.stateLayout, spark.bic.cache.maxBytes, " +
      "spark.bic.cache.minBytes, spark.bic.batch.segmentWindows; did you mean 'spark.bic.cache.maxBytes'?")
    withSQLConf("spark.bic.batch.segmentWindows" -> "few") {
      assert(refusal(edges.bicComponents()).startsWith("spark.bic.batch.segmentWindows is 'few'"))
    }
    withSQLConf("spark.bic.stateLayout" -> "panes")(assert(edges.bicComponents("1 hour").count() == 2))
  }
}
