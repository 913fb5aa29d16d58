package io.github.sparkbic.operator

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.{AnalysisException, DataFrame, QueryTest, Row}
import org.apache.spark.sql.functions.{collect_list, max, struct}
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
      def check(): Unit = checkAnswer(
        got.selectExpr("string(vertex)", "string(component)"),
        Seq(Row("9", smallest), Row("10", smallest), Row("2", smallest), Row("3", "3"))
      )
      check()
      // A session that has lost the strategies has Spark's own operator make the rows.
      val strategies = spark.experimental.extraStrategies
      spark.experimental.extraStrategies = Nil
      try check()
      finally spark.experimental.extraStrategies = strategies
    }
  }

  test("rows of strings of any length stay as they are in operators that keep rows") {
    val names = Seq("", "a", "b" * 100, "c" * 8, "0123abcd-0123-4567-89ab-0123456789ab", "d" * 5000, "e")
    val edges = names.flatMap(name => Seq((name, name, 0), (name, name, 10))).toDF("src", "dst", "at")
      .selectExpr("src", "dst", "timestamp_seconds(at) AS time")
    val answers =
      edges.bicComponents("10 seconds").selectExpr("unix_seconds(window.end) AS end", "vertex", "component")
    val wanted = Seq(10L, 20L).flatMap(end => names.map(name => Row(end, name, name))).toSet
    val kept = Seq(
      answers.orderBy("component"),
      answers.orderBy("vertex").limit(100),
      answers.repartition(3),
      answers.groupBy("end", "vertex").agg(max("component")),
      answers.selectExpr("end", "vertex", "max(component) OVER (PARTITION BY vertex ORDER BY end DESC)"),
      answers.groupBy("end").agg(collect_list(struct("vertex", "component")).as("all"))
        .selectExpr("end", "inline(all)")
    ) ++ Seq("broadcast", "merge", "shuffle_hash", "shuffle_replicate_nl").map { hint =>
      answers.join(answers.withColumnRenamed("component", "other").hint(hint), Seq("end", "vertex"))
        .select("end", "vertex", "other")
    }
    def check(rows: DataFrame): Unit = {
      val found = rows.collect()
      assert(found.length == wanted.size && found.toSet == wanted, rows.queryExecution)
    }
    kept.foreach(check)
    assert(answers.toLocalIterator().asScala.toSet == wanted)
    val cached = answers.cache()
    try check(cached)
    finally cached.unpersist(blocking = true): Unit
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
