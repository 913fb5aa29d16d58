package io.github.sparkbic.operator

import scala.collection.compat._

import org.apache.spark.sql.{AnalysisException, QueryTest, Row}
import org.apache.spark.sql.test.SharedSparkSession
import org.scalacheck.Gen
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic._
import io.github.sparkbic.index.{NamesOracle, Stream, Streams}
import io.github.sparkbic.index.NamesOracle.Name
import io.github.sparkbic.index.Streams.{asDrawn, indexName, nameAsDrawn, shrinkStream}
import io.github.sparkbic.operator.EdgeFrames._

/** What changed from a window to the next: as the sets of both have it, from scratch, whatever the index. */
class ChangesSuite extends QueryTest with SharedSparkSession with ScalaCheckPropertyChecks {
  import testImplicits._

  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 8, sizeRange = 60)

  /** Start of the window, change, names before, names after, size, size before. */
  private type Change = (Long, String, Seq[Name], Seq[Name], Long, Long)

  /** The definition, naively. */
  private def changes(stream: Stream, minSize: Int, stable: Boolean, growth: Boolean): Seq[String] = {
    val windows = if (stable) NamesOracle.stable(stream) else NamesOracle.smallest(stream)
    val byStart = windows.map(window => window.start -> window.names).toMap
    type Side = Map[Set[Long], Name]
    windows.flatMap { window =>
      val (old, now) = (byStart.getOrElse(window.start - stream.panes.slide, Map.empty: Side), window.names)
      def rows(here: Side, there: Side, none: String, several: String): Seq[Change] =
        here.toSeq.filter(_._1.size >= minSize).flatMap { case (vertices, name) =>
          val others = there.filter(_._1.intersect(vertices).nonEmpty).values.toList
            .sortBy(name => (name.component, name.born))
          val (before, after) = if (here eq now) (others, List(name)) else (List(name), others)
          val change = if (others.isEmpty) none else several
          Option.when(others.size != 1)(changed(change, before, after, vertices))
        }
      def changed(change: String, before: Seq[Name], after: Seq[Name], vertices: Set[Long]): Change = {
        val sizeBefore = old.toSeq.filter(each => before.contains(each._2)).map(_._1.size).sum
        (window.start, change, before, after, vertices.size.toLong, if (growth) sizeBefore.toLong else 0L)
      }
      def sharing(side: Side, vertices: Set[Long]) = side.toSeq.filter(_._1.intersect(vertices).nonEmpty)
      val grown = for {
        (vertices, name) <- now.toSeq if growth && vertices.size >= minSize
        (verticesBefore, nameBefore) <- sharing(old, vertices)
        if sharing(old, vertices).size == 1 && sharing(now, verticesBefore).size == 1
        change <- Map(1 -> "grew", -1 -> "shrank").get(vertices.size.compare(verticesBefore.size))
      } yield changed(change, List(nameBefore), List(name), vertices)
      rows(old, now, "vanished", "split") ++ rows(now, old, "appeared", "merged") ++ grown
    }.map(_.toString).sorted
  }

  private def changesOf(rows: Seq[Row]): Seq[String] = rows.map { row =>
    def names(i: Int) = row.getSeq[Any](i).map {
      case name: Row => Name(name.getLong(0), seconds(name, 1))
      case vertex    => Name(vertex.asInstanceOf[Long], 0)
    }.toList
    val sizeBefore = if (row.length > 5) row.getLong(5) else 0L
    (seconds(row.getStruct(0), 0), row.getString(1), names(2), names(3), row.getLong(4), sizeBefore): Change
  }.map(_.toString).sorted

  private def seconds(row: Row, i: Int): Long = row.getTimestamp(i).toInstant.getEpochSecond

  for (stable <- Seq(false, true); growth <- Seq(false, true))
    test(s"what the sets of both windows have in common decides; stable $stable, growth $growth") {
      forAll(Streams.stream, indexName, Gen.choose(1, 3)) { (stream, index, minSize) =>
        val (window, slide, startTime) = panesInSeconds(stream)
        val rows = stream.edges.map(row(0, _)).toDF().repartition(2)
          .bicChanges(window, slide, minSize.toLong, stable, growth, startTime = startTime, index = index)
        assert(changesOf(rows.collect().toSeq) == changes(stream, minSize, stable, growth))
      }
    }

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
