package io.github.sparkbic.operator

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.SparkConf
import org.apache.spark.sql.{DataFrame, QueryTest, Row}
import org.apache.spark.sql.bic.TestShims.MemoryStream
import org.apache.spark.sql.functions.col
import org.apache.spark.sql.streaming.Trigger
import org.apache.spark.sql.test.SharedSparkSession

import io.github.sparkbic._
import io.github.sparkbic.faults.FaultRun
import io.github.sparkbic.sql.BicExtensions

/** Vertices that are no UTF-8 come back byte by byte, and are found by their bytes: in every question, in a batch and in a
  * stream. A decoder of UTF-8 takes FF and FE for one text.
  */
class VertexBytesSuite extends QueryTest with SharedSparkSession with ConfResults {
  import testImplicits._

  override protected def sparkConf: SparkConf =
    super.sparkConf.set("spark.sql.extensions", classOf[BicExtensions].getName)

  /** Edges of vertices in hexadecimal digits, in windows of ten seconds: FF and FE merge, and then split. */
  private val edges = Seq(
    ("FF", "FF", 1L),
    ("FE", "FE", 2L),
    ("FE", "FF", 11L),
    ("FF", "FF", 21L),
    ("FE", "FE", 22L),
    ("61", "61", 100L)
  )

  private def named(edges: DataFrame): DataFrame = edges.toDF("src", "dst", "time")
    .selectExpr(Seq("src", "dst").map(c => s"cast(unhex($c) AS STRING) AS $c") :+
      "timestamp_seconds(time) AS time": _*)

  private def queries: DataFrame = Seq(("FF", "FE"), ("FE", "FE"), ("FD", "FF")).toDF("source", "target")
    .selectExpr(Seq("source", "target").map(c => s"cast(unhex($c) AS STRING) AS $c"): _*)

  private val end = "unix_seconds(window.end) AS end"

  /** What a question gives, with vertices in hexadecimal digits, and the rows of the windows that end by second 30. */
  private val questions = Seq[(String, DataFrame => DataFrame, Seq[String], Seq[Row])](
    (
      "bicConnectivity",
      _.bicConnectivity("10 seconds", queries = queries),
      Seq("hex(source)", "hex(target)", "connected"),
      Seq(10L, 20L, 30L).flatMap { end =>
        Seq(Row(end, "FF", "FE", end == 20), Row(end, "FE", "FE", true), Row(end, "FD", "FF", false))
      }
    ),
    (
      "bicConnectivity, early",
      _.bicConnectivity("10 seconds", queries = queries, early = true, since = true),
      Seq("hex(source)", "hex(target)", "unix_seconds(since)"),
      Seq(10L, 20L, 30L).flatMap { end =>
        val since = if (end == 20) Some(10L) else None
        Seq(Row(end, "FF", "FE", since.orNull), Row(end, "FE", "FE", end - 10), Row(end, "FD", "FF", null))
      }
    ),
    (
      "bicComponents",
      _.bicComponents("10 seconds"),
      Seq("hex(vertex)", "hex(component)"),
      Seq(Row(10, "FE", "FE"), Row(10, "FF", "FF"), Row(20, "FE", "FE"), Row(20, "FF", "FE")) ++
        Seq(Row(30, "FE", "FE"), Row(30, "FF", "FF"))
    ),
    (
      "bicComponents, updates of stable names",
      _.bicComponents("10 seconds", updatesOnly = true, stable = true),
      Seq("hex(vertex)", "hex(component)", "unix_seconds(born)"),
      Seq(Row(10, "FE", "FE", 10), Row(10, "FF", "FF", 10), Row(20, "FF", "FE", 10), Row(30, "FF", "FF", 30))
    ),
    (
      "bicLargestComponents",
      _.bicLargestComponents("10 seconds", members = true),
      Seq("hex(component)", "size", "transform(members, v -> hex(v))"),
      Seq(Row(10, "FE", 1, Seq("FE")), Row(10, "FF", 1, Seq("FF")), Row(20, "FE", 2, Seq("FE", "FF"))) ++
        Seq(Row(30, "FE", 1, Seq("FE")), Row(30, "FF", 1, Seq("FF")))
    ),
    (
      "bicComponentStats",
      _.bicComponentStats("10 seconds"),
      Seq("vertices", "components"),
      Seq(Row(10, 2, 2), Row(20, 2, 1), Row(30, 2, 2))
    ),
    (
      "bicChanges",
      _.bicChanges("10 seconds"),
      Seq("change", "transform(before, v -> hex(v))", "transform(after, v -> hex(v))"),
      Seq(
        Row(10, "appeared", Nil, Seq("FE")),
        Row(10, "appeared", Nil, Seq("FF")),
        Row(20, "merged", Seq("FE", "FF"), Seq("FE")),
        Row(30, "split", Seq("FE"), Seq("FE", "FF"))
      )
    ),
    (
      "bicChanges of stable names",
      _.bicChanges("10 seconds", stable = true),
      Seq("change", "transform(before, v -> hex(v.component))", "transform(after, v -> hex(v.component))"),
      Seq(
        Row(10, "appeared", Nil, Seq("FE")),
        Row(10, "appeared", Nil, Seq("FF")),
        Row(20, "merged", Seq("FE", "FF"), Seq("FE")),
        Row(30, "split", Seq("FE"), Seq("FE", "FF"))
      )
    )
  )

  private def shown(answers: DataFrame, columns: Seq[String]): DataFrame =
    answers.selectExpr(end +: columns: _*).where(col("end") <= 30)

  private def same(rows: Seq[Row], wanted: Seq[Row]): Unit = {
    // Numbers of another width are the same number.
    def text(rows: Seq[Row]) =
      rows.map(_.toString.replaceAll("(ArrayBuffer|ArraySeq|WrappedArray|Vector)", "List"))
    assert(text(rows).sorted == text(wanted).sorted)
  }

  for ((name, ask, columns, wanted) <- questions) {
    test(s"batch: $name")(same(shown(ask(named(edges.toDF())), columns).collect().toSeq, wanted))

    // What the state keeps differs with early rows and stable names alone.
    val layouts = FaultRun.layouts.filter(_ == "value" || name.contains("early") || name.contains("stable"))
    layouts.foreach { layout =>
      test(s"stream, $layout: $name") {
        val settings = FaultRun.settingsOf(if (layout == "panes") "panes" else "hdfs").toSeq
        withConf(settings :+ "spark.sql.shuffle.partitions" -> "1": _*) {
          val input = MemoryStream[(String, String, Long)]
          val rows = ArrayBuffer.empty[Row]
          val collect = (batch: DataFrame, _: Long) =>
            rows.synchronized(rows ++= shown(batch, columns).collect()): Unit
          withTempDir { checkpoint =>
            edges.grouped(3).foreach { batch =>
              input.addData(batch)
              ask(named(input.toDF()).withWatermark("time", "0 seconds")).writeStream
                .foreachBatch(collect).option("checkpointLocation", checkpoint.getPath)
                .trigger(Trigger.AvailableNow()).start().awaitTermination()
            }
          }
          same(rows.toSeq, wanted)
        }
      }
    }
  }

  test("bicPaths: a path leads along the bytes of its vertices") {
    val table = named(edges.toDF())
    val answers = table.bicConnectivity("10 seconds", queries = queries).where(col("connected"))
    val paths =
      table.bicPaths(answers).selectExpr(end, "hex(source)", "transform(path, e -> hex(e.src) || hex(e.dst))")
        .where("size(path) > 0 OR end < 0")
    same(
      paths.where(col("end") <= 30).where("`hex(source)` = 'FF'").collect().toSeq,
      Seq(Row(20, "FF", Seq("FEFF")))
    )
  }

  test("the components of a whole table") {
    val found = named(edges.take(3).toDF()).bicComponents().selectExpr("hex(vertex)", "hex(component)")
    same(found.collect().toSeq, Seq(Row("FE", "FE"), Row("FF", "FE")))
  }

  test("graphs that are asked for pairs of their own") {
    val table = named(edges.toDF()).selectExpr("*", "cast(X'80' AS STRING) AS graph")
    val own = queries.selectExpr("*", "cast(X'80' AS STRING) AS graph")
      .union(queries.selectExpr("*", "cast(X'81' AS STRING)"))
    val found = table.bicConnectivity("10 seconds", queries = own, by = Seq("graph"))
      .selectExpr(
        "hex(graph)",
        "hex(source)",
        "hex(target)"
      ).where("connected AND unix_seconds(window.end) = 20")
    same(found.collect().toSeq, Seq(Row("80", "FF", "FE"), Row("80", "FE", "FE")))
  }

  test("SQL: queries as a table and as an array") {
    named(edges.toDF()).createOrReplaceTempView("edges_of_bytes")
    queries.createOrReplaceTempView("queries_of_bytes")
    def text(hex: String) = s"CAST(X'$hex' AS STRING)"
    val array =
      s"array((${text("FF")}, ${text("FE")}), (${text("FE")}, ${text("FE")}), (${text("FD")}, ${text("FF")}))"
    Seq("TABLE(queries_of_bytes)", array).foreach { asked =>
      val rows = sql(
        s"SELECT $end, hex(source), hex(target) FROM bic_connectivity(TABLE(edges_of_bytes), '10 seconds', " +
          s"queries => $asked) WHERE connected AND window.end <= timestamp_seconds(30)"
      ).collect().toSeq
      same(rows, Seq(Row(10, "FE", "FE"), Row(20, "FF", "FE"), Row(20, "FE", "FE"), Row(30, "FE", "FE")))
    }
  }

  test("an error shows a vertex that is no text as a literal of SQL") {
    val broken = queries.selectExpr("source", "if(hex(source) = 'FD', NULL, target) AS target")
    val e = intercept[org.apache.spark.sql.AnalysisException](
      named(edges.toDF()).bicConnectivity("10 seconds", queries = broken).collect()
    )
    assert(e.getMessage == "queries hold the pair (X'FD', null); neither source nor target may be null")
  }
}
