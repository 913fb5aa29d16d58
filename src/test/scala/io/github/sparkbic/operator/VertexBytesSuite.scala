package io.github.sparkbic.operator

import org.apache.spark.SparkConf
import org.apache.spark.sql.{AnalysisException, DataFrame, QueryTest, Row}
import org.apache.spark.sql.test.SharedSparkSession

import io.github.sparkbic._
import io.github.sparkbic.sql.BicExtensions

/** Vertices that are no UTF-8 come back byte by byte, and are found by their bytes, in SQL and in paths; all questions are
  * in `BatchLawSuite` and `ConformanceSuite`. A decoder of UTF-8 takes FF and FE for one text.
  */
class VertexBytesSuite extends QueryTest with SharedSparkSession {
  import testImplicits._

  override protected def sparkConf: SparkConf =
    super.sparkConf.set("spark.sql.extensions", classOf[BicExtensions].getName)

  /** Edges of vertices in hexadecimal digits. */
  private val edges = Seq(
    ("FF", "FF", 1L),
    ("FE", "FE", 2L),
    ("FE", "FF", 11L)
  )

  private def named(edges: DataFrame): DataFrame = edges.toDF("src", "dst", "time")
    .selectExpr(Seq("src", "dst").map(c => s"cast(unhex($c) AS STRING) AS $c") :+
      "timestamp_seconds(time) AS time": _*)

  private def queries: DataFrame = Seq(("FF", "FE"), ("FE", "FE"), ("FD", "FF")).toDF("source", "target")
    .selectExpr(Seq("source", "target").map(c => s"cast(unhex($c) AS STRING) AS $c"): _*)

  test("bicPaths: a path leads along the bytes of its vertices") {
    val table = named(edges.toDF())
    val answers =
      table.bicConnectivity("10 seconds", queries = queries).where("connected AND source != target")
    val paths =
      table.bicPaths(answers).selectExpr("hex(source)", "transform(path, e -> hex(e.src) || hex(e.dst))")
    checkAnswer(paths, Row("FF", Seq("FEFF")))
  }

  test("SQL: queries as a table and as an array") {
    named(edges.toDF()).createOrReplaceTempView("edges_of_bytes")
    queries.createOrReplaceTempView("queries_of_bytes")
    def pair(one: String, other: String) = s"(CAST(X'$one' AS STRING), CAST(X'$other' AS STRING))"
    val array = s"array(${pair("FF", "FE")}, ${pair("FE", "FE")}, ${pair("FD", "FF")})"
    Seq("TABLE(queries_of_bytes)", array).foreach { asked =>
      val rows = sql(s"SELECT unix_seconds(window.end), hex(source), hex(target) FROM bic_connectivity(" +
        s"TABLE(edges_of_bytes), '10 seconds', queries => $asked) WHERE connected")
      checkAnswer(rows, Seq(Row(10, "FE", "FE"), Row(20, "FF", "FE"), Row(20, "FE", "FE")))
    }
  }

  test("an error shows a vertex that is no text as a literal of SQL") {
    val broken = queries.selectExpr("source", "if(hex(source) = 'FD', NULL, target) AS target")
    val e = intercept[AnalysisException](
      named(edges.toDF()).bicConnectivity("10 seconds", queries = broken).collect()
    )
    assert(e.getMessage == "queries hold (X'FD', null); leave out nulls, as with queries.dropna()")
  }
}
