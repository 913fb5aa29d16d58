package io.github.sparkbic.call

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.types.StructField

import io.github.sparkbic.arguments._
import io.github.sparkbic.operator.forests.StreamChecks

/** Checks the events of a call. */
private[call] object EventArguments {
  import ColumnTypes.show

  def columns(options: Options, edges: EdgeColumns): EventColumns = {
    val columns = new NamedColumns("events", frame(options, edges))
    columns.requireFree("graph", "answers")
    val fields = Seq("source", "target").filter(role => role == "source" || options.isGiven(role))
      .map(role => columns.field(options.text(role), role))
    if (fields.distinct.size < fields.size)
      throw Arguments.invalid(
        s"column '${options.text("source")}' is given as source and as target; leave target out to ask for one vertex"
      )
    val vertices = fields.map(field => columns.vertex(field.name, edges))
    EventColumns(columns, vertices, time(columns, options.text("at"), edges), edges.byFields.map(columns.key))
  }

  private def frame(options: Options, edges: EdgeColumns): DataFrame = {
    val events = options.frame("events")
    if (edges.frame.isStreaming != events.isStreaming) {
      val (wanted, found) = if (events.isStreaming) ("static", "streaming") else ("streaming", "static")
      throw Arguments.invalid(
        s"events must be a $wanted DataFrame where the edges are one, but they are $found; read both as streams, or both as " +
          "tables, as in foreachBatch"
      )
    }
    if (events.isStreaming) StreamChecks.withoutWatermarks(events) else events
  }

  private def time(columns: NamedColumns, name: String, edges: EdgeColumns): StructField = {
    val at = columns.field(name, "at")
    if (at.dataType != edges.timeField.dataType)
      throw Arguments.invalid(
        s"events have ${show(at)} as at, but the edges have the time ${show(edges.timeField)}; cast one of them"
      )
    at
  }
}
