package io.github.sparkbic.operator

import org.apache.spark.SparkConf
import org.apache.spark.sql.{Column, DataFrame, QueryTest, Row}
import org.apache.spark.sql.bic.TestShims.MemoryStream
import org.apache.spark.sql.functions.{col, expr, hex, struct, transform}
import org.apache.spark.sql.test.SharedSparkSession
import org.apache.spark.sql.types._

import io.github.sparkbic._
import io.github.sparkbic.faults.FaultRun
import io.github.sparkbic.operator.question.Asked
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

  /** A window, and all other columns with strings in hexadecimal digits. */
  private def shown(answers: DataFrame): DataFrame = {
    def hexed(column: Column, dataType: DataType): Column = dataType match {
      case StringType       => hex(column)
      case ArrayType(of, _) => transform(column, hexed(_, of))
      case StructType(fields) =>
        struct(fields.toSeq.map(f => hexed(column(f.name), f.dataType).as(f.name)): _*)
      case _ => column
    }
    val columns = answers.schema.drop(1).map(f => hexed(col(f.name), f.dataType).as(f.name))
    answers.select(expr(end) +: columns: _*).where(col("end") <= 30)
  }

  private def ask(asked: Asked, edges: DataFrame): DataFrame =
    asked.ask(named(edges), queries)("window" -> "10 seconds")

  /** The rows that a question has where FE and FF are texts, in the same order. */
  private def asTexts(asked: Asked): Seq[Row] = {
    val texts = Map("FE" -> "78", "FF" -> "79", "FD" -> "77")
    val back = texts.map(_.swap)
    def bytes(value: Any): Any = value match {
      case text: String             => back.getOrElse(text, text)
      case row: Row                 => Row.fromSeq(row.toSeq.map(bytes))
      case items: collection.Seq[_] => items.map(bytes)
      case other                    => other
    }
    val asText = edges.map { case (src, dst, time) =>
      (texts.getOrElse(src, src), texts.getOrElse(dst, dst), time)
    }
    val pairs = Seq(("y", "x"), ("x", "x"), ("w", "y")).toDF("source", "target")
    val rows = shown(asked.ask(named(asText.toDF()), pairs)("window" -> "10 seconds")).collect().toSeq
    rows.map(bytes(_).asInstanceOf[Row])
  }

  private def same(rows: Seq[Row], wanted: Seq[Row]): Unit = {
    // Numbers of another width are the same number.
    def text(rows: Seq[Row]) =
      rows.map(_.toString.replaceAll("(ArrayBuffer|ArraySeq|WrappedArray|Vector)", "List"))
    assert(text(rows).sorted == text(wanted).sorted && wanted.nonEmpty)
  }

  for ((asked, turn) <- Asked.oneEach.zipWithIndex) {
    lazy val wanted = asTexts(asked)

    test(s"batch: $asked")(same(shown(ask(asked, edges.toDF())).collect().toSeq, wanted))

    // The state holds more than an index of names for these questions alone; the layouts take turns.
    val layout = FaultRun.layouts(turn % FaultRun.layouts.size)
    if (asked.isKept)
      test(s"stream that is started again, $layout: $asked") {
        withConf(FaultRun.settingsOfLayout(layout) :+ "spark.sql.shuffle.partitions" -> "1": _*) {
          withTempDir { checkpoint =>
            val input = MemoryStream[(String, String, Long)]
            val rows = edges.grouped(3).toSeq.flatMap { batch =>
              input.addData(batch)
              val stream = named(input.toDF()).withWatermark("time", "0 seconds")
              val answers = asked.ask(stream, queries)("window" -> "10 seconds")
              EdgeFrames.runToEnd(shown(answers), checkpoint)
            }
            same(rows, wanted)
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
