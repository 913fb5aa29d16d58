package io.github.sparkbic.operator

import org.apache.spark.sql.{AnalysisException, QueryTest, Row}
import org.apache.spark.sql.test.SharedSparkSession

import io.github.sparkbic._

/** The largest components of static DataFrames: types, order, and arguments. */
class LargestComponentsSuite extends QueryTest with SharedSparkSession {
  import testImplicits._

  test("ids keep their type, and strings their order, in names, ties and members") {
    Seq("tinyint", "smallint", "int", "bigint", "string").foreach { idType =>
      val edges = Seq((9, 10), (10, 2), (3, 3), (20, 21), (5, 5)).toDF("u", "v")
        .selectExpr(
          s"CAST(u AS $idType) AS src",
          s"CAST(v AS $idType) AS dst",
          "timestamp_seconds(0) AS time"
        )
      val got = edges.bicLargestComponents("10 seconds", top = 3, members = true)
      assert(got.schema.catalogString ==
        s"struct<window:struct<start:timestamp,end:timestamp>,component:$idType,size:bigint,members:array<$idType>>")
      // By their bytes, '10' comes before '2'.
      val first =
        if (idType == "string") Row("10", 3, Seq("10", "2", "9")) else Row("2", 3, Seq("2", "9", "10"))
      checkAnswer(
        got.selectExpr("string(component)", "size", "transform(members, m -> string(m))"),
        Seq(first, Row("20", 2, Seq("20", "21")), Row("3", 1, Seq("3")))
      )
    }
  }

  test("by columns, several windows, and more than there are") {
    val edges = Seq(
      (1L, 2L, 0, "x"),
      (2L, 3L, 5, "x"),
      (1L, 3L, 0, "y"),
      (4L, 4L, 0, "y")
    ).toDF("src", "dst", "at", "k")
      .selectExpr("src", "dst", "k", "timestamp_seconds(at) AS time")
    checkAnswer(
      edges.bicLargestComponents("10 seconds", top = 1, by = Seq("k")).drop("window"),
      Seq(Row("x", 1, 3), Row("y", 1, 2))
    )
    checkAnswer(
      edges.bicLargestComponents(
        "10 seconds",
        top = Long.MaxValue,
        minSize = 2,
        by = Seq("k")
      ).drop("window"),
      Seq(Row("x", 1, 3), Row("y", 1, 2))
    )
    checkAnswer(
      edges.where("k = 'x'").bicLargestComponents(
        Seq("5 seconds", "10 seconds"),
        "5 seconds",
        top = 1,
        index = "recency"
      )
        .selectExpr("unix_seconds(window.start)", "unix_seconds(window.end)", "component", "size"),
      Seq(Row(-5, 5, 1, 2), Row(0, 5, 1, 2), Row(0, 10, 1, 3), Row(5, 10, 2, 2), Row(5, 15, 2, 2))
    )
  }

  test("bad arguments") {
    val edges =
      Seq((1L, 2L)).toDF("src", "dst").selectExpr("*", "timestamp_seconds(0) AS time", "1 AS members")
    def refusal(call: => Any) = intercept[AnalysisException](call).getMessage
    assert(refusal(edges.bicLargestComponents("1 hour", top = 0)) == "top must be at least 1, but it is 0")
    assert(refusal(edges.bicLargestComponents(
      "1 hour",
      minSize = -1
    )) == "min_size must be at least 1, but it is -1")
    assert(
      refusal(edges.bicLargestComponents("1 hour", members = true, by = Seq("members"))) ==
        "column 'members' of by has the name of a column of the answers (window, component, size, members); rename it"
    )
    assert(edges.bicLargestComponents("1 hour", by = Seq("members")).columns.head == "members")
  }
}
