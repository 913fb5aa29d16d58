package io.github.sparkbic

import org.apache.spark.sql.{DataFrame, QueryTest}
import org.apache.spark.sql.functions.expr
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.test.SharedSparkSession

import io.github.sparkbic.operator.question.Asked

/** Columns of edges, queries and answers: each has a name that is found, a type that can be compared, and a single role. */
class ColumnsSuite extends QueryTest with SharedSparkSession with Refusals {
  import testImplicits._

  test("names of columns that hold backticks and dots") {
    val odd = Seq((1L, 2L, 0L, "x")).toDF("a`b", "c.d", "at", "k`.1")
      .select($"`a``b`", $"`c.d`", expr("timestamp_seconds(at) AS `t``.s`"), $"`k``.1`")
    val found = odd.bicComponents("1 hour", src = "a`b", dst = "c.d", time = "t`.s", by = Seq("k`.1"))
    assert(found.collect().map(row => (row.getString(0), row.getLong(2), row.getLong(3))).toSet ==
      Set(("x", 1L, 1L), ("x", 2L, 1L)))
  }

  test("names in backquotes are as Spark reads them, and the exact name comes first") {
    val odd = edges.toDF("from id", "`to`", "a.time").withColumn("k`", expr("1"))
    Seq(("`from id`", "`to`", "`a.time`", "`k```"), ("from id", "```to```", "a.time", "k`")).foreach {
      case (src, dst, time, by) =>
        assert(odd.bicComponents("1 hour", src = src, dst = dst, time = time, by = Seq(by)).count() == 2)
    }
    val both = edges.select($"src", $"dst".as("`src`"), $"time")
    assert(both.bicComponents("1 hour", dst = "`src`").count() == 2)
  }

  test("ids and times keep their types, in windows and whole tables") {
    // Ids of one digit have one order as numbers and as strings.
    val rows = Seq((5, 6, 0), (6, 2, 1), (3, 3, 2), (2, 3, 12)).toDF("src", "dst", "at")
    def ask(asked: Asked, window: Seq[(String, Any)], ids: String, times: String) = {
      def cast(names: String*) = names.map(name => s"cast($name AS $ids) AS $name")
      val time = s"cast(timestamp_seconds(at) AS $times) AS time"
      val queries = Seq((5, 2), (5, 3)).toDF("source", "target").selectExpr(cast("source", "target"): _*)
      asked.ask(rows.selectExpr(cast("src", "dst") :+ time: _*), queries)(window: _*)
    }
    val (ntz, ltz) = ("timestamp_ntz", "timestamp")
    val types = Seq("tinyint" -> ntz, "smallint" -> ltz, "int" -> ntz, "string" -> ltz)
    val windows = Seq("window" -> "10 seconds")
    val questions = Asked.oneEach.map(_ -> windows) ++ Asked.ofTables.map(_ -> Nil)
    for (((asked, window), turn) <- questions.zipWithIndex) {
      val plain = ask(asked, window, "bigint", "timestamp")
      val wanted = plain.collect().toSeq
      val vertices = asked.question(null, strings = false).vertices
      types.zipWithIndex.foreach { case ((ids, times), i) =>
        val found = ask(asked, window, ids, times)
        plain.schema.zip(found.schema).foreach { case (before, now) =>
          val own = if (vertices.contains(before.name)) ids else "bigint"
          val text = before.dataType.catalogString.replace("bigint", own).replace("timestamp", times)
          assert(now.name == before.name && now.dataType.catalogString == text, asked)
        }
        val same = found.selectExpr(plain.schema.map(f => s"cast(${f.name} AS ${f.dataType.sql})"): _*)
        // Each type has its turn with some of the questions.
        if (i == turn % types.size) checkAnswer(same, wanted)
      }
    }
  }

  test("endpoints of several integral types are as wide as the wider, and so are pairs") {
    val types = Seq("TINYINT", "SMALLINT", "INT", "BIGINT")
    for ((src, dst) <- Seq("INT" -> "BIGINT", "BIGINT" -> "INT", "SMALLINT" -> "TINYINT")) {
      val narrow = edges.selectExpr(s"cast(src AS $src) AS src", s"cast(dst AS $dst) AS dst", "time")
      val wider = types(types.indexOf(src) max types.indexOf(dst))
      def typesOf(answers: DataFrame, names: String*) = names.map(answers.schema(_).dataType.sql).distinct
      assert(typesOf(narrow.bicComponents(), "vertex", "component") == Seq(wider))
      val queries = pair.selectExpr(s"cast(source AS $src) AS source", s"cast(target AS $dst) AS target")
      val answers = narrow.bicConnectivity("1 hour", queries = queries)
      assert(typesOf(answers, "source", "target") == Seq(wider))
      assert(answers.where("connected").count() == 1)
      val paths = narrow.bicPaths(answers.withColumn("source", $"source".cast(src)))
      assert(typesOf(paths.selectExpr("inline(path)"), "src", "dst") == Seq(wider))
      assert(paths.where("path IS NULL").isEmpty)
    }
  }

  test("CHAR columns, whose strings Spark pads, are refused, and VARCHAR columns are not") {
    def told(column: String) =
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
      def ask(queries: DataFrame) = named.bicConnectivity("1 hour", queries = queries)
      Asked.oneEach.foreach { asked =>
        told("'src' (CHAR(4))") refuses asked.ask(padded, queries)("window" -> "1 hour")
      }
      told("'src' (CHAR(4))") refuses padded.bicPaths(ask(queries))
      told("'dst' (CHAR(8))") refuses padded.bicComponents(src = "name")
      val streamed = spark.readStream.table("padded").withWatermark("time", "1 minute")
      told("'src' (CHAR(4))") refuses streamed.bicComponents("1 hour")
      Seq("code" -> "CHAR(2)", "place" -> "STRUCT<zip: CHAR(3)>", "codes" -> "ARRAY<CHAR(2)>").foreach {
        case (by, shown) => told(s"'$by' ($shown) of by") refuses named.bicComponents(by = Seq(by))
      }
      "column 'k' (STRUCT<code: STRING…" refuses
        named.selectExpr("src", "dst", "struct(code) AS k").bicComponents(by = Seq("k"))
      told("'source' (CHAR(4))") refuses ask(padded.selectExpr("src AS source", "name AS target"))
      val coded = named.withColumn("code", expr("string(rtrim(code))"))
      def ofCodes(queries: DataFrame) = coded.bicConnectivity("1 hour", queries = queries, by = Seq("code"))
      told("'code' (CHAR(2)) of by") refuses
        ofCodes(padded.selectExpr("name AS source", "'bob' AS target", "code"))
      assert(ofCodes(queries).where("connected AND code = 'fr'").count() == 1)
    }
  }

  test("two roles for one column") {
    def ask(src: String = "src", dst: String = "dst", by: String = "k") =
      edges.selectExpr("*", "1 AS k").bicComponents("1 hour", src = src, dst = dst, by = Seq(by))
    "column 'src' is given as src and as dst; each needs a column of its own" refuses ask(dst = "SRC")
    "column 'dst' is given as dst and as by; each needs a column of its own" refuses ask(by = "dst")
    "column 'time' is given as time and as by; each needs a column of its own" refuses ask(by = "time")
    "column 'dst' is given as src and as dst; …" refuses
      edges.bicPaths(edges.bicConnectivity("1 hour", queries = pair), src = "dst")
    assert(edges.bicComponents(by = Seq("time")).count() == 2)
  }

  test("columns of queries that nothing reads") {
    val keyed = edges.selectExpr("*", "'fr' AS country")
    def ask(name: String, by: String*) = {
      val queries = pair.selectExpr("*", s"'fr' AS $name")
      keyed.bicConnectivity("1 hour", queries = queries, by = by)
    }
    "queries have a column 'country', but only source, target are read; give it in by too, for queries of each graph, or " +
      "leave it out, as with queries.select(\"source\", \"target\")" refuses ask("country")
    "queries have a column 'cntry', but only source, target, country are read; leave it out, as with " +
      "queries.select(\"source\", \"target\", \"country\")" refuses ask("cntry", "country")
    "…; did you mean 'country'?" refuses ask("contry", "country")
    "marked vertices have a column 'reason', but only vertex is read; leave it out, as with marked.select(\"vertex\")" refuses
      edges.bicConnectedTo("1 hour", marked = sql("SELECT 1L AS vertex, 'x' AS reason"))
    assert(ask("COUNTRY", "country").where("connected").count() == 1)
  }

  test("a column of answers that the edges have as well, and by does not name") {
    val keyed = edges.selectExpr("*", "'fr' AS country")
    val answers = keyed.bicConnectivity("1 hour", queries = pair, by = Seq("country"))
    "answers and edges both have a column 'country', which is not in by; give it in by, for paths of each graph, or " +
      "rename it in answers" refuses keyed.bicPaths(answers)
    assert(keyed.bicPaths(answers, by = Seq("country")).count() == 1)
    assert(keyed.bicPaths(answers.withColumnRenamed("country", "of")).columns.contains("of"))
  }

  test("a key of queries that the edges cannot have") {
    def ask(edgesType: String, queries: DataFrame) =
      edges.selectExpr("*", s"cast(7 AS $edgesType) AS k")
        .bicConnectivity("1 hour", queries = queries, by = Seq("k"))
    def keyed(key: String) = pair.selectExpr("*", s"$key AS k")
    def told(key: String, edgesType: String, range: String) =
      s"queries hold the key $key, but the edges have 'k' ($edgesType), which holds numbers $range; correct the key"
    withSQLConf(SQLConf.OPTIMIZER_EXCLUDED_RULES.key -> "") {
      told("5000000000", "INT", "from -2147483648 to 2147483647") refuses ask("INT", keyed("5000000000"))
      told("-129", "TINYINT", "from -128 to 127") refuses ask("TINYINT", keyed("-129"))
    }
    // To read these takes a job, which waits for an action.
    val answers = ask("SMALLINT", pair.join(spark.range(40000, 40001).toDF("k")))
    told("40000", "SMALLINT", "from -32768 to 32767") refuses answers.collect()
    val counts = Seq("7L", "7Y", "cast(NULL AS BIGINT)").map(key => ask("INT", keyed(key)).count())
    assert(counts == Seq(1, 1, 0))
  }
}
