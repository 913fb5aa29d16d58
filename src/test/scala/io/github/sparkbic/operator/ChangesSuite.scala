package io.github.sparkbic.operator

import org.apache.spark.sql.{AnalysisException, QueryTest, Row}
import org.apache.spark.sql.test.SharedSparkSession

import io.github.sparkbic._

/** What changed from a window to the next, in small streams. */
class ChangesSuite extends QueryTest with SharedSparkSession {
  import testImplicits._

  test("all four changes, of strings, and of a window without edges") {
    val edges = Seq(
      ("10", "9", 0),
      ("7", "8", 0),
      ("x", "y", 0),
      ("9", "8", 1),
      ("a", "b", 1),
      ("10", "10", 2),
      ("9", "9", 2)
    )
      .toDF("src", "dst", "at").selectExpr("src", "dst", "timestamp_seconds(at) AS time")
    val all = edges.bicChanges("1 second").selectExpr(
      "unix_seconds(window.start)",
      "change",
      "before",
      "after",
      "size"
    )
    val expected = Seq(
      Row(0, "appeared", Nil, Seq("10"), 2),
      Row(0, "appeared", Nil, Seq("7"), 2),
      Row(0, "appeared", Nil, Seq("x"), 2),
      Row(1, "merged", Seq("10", "7"), Seq("8"), 2),
      Row(1, "appeared", Nil, Seq("a"), 2),
      Row(1, "vanished", Seq("x"), Nil, 2),
      Row(2, "appeared", Nil, Seq("10"), 1),
      Row(2, "vanished", Seq("a"), Nil, 2),
      Row(3, "vanished", Seq("10"), Nil, 1),
      Row(3, "vanished", Seq("9"), Nil, 1)
    )
    checkAnswer(all, expected)
    val large = edges.bicChanges("1 second", minSize = 2)
      .selectExpr("unix_seconds(window.start)", "change", "before", "after", "size")
    checkAnswer(large, expected.filter(_.getInt(4) >= 2))

    val splitting = Seq((1, 2, 0), (2, 3, 0), (2, 2, 1), (1, 1, 1), (3, 4, 1)).toDF("src", "dst", "at")
      .selectExpr("src", "dst", "timestamp_seconds(at) AS time").bicChanges("1 second")
    assert(splitting.schema("before").dataType.simpleString == "array<int>")
    checkAnswer(
      splitting.where("change = 'split'").select("before", "after", "size"),
      Row(Seq(1), Seq(1, 2, 3), 3)
    )
    assert(intercept[AnalysisException](edges.bicChanges("1 hour", minSize = 0)).getMessage ==
      "min_size must be at least 1, but it is 0")
  }

  test("growth of components that are related to each other alone, as large as the later of them") {
    val edges = Seq(
      ("a", "b", 0),
      ("p", "q", 0),
      ("a", "b", 1),
      ("b", "c", 1),
      ("p", "q", 1),
      ("x", "y", 1),
      ("b", "b", 2),
      ("q", "x", 2),
      ("x", "z", 2)
    ).toDF("src", "dst", "at").selectExpr("src", "dst", "timestamp_seconds(at) AS time")
    def changes(minSize: Long) = {
      val all = edges.bicChanges("1 second", minSize = minSize, growth = true)
      all.selectExpr("unix_seconds(window.start)", "change", "before", "after", "size", "size_before")
    }
    val expected = Seq(
      Row(0, "appeared", Nil, Seq("a"), 2, 0),
      Row(0, "appeared", Nil, Seq("p"), 2, 0),
      Row(1, "grew", Seq("a"), Seq("a"), 3, 2),
      Row(1, "appeared", Nil, Seq("x"), 2, 0),
      Row(2, "shrank", Seq("a"), Seq("b"), 1, 3),
      Row(2, "merged", Seq("p", "x"), Seq("q"), 3, 4),
      Row(3, "vanished", Seq("b"), Nil, 1, 1),
      Row(3, "vanished", Seq("q"), Nil, 3, 3)
    )
    checkAnswer(changes(1), expected)
    checkAnswer(changes(2), expected.filter(_.getInt(4) >= 2))
  }

  test("the names of many components that merge, or that one splits into, rise") {
    val names = (1 to 12).map(i => s"n${i * 7 % 13 + 10}")
    val apart = names.map(name => (name, name, 0)) ++ names.map(name => (name, name, 2))
    val joined = names.zip(names.drop(1)).map { case (a, b) => (a, b, 1) }
    val changes = (apart ++ joined).toDF("src", "dst", "at")
      .selectExpr("src", "dst", "timestamp_seconds(at) AS time").bicChanges("1 second")
    checkAnswer(
      changes.where("change IN ('merged', 'split')").select("change", "before", "after"),
      Seq(Row("merged", names.sorted, Seq(names.min)), Row("split", Seq(names.min), names.sorted))
    )
  }
}
