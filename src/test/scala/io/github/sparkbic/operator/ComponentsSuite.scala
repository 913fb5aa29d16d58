package io.github.sparkbic.operator

import org.apache.spark.sql.{AnalysisException, QueryTest, Row}
import org.apache.spark.sql.test.SharedSparkSession

import io.github.sparkbic._

/** Components and their statistics of static DataFrames: types, names, and columns of by. */
class ComponentsSuite extends QueryTest with SharedSparkSession {
  import testImplicits._

  test("ids keep their type, and a component of strings is named by the smallest string") {
    Seq("tinyint", "smallint", "int", "bigint", "string").foreach { idType =>
      val edges = Seq((9, 10, 0), (10, 2, 1), (3, 3, 2)).toDF("u", "v", "at")
        .selectExpr(
          s"CAST(u AS $idType) AS src",
          s"CAST(v AS $idType) AS dst",
          "timestamp_seconds(at) AS time"
        )
      val got = edges.bicComponents("10 seconds", "10 seconds")
      assert(got.schema.fields.drop(1).map(_.dataType.catalogString).toSeq == Seq(idType, idType))
      val smallest = if (idType == "string") "10" else "2"
      // Arrays become rows in generated code, or without it.
      Seq("true", "false").foreach { wholeStage =>
        withSQLConf("spark.sql.codegen.wholeStage" -> wholeStage) {
          checkAnswer(
            got.selectExpr("string(vertex)", "string(component)"),
            Seq(Row("9", smallest), Row("10", smallest), Row("2", smallest), Row("3", "3"))
          )
        }
      }
    }
  }

  test("the number of components of each size, if asked for") {
    val edges = Seq((1, 2, 0), (3, 4, 0), (5, 5, 1), (5, 6, 1), (6, 7, 1)).toDF("src", "dst", "at")
      .selectExpr("src", "dst", "timestamp_seconds(at) AS time")
    val got =
      edges.bicComponentStats("1 second", sizes = true).selectExpr("unix_seconds(window.start)", "sizes")
    checkAnswer(got, Seq(Row(0, Seq(Row(2, 2))), Row(1, Seq(Row(3, 1)))))
  }

  test("by columns, and bad arguments") {
    val edges = Seq((1L, 2L, "x"), (1L, 3L, "y")).toDF("src", "dst", "k")
      .selectExpr("*", "timestamp_seconds(0) AS time", "1 AS largest")
    val got = edges.bicComponents("1 hour", "1 hour", by = Seq("k")).drop("window")
    checkAnswer(got, Seq(Row("x", 1, 1), Row("x", 2, 1), Row("y", 1, 1), Row("y", 3, 1)))
    checkAnswer(
      edges.bicComponentStats("1 hour", "1 hour", by = Seq("k")).drop("window"),
      Seq(Row("x", 2, 1, 1, 2), Row("y", 2, 1, 1, 2))
    )
    def refusal(call: => Any) = intercept[AnalysisException](call).getMessage
    assert(refusal(edges.bicComponents(
      "1 hour",
      "1 hour",
      minSize = 0
    )) == "min_size must be at least 1, but it is 0")
    assert(
      refusal(edges.bicComponentStats(
        "1 hour",
        "1 hour",
        by = Seq("largest")
      )) == "column 'largest' of by has the name " +
        "of a column of the answers (window, vertices, edges, components, largest); rename it"
    )
  }
}
