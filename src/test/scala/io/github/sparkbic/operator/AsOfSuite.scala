package io.github.sparkbic.operator

import org.apache.spark.sql.{Column, DataFrame, QueryTest, Row}
import org.apache.spark.sql.functions.{col, lit}
import org.apache.spark.sql.test.SharedSparkSession

import io.github.sparkbic._

/** What `BatchLawSuite` does not show of answers for events of static DataFrames. */
class AsOfSuite extends QueryTest with SharedSparkSession with ConfResults with Refusals {
  import testImplicits._

  private def edgesOf(rows: (Long, Long, Long)*): DataFrame = timed(rows.toDF())

  // Edges of the panes [0, 10) and [10, 20).
  private def sample = edgesOf((1, 2, 3), (2, 3, 12), (7, 7, 15))

  private def asked(id: Long, source: Long, target: Long, time: Long) =
    Seq((id, source, target, time)).toDF("id", "source", "target", "t")
      .selectExpr("id", "source", "target", "timestamp_seconds(t) AS time")

  test("columns of any types come back as they were, and the edges may be the events") {
    val edges = spark.range(50).selectExpr(
      "id AS src" +: "id + 1 AS dst" +: "timestamp_seconds(id) AS time" +: AsOfSuite.OfEveryType: _*
    )
    val got = edges.bicAsOf(edges, "10 seconds", "5 seconds", "src", "dst")
    assert(got.schema.init.map(f => f.name -> f.dataType) == edges.schema.map(f => f.name -> f.dataType))
    def texts(frame: DataFrame) =
      AsOfSuite.texts(frame, edges.columns.toSeq).collect().map(_.toString).sorted.toSeq
    assert(texts(got) == texts(edges))
    val sizes = got.where("src BETWEEN 20 AND 24").selectExpr("src", "graph.source.size", "graph.target.size")
    checkAnswer(sizes, Seq(Row(20, 11, 0), Row(21, 0, 0), Row(22, 0, 0), Row(23, 0, 0), Row(24, 0, 0)))
  }

  test("graphs by a column, whose key may be null, and of a wider type in the events") {
    val edges = edgesOf((1, 2, 3), (2, 3, 3)).withColumn("site", lit(1).cast("tinyint"))
      .union(edgesOf((1, 5, 3)).withColumn("site", lit(null).cast("tinyint")))
    val events =
      Seq[(Long, Option[Long], Long)]((1, Some(1), 1), (2, None, 1), (3, Some(257), 1), (4, Some(1), 9))
        .toDF("id", "SITE", "vertex").selectExpr("*", "timestamp_seconds(12) AS time")
    Seq(0, 1).foreach { segments =>
      withConf(Settings.SegmentWindows -> segments.toString) {
        val got = edges.bicAsOf(events, "10 seconds", null, "vertex", by = Seq("site"))
          .selectExpr("id", "SITE", "graph.component", "graph.size")
        checkAnswer(got, Seq(Row(1, 1, 1, 3), Row(2, null, 1, 2), Row(3, 257, null, 0), Row(4, 1, null, 0)))
      }
    }
  }

  test("types of vertices and times are those of the edges, and windows are in the order of the call") {
    val edges =
      sample.selectExpr("int(src) AS src", "smallint(dst) AS dst", "cast(time AS timestamp_ntz) AS time")
    val events =
      asked(1, 1, 3, 20).selectExpr("cast(source AS tinyint) AS s", "cast(time AS timestamp_ntz) AS at")
    val windows = Seq("10 seconds", "30 seconds", "20 seconds")
    val got = edges.bicAsOf(events, windows, "10 seconds", "s", at = "at", wait = false)
    val one =
      "struct<window:struct<start:timestamp_ntz,end:timestamp_ntz>,component:int,size:bigint,final:boolean>"
    assert(got.schema("graph").dataType.catalogString == s"array<$one>")
    checkAnswer(got.selectExpr("graph.size", "graph.final"), Row(Seq(0, 3, 3), Seq(true, true, true)))
  }

  test("no window starts before the least time") {
    val least = spark.sql(s"SELECT 1L AS src, 2L AS dst, timestamp_micros(${Long.MinValue}L) AS time")
    val answers = least.bicAsOf(least, "1 hour", null, source = "src")
    checkAnswer(
      answers.selectExpr("unix_micros(graph.window.start)", "unix_micros(graph.window.end)", "graph.size"),
      Row(Long.MinValue, Long.MinValue, 0)
    )
  }

  test("arguments that cannot be meant are refused") {
    def ask(change: String, column: Column, source: String = "source", target: String = null) =
      sample.bicAsOf(asked(1, 1, 3, 20).withColumn(change, column), "1 hour", null, source, target)
    "events have a column 'Graph' already, which is the name of the column with the answers; rename it" refuses
      ask("Graph", lit(1))
    "column 'source' is given as source and as target; leave target out to ask for one vertex" refuses
      ask("more", lit(1), target = "source")
    "events have no column 'payer' (given as source)…" refuses ask("more", lit(1), source = "payer")
    "events have 'source' (STRING), but the vertices of the edges are integral…" refuses
      ask("source", col("source").cast("string"))
    "events have 'time' (TIMESTAMP_NTZ) as at, but the edges have the time 'time' (TIMESTAMP); cast one of them" refuses
      ask("time", col("time").cast("timestamp_ntz"))
    "bicAsOf needs the index 'recency', but index is 'bic'; give index 'auto' or 'recency'" refuses
      sample.bicAsOf(asked(1, 1, 3, 20), "1 hour", null, "source", index = "bic")
    "events have no column 'site' (given as by)…" refuses
      sample.withColumn("site", lit(1))
        .bicAsOf(asked(1, 1, 3, 20), "1 hour", null, "source", by = Seq("site"))
  }
}

object AsOfSuite {

  /** Columns of every type, made of a column `id`. */
  val OfEveryType: Seq[String] = Seq(
    "named_struct('a', id, 'b', named_struct('c', if(id % 2 = 0, null, 'x'))) AS nested",
    "array(id, null, id + 1) AS items",
    "map('k', array(id), 'l', null) AS mapped",
    "array(map(id, named_struct('p', array(array('é', null)), 'q', double('NaN'))), null) AS deep",
    "cast(id / 7 AS decimal(38, 10)) AS wide",
    "cast(id AS decimal(9, 2)) AS narrow",
    "cast(cast(id AS string) AS binary) AS bytes",
    "if(id % 3 = 0, null, cast(id AS double)) AS maybe",
    "make_ym_interval(1, cast(id AS int)) AS months",
    "make_dt_interval(cast(id AS int)) AS days",
    "make_interval(0, 1, 2, cast(id AS int)) AS calendar",
    "date_add(DATE'2020-01-01', cast(id AS int)) AS day",
    "timestamp_ntz'2020-01-01 00:00:00' AS local",
    "cast(null AS void) AS nothing",
    "cast(id AS tinyint) AS tiny",
    "id % 2 = 0 AS flag",
    "id AS `a.b ``c`"
  )

  /** A text of each column that tells its values apart. */
  def texts(frame: DataFrame, columns: Seq[String]): DataFrame = frame.selectExpr(columns.map { name =>
    s"to_json(struct(`${name.replace("`", "``")}`))"
  }: _*)

  def columns(events: DataFrame): DataFrame =
    events.selectExpr("id", "source", "timestamp_seconds(time) AS time", "target", "graph AS site")
}
