package io.github.sparkbic.operator

import scala.collection.compat._

import org.apache.spark.sql.{AnalysisException, Row}
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic._
import io.github.sparkbic.index.{Oracle, Stream, Streams}
import io.github.sparkbic.index.Streams.{indexName, nameAsDrawn, shrinkStream}
import io.github.sparkbic.operator.EdgeFrames._
import io.github.sparkbic.operator.forests.Flushed

/** What changed from a window to the next: as the sets of both have it, from scratch, whatever the index. */
class ChangesSuite extends Flushed with ScalaCheckPropertyChecks {
  import testImplicits._

  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 8, sizeRange = 60)

  /** Start of the window, change, names before, names after, size. */
  private type Change = (Long, String, Seq[Long], Seq[Long], Long)

  /** The definition, naively. */
  private def changes(stream: Stream): Seq[Change] = {
    val slide = stream.panes.slide
    val windows = Oracle.windows(stream).map { case (start, _, components) =>
      start -> components.toSeq.groupMap(_._2)(_._1).values.map(_.toSet).toSeq
    }.toMap
    val starts = windows.keys.flatMap(start => Seq(start, start + slide)).toSeq.distinct
    starts.flatMap { start =>
      val before = windows.getOrElse(start - slide, Nil)
      val after = windows.getOrElse(start, Nil)
      def names(sets: Seq[Set[Long]]) = sets.map(_.min).sorted.toList
      val old = before.flatMap { one =>
        val others = after.filter(_.intersect(one).nonEmpty)
        val change = if (others.isEmpty) "vanished" else if (others.size > 1) "split" else ""
        Option.when(change != "")((start, change, List(one.min), names(others), one.size.toLong))
      }
      val now = after.flatMap { one =>
        val others = before.filter(_.intersect(one).nonEmpty)
        val change = if (others.isEmpty) "appeared" else if (others.size > 1) "merged" else ""
        Option.when(change != "")((start, change, names(others), List(one.min), one.size.toLong))
      }
      old ++ now
    }
  }

  private def changesOf(rows: Seq[Row]): Seq[Change] = rows.map { row =>
    val start = row.getStruct(0).getTimestamp(0).toInstant.getEpochSecond
    (start, row.getString(1), row.getSeq[Long](2).toList, row.getSeq[Long](3).toList, row.getLong(4))
  }

  private def sorted(changes: Seq[Change]): Seq[String] = changes.map(_.toString).sorted

  test("static: what the sets of both windows have in common decides") {
    forAll(Streams.stream, indexName) { (stream, index) =>
      val (window, slide, startTime) = panesInSeconds(stream)
      val edges = stream.edges.map(row(0, _)).toDF().repartition(2)
      val got = edges.bicChanges(window, slide, startTime = startTime, index = index).collect().toSeq
      assert(sorted(changesOf(got)) == sorted(changes(stream)))
    }
  }

  test("streams, restarted in the middle, give the same") {
    forAll(Streams.stream, indexName, minSuccessful(2)) { (stream, index) =>
      val (window, slide, startTime) = panesInSeconds(stream)
      flushed(stream, restart = true)(_.bicChanges(window, slide, startTime = startTime, index = index)) {
        rows =>
          assert(sorted(changesOf(rows)) == sorted(changes(stream.fromZero)))
      }
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
