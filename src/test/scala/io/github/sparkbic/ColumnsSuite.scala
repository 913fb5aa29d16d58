package io.github.sparkbic

import org.apache.spark.sql.{AnalysisException, DataFrame, QueryTest}
import org.apache.spark.sql.functions.expr
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.test.SharedSparkSession

import io.github.sparkbic.operator.question.Asked

/** Columns of edges, queries and answers: each has a name that is found, a type that can be compared, and a single role. */
class ColumnsSuite extends QueryTest with SharedSparkSession {
  import testImplicits._

  private def edges: DataFrame =
    Seq((1L, 2L, 0L)).toDF("src", "dst", "at").selectExpr("src", "dst", "timestamp_seconds(at) AS time")

  private def asked: DataFrame = Seq((1L, 2L)).toDF("source", "target")

  private def refusal(call: => Any): String = intercept[AnalysisException](call).getMessage

  test("names of columns that hold backticks and dots") {
    val odd = Seq((1L, 2L, 0L, "x")).toDF("a`b", "c.d", "at", "k`.1")
      .select($"`a``b`", $"`c.d`", expr("timestamp_seconds(at) AS `t``.s`"), $"`k``.1`")
    val found = odd.bicComponents("1 hour", src = "a`b", dst = "c.d", time = "t`.s", by = Seq("k`.1"))
    assert(found.collect().map(row => (row.getString(0), row.getLong(2), row.getLong(3))).toSet ==
      Set(("x", 1L, 1L), ("x", 2L, 1L)))
  }

  test("names in backquotes are as Spark reads them, and the exact name comes first") {
    val odd = edges.toDF("from id", "`to`", "a.time").withColumn("k`", expr("1"))
    val columns = Seq(
      ("`from id`", "`to`", "`a.time`", "`k```"),
      ("from id", "```to```", "a.time", "k`")
    )
    columns.foreach { case (src, dst, time, by) =>
      assert(odd.bicComponents("1 hour", src = src, dst = dst, time = time, by = Seq(by)).count() == 2)
    }
    val both = edges.select($"src", $"dst".as("`src`"), $"time")
    assert(both.bicComponents("1 hour", dst = "`src`").count() == 2)
  }

  test("endpoints of several integral types are as wide as the wider, and so are pairs") {
    val types = Seq("TINYINT", "SMALLINT", "INT", "BIGINT")
    for ((src, dst) <- Seq("INT" -> "BIGINT", "BIGINT" -> "INT", "SMALLINT" -> "TINYINT")) {
      val narrow = edges.selectExpr(s"cast(src AS $src) AS src", s"cast(dst AS $dst) AS dst", "time")
      val wider = types(types.indexOf(src) max types.indexOf(dst))
      def typesOf(answers: DataFrame, names: String*) = names.map(answers.schema(_).dataType.sql).distinct
      assert(typesOf(narrow.bicComponents(), "vertex", "component") == Seq(wider))
      val queries = asked.selectExpr(s"cast(source AS $src) AS source", s"cast(target AS $dst) AS target")
      val answers = narrow.bicConnectivity("1 hour", queries = queries)
      assert(typesOf(answers, "source", "target") == Seq(wider))
      assert(answers.where("connected").count() == 1)
      val paths = narrow.bicPaths(answers.withColumn("source", $"source".cast(src)))
      assert(typesOf(paths.selectExpr("inline(path)"), "src", "dst") == Seq(wider))
      assert(paths.where("path IS NULL").isEmpty)
    }
  }

  test("CHAR columns, whose strings Spark pads, are refused, and VARCHAR columns are not") {
    def text(column: String) =
      s"column $column holds strings that Spark pads with spaces, but strings are compared by their bytes; give rtrim(…), " +
        "cast to STRING"
    withTable("padded") {
      sql("CREATE TABLE padded (src CHAR(4), dst CHAR(8), code CHAR(2), place STRUCT<zip: CHAR(3)>, codes ARRAY<CHAR(2)>, " +
        "name VARCHAR(5), time TIMESTAMP) USING parquet")
      sql(
        "INSERT INTO padded VALUES ('ann', 'bob', 'fr', struct('x'), array('fr'), 'ann', timestamp_seconds(0))"
      )
      val padded = spark.table("padded")
      val named = padded.selectExpr("name AS src", "'bob' AS dst", "time", "code", "place", "codes")
      val queries = sql("SELECT 'ann' AS source, 'bob' AS target")
      Asked.all.foreach(asked =>
        assert(refusal(asked.ask(padded, queries)("window" -> "1 hour")) == text("'src' (CHAR(4))"))
      )
      val answers = named.bicConnectivity("1 hour", queries = queries)
      assert(refusal(padded.bicPaths(answers)) == text("'src' (CHAR(4))"))
      assert(refusal(padded.bicComponents(src = "name")) == text("'dst' (CHAR(8))"))
      val streamed = spark.readStream.table("padded").withWatermark("time", "1 minute")
      assert(refusal(streamed.bicComponents("1 hour")) == text("'src' (CHAR(4))"))
      Seq("code" -> "CHAR(2)", "place" -> "STRUCT<zip: CHAR(3)>", "codes" -> "ARRAY<CHAR(2)>").foreach {
        case (by, shown) =>
          assert(refusal(named.bicComponents(by = Seq(by))) == text(s"'$by' ($shown) of by"))
      }
      val nested = named.selectExpr("src", "dst", "struct(code) AS k")
      assert(refusal(nested.bicComponents(by = Seq("k"))).startsWith("column 'k' (STRUCT<code: STRING"))
      assert(refusal(named.bicConnectivity(
        "1 hour",
        queries = padded.selectExpr("src AS source", "name AS target")
      )) ==
        text("'source' (CHAR(4))"))
      val coded = named.withColumn("code", expr("string(rtrim(code))"))
      val keyed = padded.selectExpr("name AS source", "'bob' AS target", "code")
      assert(refusal(coded.bicConnectivity("1 hour", queries = keyed, by = Seq("code"))) ==
        text("'code' (CHAR(2)) of by"))
      val found = coded.bicConnectivity("1 hour", queries = queries, by = Seq("code"))
      assert(found.where("connected AND code = 'fr'").count() == 1)
    }
  }

  test("two roles for one column") {
    def refusalOf(src: String = "src", dst: String = "dst", by: String = "k") =
      refusal(edges.selectExpr("*", "1 AS k").bicComponents("1 hour", src = src, dst = dst, by = Seq(by)))
    assert(refusalOf(dst =
      "SRC"
    ) == "column 'src' is given as src and as dst; each needs a column of its own")
    assert(refusalOf(by = "dst") == "column 'dst' is given as dst and as by; each needs a column of its own")
    assert(refusalOf(by =
      "time"
    ) == "column 'time' is given as time and as by; each needs a column of its own")
    val answers = edges.bicConnectivity("1 hour", queries = asked)
    assert(refusal(edges.bicPaths(
      answers,
      src = "dst"
    )).startsWith("column 'dst' is given as src and as dst; "))
    assert(edges.bicComponents(by = Seq("time")).count() == 2)
  }

  test("columns of queries that nothing reads") {
    val keyed = edges.selectExpr("*", "'fr' AS country")
    def refusalOf(queries: DataFrame, by: String*) =
      refusal(keyed.bicConnectivity("1 hour", queries = queries, by = by))
    assert(refusalOf(asked.selectExpr("*", "'fr' AS country")) ==
      "queries have a column 'country', but only source, target are read; give it in by too, for pairs of each graph, or " +
      "leave it out, as with queries.select(\"source\", \"target\")")
    assert(refusalOf(asked.selectExpr("*", "'fr' AS cntry"), "country") ==
      "queries have a column 'cntry', but only source, target, country are read; leave it out, as with " +
      "queries.select(\"source\", \"target\", \"country\")")
    assert(refusalOf(
      asked.selectExpr("*", "'fr' AS contry"),
      "country"
    ).endsWith("; did you mean 'country'?"))
    assert(keyed.bicConnectivity(
      "1 hour",
      queries = asked.selectExpr("*", "'fr' AS COUNTRY"),
      by = Seq("country")
    )
      .where("connected").count() == 1)
  }

  test("a column of answers that the edges have as well, and by does not name") {
    val keyed = edges.selectExpr("*", "'fr' AS country")
    val answers = keyed.bicConnectivity("1 hour", queries = asked, by = Seq("country"))
    assert(refusal(keyed.bicPaths(answers)) ==
      "answers and edges both have a column 'country', which is not in by; give it in by, for paths of each graph, or " +
      "rename it in answers")
    assert(keyed.bicPaths(answers, by = Seq("country")).count() == 1)
    assert(keyed.bicPaths(answers.withColumnRenamed("country", "of")).columns.contains("of"))
  }

  test("a key of queries that the edges cannot have") {
    def answers(edgesType: String, key: String) =
      edges.selectExpr("*", s"cast(7 AS $edgesType) AS k")
        .bicConnectivity("1 hour", queries = asked.selectExpr("*", s"$key AS k"), by = Seq("k"))
    def text(key: String, edgesType: String, range: String) =
      s"queries hold the key $key, but the edges have 'k' ($edgesType), which holds numbers $range; correct the key"
    withSQLConf(SQLConf.OPTIMIZER_EXCLUDED_RULES.key -> "") {
      assert(refusal(answers("INT", "5000000000")) ==
        text("5000000000", "INT", "from -2147483648 to 2147483647"))
      assert(refusal(answers("TINYINT", "-129")) == text("-129", "TINYINT", "from -128 to 127"))
    }
    // To read these takes a job, which waits for an action.
    val read = asked.join(spark.range(40000, 40001).toDF("k"))
    val byShort = edges.selectExpr("*", "7S AS k").bicConnectivity("1 hour", queries = read, by = Seq("k"))
    assert(refusal(byShort.collect()) == text("40000", "SMALLINT", "from -32768 to 32767"))
    assert(Seq("7L", "7Y", "cast(NULL AS BIGINT)").map(answers("INT", _).count()) == Seq(1, 1, 0))
  }
}
