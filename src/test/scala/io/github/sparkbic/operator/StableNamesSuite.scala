package io.github.sparkbic.operator

import scala.collection.compat._

import org.apache.spark.sql.{AnalysisException, DataFrame, QueryTest, Row}
import org.apache.spark.sql.bic.TestShims.MemoryStream
import org.apache.spark.sql.streaming.StreamingQueryException
import org.apache.spark.sql.test.SharedSparkSession
import org.scalacheck.Gen
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.github.sparkbic._
import io.github.sparkbic.index.Streams
import io.github.sparkbic.index.Streams.{asDrawn, shrinkStream}
import io.github.sparkbic.operator.EdgeFrames._
import io.github.sparkbic.operator.block.Names.nameOf

/** Changelogs of components, and names that live: by their definitions, on sets, whatever the index and the batches. */
class StableNamesSuite extends QueryTest with SharedSparkSession with ScalaCheckPropertyChecks {
  import testImplicits._

  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 6, sizeRange = 60)

  private val minSizes = Gen.choose(1, 3)

  private def seconds(row: Row, i: Int): Long = row.getTimestamp(i).toInstant.getEpochSecond

  test("updates in their order are upserts and deletes that give the full rows of every window") {
    forAll(Streams.stream, minSizes, Gen.oneOf(Seq(true, false))) { (stream, minSize, stable) =>
      // Two graphs, of strings.
      val edges = stream.edges.map(e => (e.time % 2, nameOf(e.src), nameOf(e.dst), timestamp(e.time)))
        .toDF("graph", "src", "dst", "time")
      val (window, slide, startTime) = panesInSeconds(stream)
      def rows(updatesOnly: Boolean) = edges.bicComponents(
        window,
        slide,
        minSize.toLong,
        updatesOnly,
        stable,
        by = Seq("graph"),
        startTime = startTime
      ).collect().toSeq.groupBy(row => seconds(row.getStruct(1), 0))
      val (updates, full) = (rows(updatesOnly = true), rows(updatesOnly = false))
      val starts = updates.keys.toSeq.sorted
      val tables = starts.scanLeft(Map.empty[(Any, Any), Seq[Any]]) { (table, start) =>
        updates(start).foldLeft(table) { (table, row) =>
          val (key, values) = ((row.get(0), row.get(2)), row.toSeq.drop(3))
          if (row.isNullAt(3)) {
            assert(table.contains(key))
            table - key
          } else {
            assert(!table.get(key).contains(values))
            table.updated(key, values)
          }
        }
      }.tail
      def asTable(rows: Seq[Row]) =
        rows.map(r => (r.get(0), r.get(2)) -> r.toSeq.drop(3)).toMap[(Any, Any), Seq[Any]]
      starts.zip(tables).foreach { case (start, table) =>
        assert(table == asTable(full.getOrElse(start, Nil)))
      }
      // Windows without an update are as the last window before them that has one.
      full.foreach { case (start, rows) =>
        assert(starts.zip(tables).takeWhile(_._1 <= start).lastOption.map(_._2).contains(asTable(rows)))
      }
    }
  }

  /** Edges by the second: source, target, second. */
  private def timed(edges: (Int, Int, Int)*): DataFrame = edges.toDF("src", "dst", "at")
    .selectExpr("src", "dst", "timestamp_seconds(at) AS time")

  private def names(edges: DataFrame): DataFrame = edges.bicComponents("1 second", stable = true)
    .selectExpr("unix_seconds(window.start)", "vertex", "component", "unix_seconds(born)")

  test("a component keeps its name when its smallest vertex leaves, and passes it on to the largest part") {
    val edges = timed((1, 2, 0), (2, 3, 0), (2, 3, 1), (3, 4, 1), (2, 2, 2), (3, 4, 2), (1, 1, 2), (1, 1, 4))
    checkAnswer(
      names(edges),
      Seq(1, 2, 3).map(Row(0, _, 1, 1)) ++ Seq(2, 3, 4).map(Row(1, _, 1, 1)) ++
        Seq(Row(2, 3, 1, 1), Row(2, 4, 1, 1), Row(2, 2, 2, 3), Row(2, 1, 1, 3)) :+ Row(4, 1, 1, 5)
    )
    val changes = edges.bicChanges("1 second", stable = true)
    assert(changes.schema.drop(1).map(_.dataType.catalogString) ==
      Seq("string") ++ Seq.fill(2)("array<struct<component:int,born:timestamp>>") :+ "bigint")
    checkAnswer(
      changes.where("change = 'split'").selectExpr(
        "before.component",
        "after.component",
        "unix_seconds(after[1].born)"
      ),
      Row(Seq(1), Seq(1, 2), 3)
    )
  }

  test("ties: equal parts, and equal components that merge") {
    // Both parts of {1, 2, 3, 4} share two vertices with it: the heir is that of the smaller smallest vertex.
    checkAnswer(
      names(timed((4, 3, 0), (3, 1, 0), (1, 2, 0), (1, 3, 1), (2, 4, 1))).where("vertex IN (1, 2)"),
      Seq(Row(0, 1, 1, 1), Row(0, 2, 1, 1), Row(1, 1, 1, 1), Row(1, 2, 2, 2))
    )
    // {7, 8}, born first, and {1, 2} share two vertices each with the component that both become.
    checkAnswer(
      names(timed((7, 8, 0), (7, 8, 1), (1, 2, 1), (7, 8, 2), (1, 2, 2), (2, 7, 2))).where("vertex = 1"),
      Seq(Row(1, 1, 1, 2), Row(2, 1, 7, 1))
    )
    // Born together: the smaller name.
    checkAnswer(
      names(timed((7, 8, 0), (1, 2, 0), (7, 8, 1), (1, 2, 1), (2, 7, 1))).where("vertex = 7"),
      Seq(Row(0, 7, 7, 1), Row(1, 7, 1, 1))
    )
  }

  test("times of birth have the type of the edges' times, and ids keep theirs") {
    val edges = timed(
      (1, 2, 0),
      (2, 3, 1)
    ).selectExpr("CAST(src AS SMALLINT) src", "CAST(dst AS SMALLINT) dst", "CAST(time AS TIMESTAMP_NTZ) time")
    val found = edges.bicComponents("1 second", stable = true, updatesOnly = true)
    assert(found.schema.drop(1).map(_.dataType.catalogString) == Seq("smallint", "smallint", "timestamp_ntz"))
    checkAnswer(
      found.selectExpr("vertex", "component", "second(born)"),
      Seq(
        Row(1, 1, 1),
        Row(2, 1, 1),
        Row(1, null, null),
        Row(3, 1, 1),
        Row(2, null, null),
        Row(3, null, null)
      )
    )
  }

  test("windows of several lengths are refused where windows are compared") {
    val edges = timed((1, 2, 0))
    val lengths = Seq("2 seconds", "1 second")
    Seq[() => DataFrame](
      () => edges.bicComponents(lengths, "1 second", stable = true),
      () => edges.bicComponents(lengths, "1 second", updatesOnly = true)
    ).foreach { call =>
      assert(
        intercept[AnalysisException](call()).getMessage ==
          "window must be a single length where each window is compared with the window before, not '2 seconds', " +
          "'1 second'; call once for each length"
      )
    }
    assert(edges.bicComponents(Seq("1 second"), stable = true).count() == 2)
  }

  test("a restart with another setting of stable or updatesOnly, or another minSize of updates, is refused") {
    withTempDir { checkpoint =>
      val input = MemoryStream[EdgeRow]
      val edges = input.toDF().withWatermark("time", "0 seconds")
      def run(updatesOnly: Boolean, stable: Boolean, minSize: Long = 1): Unit = {
        val query = edges.bicComponents("10 seconds", "5 seconds", minSize, updatesOnly, stable).writeStream
          .format("noop").option("checkpointLocation", checkpoint.getPath).start()
        try query.processAllAvailable()
        finally query.stop()
      }
      input.addData(EdgeRow(0, 1, 2, timestamp(1)), EdgeRow(0, 1, 2, timestamp(8)))
      run(updatesOnly = true, stable = true)
      input.addData(EdgeRow(0, 1, 2, timestamp(12)))
      val names = "keeps the names of components, as stable does"
      Seq[(() => Unit, String)](
        (
          () => run(updatesOnly = true, stable = false),
          "gives updates_only, of components of at least 1 vertices"
        ),
        (() => run(updatesOnly = false, stable = false), "does not compare windows"),
        (() => run(updatesOnly = false, stable = true), names),
        (
          () => run(updatesOnly = true, stable = true, minSize = 2),
          s"$names, and gives updates_only, of components of at least 2 vertices"
        )
      ).foreach { case (changed, does) =>
        val thrown = intercept[StreamingQueryException](changed())
        val reasons = Iterator.iterate[Throwable](thrown)(_.getCause).takeWhile(_ != null).map(_.getMessage)
        assert(reasons.mkString.contains(
          s"it belongs to a query that $names, and gives updates_only, of components of at least 1 vertices, " +
            s"but this one $does. "
        ))
      }
      run(updatesOnly = true, stable = true)
    }
  }
}
