package io.github.sparkbic.operator

import org.apache.spark.sql.{Column, DataFrame}
import org.apache.spark.sql.bic.SparkInternals
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.EventTimeWatermark
import org.apache.spark.sql.functions.{array, col, lit, struct, when}
import org.apache.spark.sql.types._

import io.github.sparkbic.arguments.EventColumns
import io.github.sparkbic.index.contract.Panes
import io.github.sparkbic.index.recency.RecencyIndex
import io.github.sparkbic.operator.forests.{PackEvents, Segments}
import io.github.sparkbic.operator.question.AsOf

/** The way of events through the plan, beside the edges: into blocks, and out of the operator's rows again.
  *
  * @param keys the columns with the key of a graph, as the blocks of edges have them
  */
private[operator] final class EventsPlan(
    events: EventColumns,
    val asOf: AsOf,
    keys: Seq[StructField],
    panes: Panes
) {

  /** @param schema the columns of the blocks of edges */
  def blocks(schema: StructType, segments: Option[Segments]): DataFrame = {
    val by = events.byFields.zip(keys).map { case (field, key) =>
      events.columns.of(field).cast(key.dataType)
    }
    val own = SparkInternals.analyzed(events.frame).output
    val input =
      events.frame.select((by :+ events.columns.of(events.at)) ++ own.map(SparkInternals.column): _*)
    val columns = SparkInternals.analyzed(input).output
    val key = if (by.isEmpty) Seq(Literal(0)) else columns.take(by.size).map(SparkInternals.normalized)
    val pack =
      PackEvents(key, columns(by.size), columns.drop(by.size + 1), panes, segments, schema)
    input.select(SparkInternals.column(pack))
  }

  /** The columns of events, and the answers.
    *
    * @param items the fields of [[AsOf]], of one event
    * @param typed gives a vertex or a time the type that users get
    */
  def answers(rows: DataFrame, items: Seq[Column], typed: (StructField, Column) => Column): DataFrame = {
    val event = SparkInternals.expression(items.head)
    val columns = SparkInternals.analyzed(events.frame).output.zipWithIndex.map { case (column, i) =>
      // The answers come later than the watermark of the events.
      val metadata = new MetadataBuilder().withMetadata(column.metadata).remove(EventTimeWatermark.delayKey)
      SparkInternals.column(GetStructField(event, i)).as(column.name, metadata.build())
    }
    val width = asOf.ofWindow.size
    val isFinal = if (asOf.waits) None else Some((items.last > 0).as(AsOf.Final))
    val ofWindow = asOf.order.map { i =>
      struct(answer(items.slice(1 + i * width, 1 + (i + 1) * width), i, typed) ++ isFinal: _*)
    }
    val graph = if (ofWindow.size == 1) ofWindow.head else array(ofWindow: _*)
    rows.select(columns :+ when(col("end").isNotNull, graph).as("graph"): _*)
  }

  /** The answer by the windows of length `i`. */
  private def answer(
      values: Seq[Column],
      i: Int,
      typed: (StructField, Column) => Column
  ): Seq[Column] = {
    val bound = (name: String, micros: Column) => typed(StructField(AsOf.Time, LongType), micros).as(name)
    val length = panes.perWindows(i) * panes.length
    val window = struct(bound("start", col("end") - length), bound("end", col("end"))).as("window")
    val fields = values.zip(asOf.ofWindow).map { case (value, field) => (field, value) }
    def ofVertex(of: Seq[(StructField, Column)]): Seq[Column] = {
      val (component, rest) = (of.head, of.tail)
      when(rest.head._2 > 0, typed(component._1, component._2)).as("component") +:
        rest.map { case (field, value) => value.as(field.name) }
    }
    if (asOf.target.isEmpty) window +: ofVertex(fields)
    else {
      val (since, ends) = (fields.head, fields.tail)
      val isConnected = since._2 =!= lit(RecencyIndex.Never)
      val (source, target) = ends.splitAt(ends.size / 2)
      Seq(
        window,
        isConnected.as("connected"),
        when(isConnected, typed(since._1, since._2)).as("since"),
        struct(ofVertex(source): _*).as("source"),
        struct(ofVertex(target): _*).as("target")
      )
    }
  }
}
