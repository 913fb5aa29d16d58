package io.github.sparkbic.operator.simulation

import org.apache.spark.sql.{Column, DataFrame, Dataset, Encoders, Row}
import org.apache.spark.sql.functions._
import org.apache.spark.sql.types.{ArrayType, DataType, StringType, StructType}

import io.github.sparkbic.operator.{AsOfOracle, TestEvent}
import io.github.sparkbic.operator.question.{Asked, AskedAsOf}

/** A row of a simulated source, as Spark reads it; `time` is in microseconds. */
final case class ArrivalRow(graph: Option[Int], src: Option[Long], dst: Option[Long], time: Option[Long]) {

  /** The row for the oracle, which asks of a null only whether there is one. */
  def arrival: Arrival = {
    val isWhole = dst.nonEmpty && time.nonEmpty
    val key = graph.getOrElse(ArrivalRow.NoGraph)
    Arrival(key, src.filter(_ => isWhole), dst.getOrElse(0L), time.getOrElse(0L))
  }
}

object ArrivalRow {

  val NoGraph: Int = Int.MinValue

  def of(row: Arrival): ArrivalRow = ArrivalRow(Some(row.graph), row.src, Some(row.dst), Some(row.time))
}

private[sparkbic] object OnSpark {

  /** The answers to the question of a setup, a line each, as [[Attempt]], [[SimulatedEvent]] and [[SimulationOracle]] write
    * them.
    */
  def answers(
      setup: Setup,
      index: String,
      source: Dataset[ArrivalRow],
      delay: Long,
      by: Seq[String],
      pairs: Seq[(Long, Long)]
  ): Dataset[String] = {
    val edges = this.edges(setup, source.toDF(), delay)
    setup.asked match {
      case asked: AskedAsOf =>
        // Answers for events have a column `graph` of their own.
        val sites = edges.withColumnRenamed("graph", "site")
        val own = Some(events(setup, source))
        linesOfEvents(ask(setup, asked, index, sites, by.map(_ => "site"), pairs, own))
      case asked => lines(ask(setup, asked, index, edges, by, pairs))
    }
  }

  /** The edges of a source. Vertices that are strings are of any bytes, of which [[Setup.shown]] gives the digits. */
  def edges(setup: Setup, source: DataFrame, delay: Long): DataFrame =
    source.withColumn("time", timestamp_micros(source("time")))
      .selectExpr("graph", "string(graph % 2) AS half", vertex(setup, "src"), vertex(setup, "dst"), "time")
      .withWatermark("time", s"$delay milliseconds")

  private def events(setup: Setup, source: Dataset[ArrivalRow]): DataFrame = {
    val events = source.flatMap((row: ArrivalRow) => SimulatedEvent.of(row.arrival, setup).toSeq)(
      Encoders.product[TestEvent]
    )
    val time = "timestamp_micros(time) AS time"
    events.selectExpr("graph AS site", time, vertex(setup, "source"), vertex(setup, "target"))
  }

  private def vertex(setup: Setup, column: String) =
    if (!setup.strings) column
    else s"CAST(unhex(lpad(hex($column ^ ${Long.MaxValue}L ^ -1L), 16, '0')) AS STRING) AS $column"

  /** The columns of answers, with the digits of strings, of which `by` and the kinds of changes are shown as they are. */
  private def shown(answers: DataFrame): DataFrame = {
    def digits(column: Column, dataType: DataType): Column = dataType match {
      case StringType       => lower(hex(column))
      case ArrayType(of, _) => transform(column, (item: Column) => digits(item, of))
      case StructType(fields) =>
        val items = fields.toSeq.map(f => digits(column.getField(f.name), f.dataType).as(f.name))
        when(column.isNotNull, struct(items: _*))
      case _ => column
    }
    answers.select(answers.schema.toSeq.map { field =>
      val column = col(field.name)
      if (Set("half", "change")(field.name)) column else digits(column, field.dataType).as(field.name)
    }: _*)
  }

  def ask(
      setup: Setup,
      asked: Asked,
      index: String,
      edges: DataFrame,
      by: Seq[String],
      pairs: Seq[(Long, Long)],
      events: Option[DataFrame] = None
  ): DataFrame = {
    def micros(length: Long) = s"$length microseconds"
    val panes = setup.panes
    def frame = edges.sparkSession.createDataFrame(pairs).toDF("source", "target")
      .selectExpr(vertex(setup, "source"), vertex(setup, "target"))
    val arguments = Seq(
      "window" -> (panes.window +: panes.shorter).map(micros),
      "slide" -> micros(panes.slide),
      "by" -> by,
      "start_time" -> micros(panes.startTime % panes.slide),
      "index" -> index
    )
    asked.ask(edges, frame)(arguments ++ events.map("events" -> _): _*)
  }

  private def linesOfEvents(answers: DataFrame): Dataset[String] =
    shown(answers).selectExpr("site", "unix_micros(time)", "source", "target", "graph").map { row: Row =>
      (row.toSeq.init :+ AsOfOracle.shown(row.get(4), unit = 1L)).mkString("|")
    }(Encoders.STRING)

  /** The answers, a line each, as [[Attempt]] and [[SimulationOracle]] write them. */
  def lines(answers: DataFrame): Dataset[String] = {
    val columns = answers.schema.toSeq.flatMap { field =>
      (field.name, field.dataType) match {
        case ("window", _)         => Seq("unix_micros(window.start)", "unix_micros(window.end)")
        case ("since" | "born", _) => Seq(s"unix_micros(${field.name})")
        case (names @ ("before" | "after"), ArrayType(_: StructType, _)) =>
          Seq(s"transform($names, name -> struct(name.component, unix_micros(name.born)))")
        case (name, _) => Seq(name)
      }
    }
    shown(answers).selectExpr(columns: _*)
      .map((row: Row) => row.toSeq.map(Attempt.show).mkString("|"))(Encoders.STRING)
  }
}
