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
    val roles = Seq("source", "target").filter(role => role == "source" || options.has(role))
    val fields = roles.map(role => columns.field(options.text(role), role))
    if (fields.distinct.size < fields.size)
      throw Arguments.invalid(
        s"column '${options.text("source")}' is given as source and as target; leave target out to ask for one vertex"
      )
    val vertices = new VertexColumns("events", columns, edges, fields.map(_.name))
    val at = time(columns, options.text("at"), edges)
    EventColumns(columns, vertices.vertices, at, edges.byFields.map(vertices.key))
  }

  private def frame(options: Options, edges: EdgeColumns): DataFrame = {
    val events = options.frame("events")
    (edges.frame.isStreaming, events.isStreaming) match {
      case (true, false) => throw Arguments.invalid(
          "events must be a streaming DataFrame where the edges are one, but they are static; read the table of events as a " +
            "stream, or give static edges too"
        )
      case (false, true) => throw Arguments.invalid(
          "events must be a static DataFrame where the edges are one, but they are streaming; call in foreachBatch, where the " +
            "events of a micro-batch are static, or give the edges as a stream too"
        )
      case (true, true)   => StreamChecks.withoutWatermarks(events)
      case (false, false) => events
    }
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
